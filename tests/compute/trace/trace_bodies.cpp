// The bodies of path tracing against the reference and each other, sample by sample.
#include <cmath>
#include <numeric>

#include "compute/trace/trace_body.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/trace/trace_scenes.h"

namespace isolume {
namespace {

using namespace test;
using TraceBodies = OnDevice;
ISOLUME_ON_EVERY_DEVICE(TraceBodies);

/// Some of everything, in any order.
TraceScene crowd(int count) {
  TraceScene scene;
  TraceMaterial plastic, metal, clear, glass, flat, cut;
  plastic.reflectance = 0.05f;
  metal.metal = 1;
  clear.opacity = 0.6f;
  glass.glass = 1;
  glass.reflectance = 0.05f;
  flat.lit = 0;
  cut.planes = 1;
  for (TraceMaterial m : {TraceMaterial{}, plastic, metal, clear, glass, flat, cut}) {
    m.object = static_cast<std::uint32_t>(scene.materials.size()) + 1;
    add_material(scene, m);
  }
  test::Random random(11);
  const auto colour = [&] {
    const glm::dvec3 c = random.in_box(40, 255);
    return glm::u8vec4(glm::uvec3(c), random(0, 1) < 0.1 ? 128 : 255);
  };
  add_floor(scene, 9, -4.5f, 0, {220, 220, 220, 255});
  const auto kinds = static_cast<std::uint32_t>(scene.materials.size());
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
    const glm::vec3 at(random.in_box(-4, 4));
    const std::uint32_t material = i % kinds;
    if (i % 3 == 0) {
      add_sphere(scene, at, static_cast<float>(random(0.3, 1.2)), material, colour());
    } else if (i % 3 == 1) {
      scene.cylinders.push_back({at, at + glm::vec3(random.in_box(-2, 2)), static_cast<float>(random(0.1, 0.5)),
                                 colour(), colour(), material, i / 3 % 2});
    } else {
      const auto first = static_cast<std::uint32_t>(scene.vertices.size());
      for (int corner = 0; corner < 3; ++corner) {
        scene.vertices.push_back(at + glm::vec3(random.in_box(-1.5, 1.5)));
        scene.normals.push_back(i % 2 ? glm::vec3(random.in_box(-1, 1)) : glm::vec3(0));
        scene.vertex_colours.push_back(colour());
      }
      scene.triangles.push_back({first, first + 1, first + 2, material});
    }
  }
  return scene;
}

/// Two clouds among them, one of which is askew and is cut.
void add_clouds(TraceScene& scene) {
  TraceCloud blob = make_cloud({20, 24, 28}, {0.4, 0.35, 0.3}, {-4, -4, -4},
                               [](glm::dvec3 p) { return std::exp(-0.25 * glm::dot(p, p)) * std::sin(2 * p.x); },
                               {{0.9f, 0.1f, 0.1f, 1}, {0.8f, 0.8f, 0.2f, 0}, {0.1f, 0.2f, 0.9f, 0.7f}});
  blob.lower = -0.5f;
  blob.upper = 0.5f;
  TraceCloud askew = blob;
  Volume volume = *blob.volume;
  volume.grid.step[0] = {0.3, 0.1, -0.05};
  volume.grid.step[2] = {0.1, -0.1, -0.25};
  askew.volume = std::make_shared<const Volume>(std::move(volume));
  askew.opacity = 0.7f;
  askew.planes = 1;
  askew.shifts = {{2, 1, 3}, {-1, 3, 2}};
  scene.clouds = {blob, askew};
}

TraceView view_of_crowd(bool orthographic, bool lens) {
  TraceView view;
  view.width = 40;
  view.height = 30;
  view.camera = looking({5, -14, 9}, {0, 0, -1}, orthographic ? 5.0f : 0.32f, orthographic);
  if (lens) view.camera.lens = orthographic ? 0.02f : 0.3f;
  view.light.sun = glm::vec3(0.7f, 0.65f, 0.6f);
  view.light.direction = glm::normalize(glm::vec3(-1, -1, 3));
  view.light.angle = 0.06f;
  view.light.sky = glm::vec3(0.5f, 0.55f, 0.65f);
  view.light.ground = glm::vec3(0.3f);
  view.light.up = {0, 0, 1};
  view.planes[0] = {0, 0, 1, -1};
  view.plane_count = 1;
  view.fog = 0.4f;
  view.fog_begin = 10;
  view.fog_end = 25;
  return view;
}

/// How many of the pixels are not as they should be by more than rounding, and how many standard errors the means of
/// the two pictures are apart.
struct Apart {
  int pixels = 0;
  double errors = 0;
};
template <class Expected>
Apart apart(const Traced& picture, const Expected& expected) {
  Apart result;
  double sum = 0, variance = 0;
  const std::size_t pixels = picture.depth.size();
  for (std::size_t i = 0; i < pixels; ++i) {
    bool same = true;
    for (std::size_t c = 0; c < 4; ++c) {
      const double off = static_cast<double>(picture.radiance[4 * i + c]) - static_cast<double>(expected[4 * i + c]);
      same &= std::abs(off) < 2e-3;
      if (c == 1) sum += off / picture.samples;
    }
    variance += picture.error(i) * picture.error(i);
    result.pixels += !same;
  }
  result.errors = std::abs(sum) / std::sqrt(variance);
  return result;
}

TEST_P(TraceBodies, take_the_paths_of_the_reference) {
  TraceScene scene = crowd(60);
  for (const bool orthographic : {false, true}) {
    if (orthographic) add_clouds(scene);
    const TraceView view = view_of_crowd(orthographic, true);
    const Traced picture = traced(scene, view, {4}, GetParam());
    std::vector<double> expected(picture.radiance.size());
    trace_reference(scene, view, 4, 0, expected);
    const Apart found = apart(picture, expected);
    // Where rounding decides which way a path goes, it goes another one: in few of 4800 paths.
    EXPECT_LT(found.pixels, 36) << "of 1200";
    EXPECT_LT(found.errors, 0.5);
    EXPECT_GT(std::accumulate(expected.begin(), expected.end(), 0.0), 1000);
  }
}

TEST_P(TraceBodies, agree_with_each_other_on_clouds) {
  TraceScene scene = crowd(60);
  add_clouds(scene);
  const TraceView view = view_of_crowd(false, false);
  const Traced first = traced(scene, view, {16}, Device::cpu()), second = traced(scene, view, {16}, GetParam());
  const Apart found = apart(second, first.radiance);
  EXPECT_LT(found.pixels, 60) << "of 1200";
  EXPECT_LT(found.errors, 0.5);
  scene.clouds.clear();
  EXPECT_GT(apart(traced(scene, view, {16}, GetParam()), first.radiance).pixels, 400) << "clouds are not seen";
}

TEST_P(TraceBodies, count_the_same_rays) {
  // Of a picture that is empty but for a sphere in its middle: rounding decides for a few paths at its rim alone.
  TraceScene scene;
  add_sphere(scene, {0, 0, 0}, 0.5f, add_material(scene));
  TraceView view = view_of_crowd(true, false);
  view.width = view.height = 64;
  for (const int bounces : {1, 4}) {
    view.bounces = bounces;
    std::uint64_t counts[2];
    for (const bool other : {false, true}) {
      const Device device = other ? GetParam() : Device::cpu();
      Job job;
      Tracer tracer(scene, device, job);
      DeviceArray<float> radiance(std::size_t{4} * 64 * 64, device);
      for (const int part : {0, 3}) tracer.trace(view, 3, part, {radiance.span(), {}, {}, {}, {}}, job);
      counts[other] = tracer.rays();
    }
    EXPECT_NEAR(static_cast<double>(counts[0]), static_cast<double>(counts[1]), 8);
    EXPECT_GT(counts[0], std::uint64_t{6} * 64 * 64);
    EXPECT_LT(counts[0], std::uint64_t{6} * 64 * 64 * 11 / 10);
  }
  Job job;
  Tracer nothing(TraceScene{}, GetParam(), job);
  DeviceArray<float> radiance(std::size_t{4} * 64 * 64, GetParam()), depth(std::size_t{64} * 64, GetParam());
  nothing.trace(view, 5, 0, {radiance.span(), {}, {}, depth.span(), {}}, job);
  EXPECT_EQ(nothing.rays(), std::uint64_t{64} * 64 * (5 + 1));
}

TEST_P(TraceBodies, agree_with_each_other) {
  const TraceScene scene = crowd(700);
  const TraceView view = view_of_crowd(false, false);
  const Traced first = traced(scene, view, {16}, Device::cpu()), second = traced(scene, view, {16}, GetParam());
  const Apart found = apart(second, first.radiance);
  EXPECT_LT(found.pixels, 120) << "of 1200";
  EXPECT_LT(found.errors, 0.5);
  int objects = 0;
  for (std::size_t i = 0; i < first.objects.size(); ++i) objects += first.objects[i] != second.objects[i];
  EXPECT_LE(objects, 2);
}

TEST(TraceTree, sees_what_embree_sees) {
  // The hierarchy of the CUDA body, on the CPU.
  for (const int count : {0, 1, 2, 60, 700}) {
    const TraceScene scene = crowd(count);
    const TraceView view = view_of_crowd(false, true);
    const Traced expected = traced(scene, view, {8}, Device::cpu());
    const tracing::PreparedScene prepared(scene);
    Job job;
    for (const bool spheres_apart : {true, false}) {
      const auto body = tracing::trace_body_tree(prepared, job, spheres_apart);
      Traced picture = expected;
      body->trace(view, 8, 0, {picture.radiance, picture.squares, picture.albedo, picture.depth, picture.objects}, job);
      const Apart found = apart(picture, expected.radiance);
      EXPECT_LT(found.pixels, 60) << "of 1200, " << count;
      EXPECT_LT(found.errors, 0.5) << count;
      EXPECT_GT(body->rays(), 9600u);
    }
  }
}

TEST(TraceTree, finds_each_of_many_shapes_at_one_place) {
  // Equal keys: the curve tells them apart by their numbers.
  TraceScene scene;
  for (std::uint32_t i = 0; i < 300; ++i) {
    TraceMaterial material;
    material.object = i + 1;
    add_sphere(scene, {0, 0, 0}, 1 + 0.001f * static_cast<float>(i), add_material(scene, material));
  }
  TraceView view;
  view.width = view.height = 3;
  view.camera = looking({0, 0, 9}, {0, 0, 0}, 0.01f);
  const tracing::PreparedScene prepared(scene);
  Job job;
  std::vector<float> radiance(36), depth(9);
  std::vector<std::uint32_t> objects(9);
  tracing::trace_body_tree(prepared, job, false)->trace(view, 1, 0, {radiance, {}, {}, depth, objects}, job);
  EXPECT_EQ(objects[4], 300u);
  EXPECT_NEAR(static_cast<double>(depth[4]), 9 - 1.299, 1e-5);
}

}  // namespace
}  // namespace isolume
