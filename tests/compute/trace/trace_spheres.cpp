// The hierarchy of spheres on the CPU against a loop over all of them, and tiles of the picture in which nothing is.
#include "compute/trace/trace_spheres.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compute/trace/trace_body.h"
#include "compute/trace/trace_path.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/base/instruction_sets.h"
#include "tests/compute/trace/trace_scenes.h"

namespace isolume::tracing {
namespace {

using namespace test;

TraceScene cloud(std::uint32_t count, double half, bool plain = true) {
  test::Random random(5);
  TraceScene scene;
  TraceMaterial clear;
  clear.opacity = 0.5f;
  clear.planes = 1;
  add_material(scene, plain ? TraceMaterial{} : clear);
  for (std::uint32_t i = 0; i < count; ++i)
    add_sphere(scene, glm::vec3(random.in_box(-half, half)), static_cast<float>(random(0.05, 0.6)));
  return scene;
}

/// Halves and halves again towards a point: cuts of the least area take few spheres off at a time.
TraceScene series() {
  TraceScene scene;
  add_material(scene);
  for (int i = 0; i < 150; ++i)
    add_sphere(scene, {8 * std::pow(0.97f, static_cast<float>(i)), 0, 0},
               0.1f * std::pow(0.97f, static_cast<float>(i)));
  return scene;
}

/// The first sphere that stops a ray: its number, and the distance.
std::pair<std::uint32_t, float> expected(const TraceData& data, const TraceView& view, const Question& question,
                                         const Ray<float>& ray) {
  std::pair<std::uint32_t, float> first{Hit<float>::none, INFINITY};
  for (std::uint32_t i = 0; i < data.sphere_count; ++i) {
    Hit<float> hit;
    if (meets(data, view, question, ray, i, hit) && hit.distance < first.second) first = {i, hit.distance};
  }
  return first;
}

void check_rays(const TraceScene& scene, double half) {
  SCOPED_TRACE(scene.spheres.size());
  const PreparedScene prepared(scene);
  const TraceData data = prepared.data();
  Job job;
  const SphereTree tree = sphere_tree(data, job);
  std::size_t spheres = 0;
  for (const SphereLeaf& leaf : tree.leaves)
    spheres += static_cast<std::size_t>(
        std::count_if(leaf.radius2, leaf.radius2 + sphere_lanes, [](float r) { return r >= 0; }));
  EXPECT_EQ(spheres, scene.spheres.size());
  TraceView view;
  view.planes[0] = {0, 0, 1, -0.2f};
  view.plane_count = 1;
  test::Random random(7);
  SphereGuess guess;
  int apart = 0, met = 0;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    // From anywhere to anywhere or to a sphere, some along an axis.
    const glm::vec4& target = scene.spheres[i % scene.spheres.size()];
    const glm::vec3 from(random.in_box(-2 * half, 2 * half));
    const glm::vec3 to(i % 2 ? random.in_box(-half, half) : glm::dvec3(target) + random.in_box(-target.w, target.w));
    glm::vec3 way = glm::normalize(to - from);
    if (i % 8 == 0) way = glm::vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    const Ray<float> ray{vec<float>(from), vec<float>(way), 0, i % 4 == 1 ? static_cast<float>(half) : 1e30f};
    const Question question{{i, 0}, 2, false, false};
    const auto [shape, distance] = expected(data, view, question, ray);
    Ray<float> followed = ray;
    Hit<float> hit;
    const bool found = closest_sphere(tree, data, view, question, followed, hit, guess);
    met += found;
    EXPECT_EQ(found, hit.shape != Hit<float>::none);
    EXPECT_EQ(followed.end, found ? hit.distance : ray.end);
    const bool same = found == (shape != Hit<float>::none) && (!found || std::abs(hit.distance - distance) < 1e-4);
    const bool hidden = hidden_by_sphere(tree, data, view, question, ray, guess);
    apart += !(same && hidden == found && (!found || hit.shape == shape));
  }
  // Where rounding decides at a rim.
  EXPECT_LE(apart, 2);
  EXPECT_GT(met, 200);
}

class TraceSpheres : public InstructionSetTest {};
INSTANTIATE_TEST_SUITE_P(Each, TraceSpheres, testing::ValuesIn(instruction_sets()), instruction_set_name);

TEST_P(TraceSpheres, are_found_as_by_a_loop_over_all) {
  for (const std::uint32_t count : {1u, 8u, 9u, 64u, 65u, 700u}) check_rays(cloud(count, 4), 4);
  check_rays(cloud(700, 4, false), 4);
  check_rays(cloud(20000, 8), 8);
  check_rays(series(), 4);
}

TEST_P(TraceSpheres, that_coincide_show_the_first) {
  TraceScene scene;
  add_material(scene);
  for (int i = 0; i < 500; ++i) add_sphere(scene, {1, 2, 3}, 1);
  const PreparedScene prepared(scene);
  const TraceData data = prepared.data();
  Job job;
  const SphereTree tree = sphere_tree(data, job);
  for (std::int32_t leaf = 0; leaf < static_cast<std::int32_t>(tree.leaves.size()); ++leaf) {
    Ray<float> ray{{1, 2, 9}, {0, 0, -1}, 0, 1e30f};
    Hit<float> hit;
    SphereGuess guess{leaf, leaf};
    EXPECT_TRUE(closest_sphere(tree, data, {}, {}, ray, hit, guess));
    EXPECT_EQ(hit.shape, 0u);
    EXPECT_EQ(hit.distance, 5);
  }
}

TEST_P(TraceSpheres, are_none_in_an_empty_scene) {
  const TraceScene scene;
  const PreparedScene prepared(scene);
  Job job;
  const SphereTree tree = sphere_tree(prepared.data(), job);
  Ray<float> ray{{0, 0, 0}, {0, 0, 1}, 0, 1e30f};
  Hit<float> hit;
  SphereGuess guess;
  EXPECT_FALSE(closest_sphere(tree, prepared.data(), {}, {}, ray, hit, guess));
  EXPECT_FALSE(hidden_by_sphere(tree, prepared.data(), {}, {}, ray, guess));
}

TEST(TraceTiles, that_nothing_is_in_are_told_from_others) {
  const TraceScene scene = cloud(40, 3);
  const PreparedScene prepared(scene);
  const TraceData data = prepared.data();
  Job job;
  const SphereTree tree = sphere_tree(data, job);
  for (const bool orthographic : {false, true}) {
    TraceView view;
    view.width = 160;
    view.height = 120;
    view.camera = looking({5, -14, 9}, {1, 0, 0}, orthographic ? 5.0f : 0.35f, orthographic);
    int empty = 0, full = 0;
    for (int top = 0; top < view.height; top += 8)
      for (int left = 0; left < view.width; left += 8) {
        bool met = false;
        for (int y = 0; y <= 16; ++y)
          for (int x = 0; x <= 16; ++x) {
            const Ray<float> ray =
                camera_ray<float>(view, static_cast<float>(left) + 0.5f * static_cast<float>(x),
                                  static_cast<float>(top) + 0.5f * static_cast<float>(y), 0.0f, 0.0f);
            met |= expected(data, view, {}, ray).first != Hit<float>::none;
          }
        const bool may = PictureRays(view, left, top, left + 8, top + 8).may_meet(tree);
        EXPECT_TRUE(may || !met) << left << ", " << top;
        empty += !may;
        full += met;
      }
    EXPECT_GT(empty, 100) << "of 300";
    EXPECT_GT(full, 30);
  }
}

}  // namespace
}  // namespace isolume::tracing
