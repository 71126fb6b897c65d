// Path tracing: random numbers, sums of samples, cancelling, what is refused, memory.
#include "compute/trace/trace.h"

#include <limits>
#include <set>

#include "compute/trace/trace_math.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/trace/trace_scenes.h"

namespace isolume {
namespace {

using namespace test;
using PathTracing = OnDevice;
ISOLUME_ON_EVERY_DEVICE(PathTracing);

TEST(TraceRandom, has_the_second_coordinate_of_sobol) {
  // Direction numbers of the polynomial x + 1: each is the one before, exclusive-or itself shifted.
  for (std::uint32_t n : {0u, 1u, 2u, 3u, 7u, 12u, 100u, 65535u, 123456789u, 0xffffffffu}) {
    std::uint32_t expected = 0;
    for (std::uint32_t direction = 1u << 31, i = n; i; i >>= 1, direction ^= direction >> 1)
      if (i & 1u) expected ^= direction;
    EXPECT_EQ(tracing::reversed(tracing::sobol_second(n)), expected) << n;
  }
}

TEST(TraceRandom, fills_the_unit_square_evenly_in_each_dimension) {
  // 64 points of a (0, 2) net: one in each box of 64th parts, whatever its shape.
  for (const std::uint32_t pixel : {0u, 17u, 0xdeadbeefu})
    for (std::uint32_t dimension = 0; dimension < 12; ++dimension)
      for (int wide = 0; wide <= 6; ++wide) {
        std::set<int> boxes;
        for (std::uint32_t i = 0; i < 64; ++i) {
          float u, v;
          tracing::Random{pixel, i + 128}.pair(dimension, u, v);
          ASSERT_TRUE(u >= 0 && u < 1 && v >= 0 && v < 1);
          const int columns = 1 << wide, rows = 64 / columns;
          boxes.insert(static_cast<int>(u * static_cast<float>(columns)) * rows +
                       static_cast<int>(v * static_cast<float>(rows)));
        }
        EXPECT_EQ(boxes.size(), 64u) << pixel << ' ' << dimension << ' ' << wide;
      }
}

TEST(TraceRandom, of_two_dimensions_does_not_belong_together) {
  constexpr int n = 4096;
  for (std::uint32_t a = 0; a < 8; ++a)
    for (std::uint32_t b = a + 1; b < 8; ++b) {
      double sum = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        float u, v, p, q;
        tracing::Random{5, i}.pair(a, u, v);
        tracing::Random{5, i}.pair(b, p, q);
        sum += (static_cast<double>(u) - 0.5) * (static_cast<double>(p) - 0.5) * 12;
      }
      EXPECT_LT(std::abs(sum / n), 4 / std::sqrt(n)) << a << ' ' << b;  // four standard errors of a correlation
    }
}

/// A floor with some of everything on it.
TraceScene room() {
  TraceScene scene;
  TraceMaterial glass, clear, plastic;
  glass.glass = 1;
  clear.opacity = 0.5f;
  plastic.reflectance = 0.05f;
  for (const TraceMaterial& m : {TraceMaterial{}, glass, clear, plastic}) add_material(scene, m);
  add_floor(scene, 8, -1, 0, glm::u8vec4(200, 180, 160, 255));
  for (std::uint32_t i = 0; i < 4; ++i) {
    scene.materials[i].object = i + 1;
    add_sphere(scene, {2.2f * static_cast<float>(i) - 3.3f, 0, 0}, 1, i, glm::u8vec4(80 * i, 120, 220, 255));
  }
  return scene;
}

TraceView view_of_room(int width, int height) {
  TraceView view;
  view.width = width;
  view.height = height;
  view.camera = looking({0, -12, 6}, {0, 0, 0}, 0.3f);
  view.light.sun = glm::vec3(0.7f);
  view.light.direction = glm::normalize(glm::vec3(-1, -1, 2));
  view.light.angle = 0.05f;
  view.light.sky = glm::vec3(0.5f, 0.6f, 0.7f);
  return view;
}

TEST_P(PathTracing, in_several_calls_is_the_same_as_in_one) {
  const TraceScene scene = room();
  const TraceView view = view_of_room(37, 21);
  const Traced once = traced(scene, view, {12}, GetParam()), parts = traced(scene, view, {1, 3, 8}, GetParam());
  EXPECT_EQ(once.radiance, parts.radiance);
  EXPECT_EQ(once.squares, parts.squares);
  EXPECT_EQ(once.albedo, parts.albedo);
  EXPECT_EQ(once.depth, parts.depth);
  EXPECT_EQ(once.objects, parts.objects);
  TraceView other = view;
  other.seed = 1;
  EXPECT_NE(traced(scene, other, {12}, GetParam()).radiance, once.radiance);
}

TEST_P(PathTracing, knows_the_object_and_the_depth_in_the_middle_of_each_pixel) {
  TraceScene scene;
  TraceMaterial named;
  named.object = 7;
  add_sphere(scene, {0, 0, 0}, 2, add_material(scene, named));
  TraceView view = view_of_room(21, 21);
  view.camera = looking({0, 0, 12}, {0, 0, 0}, 3, true);
  const Traced picture = traced(scene, view, {1}, GetParam());
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 21; ++x) {
      const double px = (x - 10) * 6.0 / 21, py = (y - 10) * 6.0 / 21, r2 = px * px + py * py;
      const auto at = static_cast<std::size_t>(21 * y + x);
      if (std::abs(std::sqrt(r2) - 2) < 1e-3) continue;
      EXPECT_EQ(picture.objects[at], r2 < 4 ? 7u : 0u) << x << ' ' << y;
      if (r2 < 4) {
        EXPECT_NEAR(static_cast<double>(picture.depth[at]), 12 - std::sqrt(4 - r2), 1e-4);
      } else {
        EXPECT_EQ(picture.depth[at], std::numeric_limits<float>::infinity());
      }
    }
}

TEST_P(PathTracing, stops_when_it_is_cancelled) {
  const TraceScene scene = room();
  const TraceView view = view_of_room(512, 512);
  expect_cancelled(GetParam(), [&](Job& job) {
    DeviceArray<float> radiance(std::size_t{4} * 512 * 512, GetParam());
    trace(scene, view, 64, 0, {radiance.span(), {}, {}, {}, {}}, job);
  });
}

TEST_P(PathTracing, of_nothing_is_empty) {
  const Traced picture = traced({}, view_of_room(9, 5), {2}, GetParam());
  for (const float v : picture.radiance) EXPECT_EQ(v, 0);
  for (const float v : picture.depth) EXPECT_EQ(v, std::numeric_limits<float>::infinity());
}

TEST_P(PathTracing, of_shapes_without_size_is_that_of_the_others) {
  TraceScene scene = room();
  const TraceView view = view_of_room(24, 16);
  const Traced expected = traced(scene, view, {4}, GetParam());
  add_sphere(scene, {0, -2, 1}, 0);
  scene.cylinders.push_back({{1, -2, 1}, {1, -2, 1}, 0, glm::u8vec4(255), glm::u8vec4(255), 0, 0});
  scene.cylinders.push_back({{-1, -2, 1}, {1, -2, 1}, 0, glm::u8vec4(255), glm::u8vec4(255), 0, 1});
  scene.triangles.push_back({0, 0, 1, 0});
  const Traced picture = traced(scene, view, {4}, GetParam());
  ASSERT_EQ(picture.radiance.size(), expected.radiance.size());
  // Numbers of shapes, which decide what goes through transparent ones, are others now: solid parts alone are the same.
  for (std::size_t i = 0; i < picture.depth.size(); ++i) {
    EXPECT_TRUE(std::isfinite(picture.radiance[4 * i]));
    EXPECT_NEAR(picture.mean(i, 3), expected.mean(i, 3), 1e-6);
    EXPECT_EQ(picture.depth[i], expected.depth[i]);
  }
}

TEST_P(PathTracing, refuses_what_it_cannot_draw) {
  const auto refused = [&](const TraceScene& scene, const TraceView& view, int samples = 1) {
    try {
      traced(scene, view, {samples}, GetParam());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  const TraceView view = view_of_room(4, 4);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TraceScene scene = room();
  EXPECT_EQ(refused(scene, view), "");
  scene.spheres[1].y = nan;
  EXPECT_NE(refused(scene, view).find("sphere 1: a finite centre"), std::string::npos);
  scene = room();
  scene.spheres[0].w = -1;
  EXPECT_NE(refused(scene, view).find("a radius of 0 or more"), std::string::npos);
  scene = room();
  scene.sphere_materials[2] = 99;
  EXPECT_NE(refused(scene, view).find("material 99 of 4"), std::string::npos);
  scene = room();
  scene.triangles[0].b = 1000;
  EXPECT_NE(refused(scene, view).find("of 4 vertices"), std::string::npos);
  scene = room();
  scene.vertices[3].x = std::numeric_limits<float>::infinity();
  EXPECT_NE(refused(scene, view).find("vertex 3"), std::string::npos);
  scene = room();
  scene.cylinders.push_back({{0, 0, nan}, {1, 0, 0}, 1, {}, {}, 0, 0});
  EXPECT_NE(refused(scene, view).find("cylinder 0"), std::string::npos);
  scene = room();
  scene.materials[0].opacity = 1.5f;
  EXPECT_NE(refused(scene, view).find("material 0"), std::string::npos);
  scene = room();
  TraceView other = view;
  other.bounces = 0;
  EXPECT_NE(refused(scene, other).find("0 bounces"), std::string::npos);
  EXPECT_NE(refused(scene, view, 0).find("0 samples"), std::string::npos);
}

TEST_P(PathTracing, keeps_to_the_memory_that_was_predicted_for_a_million_spheres) {
  TraceScene scene;
  add_material(scene);
  test::Random random(3);
  for (int i = 0; i < 1'000'000; ++i) add_sphere(scene, glm::vec3(random.in_box(-100, 100)), 1.5f);
  const Device device = GetParam();
  EXPECT_LT(trace_memory(scene, device), std::size_t{300} << 20);
  reset_peak_memory();
  const std::size_t before = allocated_memory(device);
  TraceView view = view_of_room(64, 64);
  view.camera = looking({0, 0, 400}, {0, 0, 0}, 0.3f);
  DeviceArray<float> radiance(std::size_t{4} * 64 * 64, device);
  Job job;
  Tracer tracer(scene, device, job);
  tracer.trace(view, 4, 0, {radiance.span(), {}, {}, {}, {}}, job);
  EXPECT_LE(peak_memory(device) - before, tracer.bytes() + radiance.span().bytes());
  EXPECT_GE(tracer.rays(), std::uint64_t{4} * 64 * 64);
  const std::vector<float> light = radiance.copy_to_host();
  EXPECT_EQ(light[4 * (32 * 64 + 32) + 3], 4);  // the middle is covered
}

}  // namespace
}  // namespace isolume
