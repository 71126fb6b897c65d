// Clouds of path tracing against closed formulas: transmittance, glow, furnace, shadows, what is refused.
#include <limits>
#include <string>

#include "compute/trace/trace_body.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/trace/trace_scenes.h"

namespace isolume {
namespace {

using namespace test;
using TracedClouds = OnDevice;
ISOLUME_ON_EVERY_DEVICE(TracedClouds);

/// A view along z of a square about the origin, with parallel rays.
TraceView view_down(int side, float half) {
  TraceView view;
  view.width = view.height = side;
  view.camera = looking({0, 0, 20}, {0, 0, 0}, half, true);
  return view;
}

/// A cube of side 4 about the origin with extinction and colour everywhere the same.
TraceCloud uniform_cube(float extinction, glm::vec3 colour, int points = 21) {
  const double spacing = 4.0 / (points - 1);
  return make_cloud({points, points, points}, {spacing, spacing, spacing}, {-2, -2, -2}, [](glm::dvec3) { return 0.5; },
                    {glm::vec4(colour, extinction), glm::vec4(colour, extinction)});
}

TEST_P(TracedClouds, let_through_the_exponential_of_the_way_in_a_uniform_box) {
  constexpr float extinction = 0.35f;
  TraceScene scene;
  scene.clouds.push_back(uniform_cube(extinction, {0.9f, 0.5f, 0.1f}));
  // Each of the four: straight and aslant, with parallel rays and through one point.
  for (const bool orthographic : {true, false})
    for (const glm::vec3 eye : {glm::vec3(0, 0, 12), glm::vec3(5, 3, 9)}) {
      TraceView view = view_down(1, 1e-3f);
      view.camera = looking(eye, {0.1f, -0.2f, 0.3f}, 1e-4f, orthographic);
      const glm::dvec3 from(eye), way(view.camera.forward);
      double enter = 0, leave = 1e30;
      for (int i = 0; i < 3; ++i) {
        const double a = (-2 - from[i]) / way[i], b = (2 - from[i]) / way[i];
        if (std::abs(way[i]) < 1e-12) continue;
        enter = std::max(enter, std::min(a, b));
        leave = std::min(leave, std::max(a, b));
      }
      ASSERT_GT(leave - enter, 3);
      const Traced picture = traced(scene, view, {4}, GetParam());
      const double cover = 1 - std::exp(-static_cast<double>(extinction) * (leave - enter));
      EXPECT_NEAR(picture.mean(0, 3), cover, 2e-4);  // the rays of a pixel differ by that
      EXPECT_NEAR(picture.mean(0, 0), 0.9 * cover, 2e-4);
      EXPECT_NEAR(picture.mean(0, 2), 0.1 * cover, 2e-4);
      EXPECT_NEAR(static_cast<double>(picture.albedo[1]) / 4, 0.5 * cover, 2e-4);
      EXPECT_EQ(picture.depth[0], std::numeric_limits<float>::infinity());  // it has none
      EXPECT_EQ(picture.objects[0], 0u);
    }
}

TEST_P(TracedClouds, hide_what_is_within_and_behind_by_the_way_to_it) {
  // An unlit white floor at several heights, seen through a dark cube from above; below it nothing of the cube matters.
  constexpr float extinction = 0.4f;
  for (const float height : {-3.0f, -2.0f, -0.7f, 1.1f, 2.5f}) {
    TraceScene scene;
    TraceMaterial flat;
    flat.lit = 0;
    add_floor(scene, 6, height, add_material(scene, flat));
    scene.clouds.push_back(uniform_cube(extinction, glm::vec3(0)));
    const Traced picture = traced(scene, view_down(2, 0.5f), {4}, GetParam());
    const double way = std::clamp(2.0 - static_cast<double>(height), 0.0, 4.0);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(picture.mean(i), std::exp(-static_cast<double>(extinction) * way), 2e-5) << height;
      EXPECT_NEAR(picture.mean(i, 3), 1, 1e-5);
    }
  }
}

TEST_P(TracedClouds, take_the_integral_of_what_lies_between_the_points) {
  // Values that rise along x and are 1 at one layer of points in y: the extinction along z and aslant is linear or a
  // hat, whose integrals are exact. Most blocks of the grid are clear.
  TraceScene hat;
  hat.clouds.push_back(make_cloud({40, 40, 40}, {0.1, 0.1, 0.1}, {-1.95, -1.95, -1.95},
                                  [](glm::dvec3 p) { return std::abs(p.z - 0.25) < 0.01 ? 1.0 : 0.0; },
                                  {glm::vec4(0), glm::vec4(1, 1, 1, 4)}));
  TraceScene ramp;
  ramp.clouds.push_back(make_cloud({21, 3, 5}, {0.2, 2, 1}, {-2, -2, -2}, [](glm::dvec3 p) { return 0.25 * (p.x + 2); },
                                   {glm::vec4(1, 1, 1, 0), glm::vec4(1, 1, 1, 0.8f)}));
  for (const glm::vec3 eye : {glm::vec3(0, 0, 12), glm::vec3(5, 3, 9)}) {
    TraceView view = view_down(1, 1e-4f);
    view.camera = looking(eye, {0, 0, 0.25f}, 1e-4f, true);
    const double slant = 1 / std::abs(static_cast<double>(view.camera.forward.z));
    // A hat of height 4 and half-width 0.1 angstrom.
    EXPECT_NEAR(traced(hat, view, {256}, GetParam()).mean(0, 3), 1 - std::exp(-0.4 * slant), 2e-3) << slant;
  }
  for (const float x : {-1.5f, 0.3f, 1.9f}) {
    TraceView view = view_down(1, 1e-4f);
    view.camera = looking({x - 4, 0, 8}, {x, 0, 0}, 1e-4f, true);  // half an angstrom to the right for each down
    // Where it is within the cube, z from 2 to -2 and x from -2 to 2, with the extinction 0.2 (x + 2).
    const double enter = std::max(-2.0, static_cast<double>(x) - 1), leave = std::min(2.0, static_cast<double>(x) + 1);
    const double way = std::sqrt(5.0) * (leave - enter), mean = 0.2 * (0.5 * (enter + leave) + 2);
    EXPECT_NEAR(traced(ramp, view, {256}, GetParam()).mean(0, 3), 1 - std::exp(-mean * way), 5e-4) << x;
  }
}

TEST_P(TracedClouds, are_cut_by_planes_faded_by_fog_and_thinned_by_opacity) {
  const auto cover = [&](const TraceCloud& cloud, const TraceView& view) {
    TraceScene scene;
    scene.clouds.push_back(cloud);
    return traced(scene, view, {16}, GetParam()).mean(0, 3);
  };
  TraceCloud cloud = uniform_cube(0.3f, glm::vec3(1));
  TraceView view = view_down(1, 1e-3f);
  const double whole = 1 - std::exp(-0.3 * 4);
  cloud.opacity = 0.5f;
  EXPECT_NEAR(cover(cloud, view), 0.5 * whole, 1e-5);
  cloud.opacity = 1;
  view.planes[0] = {0, 0, 1, -0.5f};  // what is above 0.5 is cut away
  view.plane_count = 1;
  EXPECT_NEAR(cover(cloud, view), whole, 1e-5);
  cloud.planes = 1;
  EXPECT_NEAR(cover(cloud, view), 1 - std::exp(-0.3 * 2.5), 1e-5);
  cloud.planes = 0;
  // Half of the light of each place has faded: half of what it takes is seen.
  view.fog = 0.5f;
  view.fog_begin = 1;
  view.fog_end = 2;
  EXPECT_NEAR(cover(cloud, view), 1 - std::exp(-0.3 * 4 * 0.5), 5e-3);
}

TEST_P(TracedClouds, that_are_shifted_are_there_once_for_each_shift) {
  // Two red cubes one behind the other and a green one between them, which overlaps neither.
  TraceScene scene;
  TraceCloud red = uniform_cube(0.25f, {1, 0, 0}), green = uniform_cube(0.5f, {0, 1, 0});
  red.shifts = {{0, 0, -5}, {0, 0, 5}};
  scene.clouds = {red, green};
  const Traced picture = traced(scene, view_down(1, 1e-3f), {4}, GetParam());
  const double r = std::exp(-1.0), g = std::exp(-2.0);
  EXPECT_NEAR(picture.mean(0, 0), (1 - r) + r * g * (1 - r), 1e-5);
  EXPECT_NEAR(picture.mean(0, 1), r * (1 - g), 1e-5);
  EXPECT_NEAR(picture.mean(0, 3), 1 - r * g * r, 1e-5);
}

TEST_P(TracedClouds, that_are_white_in_a_white_furnace_are_white) {
  // A cloud around a white sphere and a floor: whatever a ray meets is as bright as the sky.
  TraceScene scene;
  add_sphere(scene, {0.3f, -0.2f, 0.1f}, 1.2f, add_material(scene));
  scene.clouds.push_back(make_cloud({17, 17, 17}, {0.25, 0.25, 0.25}, {-2, -2, -2},
                                    [](glm::dvec3 p) { return std::exp(-glm::dot(p, p)); },
                                    {glm::vec4(1, 1, 1, 0), glm::vec4(1, 1, 1, 2)}));
  for (const int bounces : {1, 4}) {
    TraceView view = view_down(24, 2.5f);
    view.camera = looking({1, -3, 9}, {0, 0, 0}, 0.3f);
    view.bounces = bounces;
    const Traced picture = traced(scene, view, {9}, GetParam());
    int whole = 0;
    for (std::size_t i = 0; i < 24 * 24; ++i) {
      for (std::size_t c = 0; c < 3; ++c) ASSERT_NEAR(picture.mean(i, c), picture.mean(i, 3), 5e-6) << i;
      whole += picture.mean(i, 3) > 0.999;
    }
    EXPECT_GT(whole, 40);
  }
}

TEST_P(TracedClouds, cast_the_shadow_of_what_they_take_from_the_sun) {
  // Light from (1, 0, 1) through a dark cube of side 4 whose lower side is 2 above a floor: seen from above, next to
  // it.
  constexpr float extinction = 0.3f;
  TraceScene scene;
  add_floor(scene, 40, -4, add_material(scene));
  scene.clouds.push_back(uniform_cube(extinction, glm::vec3(0)));
  TraceView view = view_down(1, 1e-3f);
  view.bounces = 1;
  view.light.sky = view.light.ground = glm::vec3(0);
  view.light.sun = glm::vec3(0.8f);
  view.light.direction = glm::normalize(glm::vec3(1, 0, 1));
  // From (x, 0, -4) it rises to the cube at x + 2 and leaves its top at x + 6, and its right side at x = 2.
  for (const float x : {-9.0f, -7.0f, -5.0f, -3.5f}) {
    view.camera.eye = {x, 0, 20};
    const double enter = std::max(-2.0, static_cast<double>(x) + 2), leave = std::min(2.0, static_cast<double>(x) + 6);
    const double way = std::sqrt(2.0) * std::max(0.0, leave - enter);
    const double expected = 0.8 * std::sqrt(0.5) * std::exp(-static_cast<double>(extinction) * way);
    EXPECT_NEAR(traced(scene, view, {4}, GetParam()).mean(0), expected, 1e-3) << x;
  }
}

TEST_P(TracedClouds, light_what_is_beside_them) {
  // A floor of white below a wide layer that lets nothing through: all of its sky is the red of the cloud, where the
  // sky itself is black.
  TraceScene scene;
  add_floor(scene, 1, -1, add_material(scene));
  TraceCloud layer = make_cloud({3, 3, 3}, {1000, 1000, 0.5}, {-1000, -1000, 0}, [](glm::dvec3) { return 1; },
                                {glm::vec4(0.5f, 0, 0, 40), glm::vec4(0.5f, 0, 0, 40)});
  scene.clouds.push_back(layer);
  TraceView view = view_down(2, 0.2f);
  view.camera = looking({-4, 0, -0.5f}, {0, 0, -1}, 0.02f);  // from below the layer
  view.light.sky = view.light.ground = glm::vec3(0);
  for (const int bounces : {1, 3}) {
    view.bounces = bounces;
    const Traced picture = traced(scene, view, {64}, GetParam());
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(picture.mean(i, 0), 0.5, 5e-3);
      EXPECT_EQ(picture.mean(i, 1), 0);
    }
  }
}

TEST_P(TracedClouds, are_clear_where_values_are_not_numbers) {
  TraceScene scene;
  scene.clouds.push_back(
      make_cloud({3, 3, 9}, {2, 2, 0.5}, {-2, -2, -2},
                 [](glm::dvec3 p) { return p.z > 0.1 ? std::numeric_limits<double>::quiet_NaN() : -1.0; },
                 {glm::vec4(1, 1, 1, 0.5f), glm::vec4(0)}));
  // Below 0 they are numbers: two angstrom, the lowest colour.
  EXPECT_NEAR(traced(scene, view_down(1, 1e-3f), {64}, GetParam()).mean(0, 3), 1 - std::exp(-1.0), 0.01);
}

TEST_P(TracedClouds, are_refused_where_they_make_no_sense) {
  const auto refused = [&](const auto& change) {
    TraceScene scene;
    scene.clouds.push_back(uniform_cube(1, glm::vec3(1)));
    change(scene.clouds.front());
    try {
      traced(scene, view_down(2, 1), {1}, GetParam());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_EQ(refused([](TraceCloud&) {}), "");
  EXPECT_TRUE(has(refused([](TraceCloud& c) { c.volume.reset(); }), "cloud 0: it needs a volume"));
  EXPECT_TRUE(has(refused([](TraceCloud& c) {
                    Volume other = *c.volume;
                    other.values.pop_back();
                    c.volume = std::make_shared<const Volume>(other);
                  }),
                  "with all its values"));
  EXPECT_TRUE(has(refused([](TraceCloud& c) {
                    Volume other = *c.volume;
                    other.grid.step[2] = other.grid.step[1];
                    c.volume = std::make_shared<const Volume>(other);
                  }),
                  "three directions"));
  EXPECT_TRUE(has(refused([](TraceCloud& c) { c.transfer.clear(); }), "colours between"));
  EXPECT_TRUE(has(refused([](TraceCloud& c) { c.transfer[1].w = -1; }), "extinctions of 0 or more"));
  EXPECT_TRUE(has(refused([](TraceCloud& c) { c.opacity = 2; }), "not 2"));
  EXPECT_TRUE(
      has(refused([](TraceCloud& c) { c.shifts[0].x = std::numeric_limits<double>::infinity(); }), "finite place"));
}

TEST_P(TracedClouds, keep_to_the_memory_that_was_predicted) {
  TraceScene scene;
  TraceCloud cloud = uniform_cube(0.5f, glm::vec3(1), 130);
  cloud.shifts.push_back({0, 0, 9});
  scene.clouds = {cloud, cloud};  // of one volume
  const Device device = GetParam();
  const std::size_t values = cloud.volume->values.size() * sizeof(float);
  EXPECT_LT(trace_memory(scene, device), values + (std::size_t{1} << 20));
  reset_peak_memory();
  const std::size_t before = allocated_memory(device);
  Job job;
  DeviceArray<float> radiance(std::size_t{4} * 64, device);
  Tracer tracer(scene, device, job);
  tracer.trace(view_down(8, 1), 1, 0, {radiance.span(), {}, {}, {}, {}}, job);
  EXPECT_LE(peak_memory(device) - before, tracer.bytes() + radiance.span().bytes());
}

}  // namespace
}  // namespace isolume
