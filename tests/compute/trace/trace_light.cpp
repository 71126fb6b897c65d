// Light of path tracing against closed formulas: furnace, shadows, penumbra, ambient occlusion, coverage.
#include "compute/trace/trace_path.h"
#include "tests/compute/base/devices.h"
#include "tests/compute/trace/trace_scenes.h"

namespace isolume {
namespace {

using namespace test;
using TracedLight = OnDevice;
ISOLUME_ON_EVERY_DEVICE(TracedLight);

constexpr double pi = 3.14159265358979323846;

TraceView view_of(int width, int height, const TraceCamera& camera) {
  TraceView view;
  view.width = width;
  view.height = height;
  view.camera = camera;
  return view;
}

TEST_P(TracedLight, of_a_white_sphere_in_a_white_furnace_is_white) {
  TraceScene scene;
  add_sphere(scene, {0.3f, -0.2f, 0.1f}, 2.0f, add_material(scene));
  const TraceView view = view_of(24, 20, looking({0, 0, 9}, {0, 0, 0}, 0.3f));
  const Traced picture = traced(scene, view, {9}, GetParam());
  int whole = 0;
  for (std::size_t i = 0; i < 24 * 20; ++i) {
    // What is covered is white, whatever part of the pixel it is: each path ends in the sky with its whole weight.
    for (std::size_t c = 0; c < 3; ++c) ASSERT_NEAR(picture.mean(i, c), picture.mean(i, 3), 2e-6) << i;
    whole += picture.mean(i, 3) == 1.0;
  }
  EXPECT_GT(whole, 100);
}

TEST_P(TracedLight, of_many_white_shapes_in_a_white_furnace_is_white) {
  TraceScene scene;
  const std::uint32_t matt = add_material(scene);
  for (const glm::vec3 at : {glm::vec3(-1, 0, 0), glm::vec3(1, 0.3f, 0), glm::vec3(0, -0.4f, 1.4f)})
    add_sphere(scene, at, 1.1f, matt);
  for (const std::uint32_t round : {0u, 1u})
    scene.cylinders.push_back(
        {{-2, 1.0f + round, -1}, {2, 1, 1}, 0.5f, glm::u8vec4(255), glm::u8vec4(255), matt, round});
  add_floor(scene, 3, -1.5f, matt);
  TraceView view = view_of(16, 16, looking({1, -3, 8}, {0, 0, 0}, 0.25f));
  view.bounces = 64;
  const Traced picture = traced(scene, view, {16}, GetParam());
  double light = 0, cover = 0;
  for (std::size_t i = 0; i < 256; ++i) {
    light += picture.mean(i);
    cover += picture.mean(i, 3);
    EXPECT_LT(picture.mean(i), picture.mean(i, 3) + 1e-5) << i;
  }
  // All that is lost are paths that are scattered 64 times.
  EXPECT_NEAR(light / cover, 1, 2e-3);
  EXPECT_GT(cover, 100);
}

TEST_P(TracedLight, of_a_coat_in_a_white_furnace_is_no_more_than_comes_in) {
  TraceScene scene;
  TraceMaterial plastic;
  plastic.reflectance = 0.05f;
  TraceMaterial metal;
  metal.metal = 1;
  metal.roughness = 0.1f;
  add_sphere(scene, {-1.1f, 0, 0}, 1, add_material(scene, plastic));
  add_sphere(scene, {1.1f, 0, 0}, 1, add_material(scene, metal));
  TraceView view = view_of(32, 16, looking({0, 0, 9}, {0, 0, 0}, 0.13f));
  view.bounces = 16;
  const Traced picture = traced(scene, view, {256}, GetParam());
  double light[2] = {0, 0}, cover[2] = {0, 0};
  for (std::size_t i = 0; i < 32 * 16; ++i) {
    light[i % 32 / 16] += picture.mean(i);
    cover[i % 32 / 16] += picture.mean(i, 3);
  }
  for (const int side : {0, 1}) {
    EXPECT_GT(light[side] / cover[side], 0.95) << side;  // GGX without light between its facets loses some
    EXPECT_LT(light[side] / cover[side], 1.005) << side;
  }
}

TEST(TraceCoat, is_sampled_as_it_answers) {
  // The same integral over all directions by the choice of directions and by even ones.
  using tracing::Vec;
  for (const float roughness : {0.1f, 0.3f, 0.8f})
    for (const double cosine : {0.95, 0.6, 0.25}) {
      TraceMaterial metal;
      metal.metal = 1;
      metal.roughness = roughness;
      tracing::Place<double> place{};
      place.normal = place.face = {0, 0, 1};
      place.colour = {1, 0.5, 0.2};
      const Vec<double> eye{std::sqrt(1 - cosine * cosine), 0, cosine};
      constexpr std::uint32_t n = 1 << 16;
      double chosen = 0, even = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        float u, v;
        tracing::Random{7, i}.pair(0, u, v);
        Vec<double> direction, factor;
        if (tracing::scatter(metal, place, eye, 1.0, static_cast<double>(u), static_cast<double>(v), direction, factor))
          chosen += factor.y / n;
        direction = tracing::cosine_direction(place.normal, static_cast<double>(u), static_cast<double>(v));
        even += tracing::answer(metal, place.colour, place.normal, eye, direction).y / n;
      }
      EXPECT_NEAR(chosen, even, 5e-3) << roughness << ' ' << cosine;
    }
}

TEST_P(TracedLight, leaves_the_shadow_of_a_sphere_where_geometry_says) {
  // A sphere at height h in light from (1, 0, 1): an ellipse of half-axes R sqrt 2 and R about (-h, 0).
  constexpr double h = 6, radius = 1.2;
  TraceScene scene;
  add_floor(scene, 30, 0, add_material(scene));
  add_sphere(scene, {0, 0, static_cast<float>(h)}, static_cast<float>(radius));
  TraceView view = view_of(40, 40, looking({-6, 0, 20}, {-6, 0, 0}, 3, true));
  view.bounces = 1;
  view.light.sky = view.light.ground = glm::vec3(0);
  view.light.sun = glm::vec3(0.8f, 0.4f, 0.2f);
  view.light.direction = glm::normalize(glm::vec3(1, 0, 1));
  const Traced picture = traced(scene, view, {4}, GetParam());
  const glm::vec3 right = view.camera.right, up = view.camera.up;
  int dark = 0, bright = 0;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) {
      const float size = 6.0f / 40;
      const glm::vec3 at = glm::vec3(-6, 0, 0) + (static_cast<float>(x) - 19.5f) * size * right +
                           (19.5f - static_cast<float>(y)) * size * up;
      const double ex = (at.x + h) / (radius * std::sqrt(2.0)), ey = at.y / radius;
      const double out = std::sqrt(ex * ex + ey * ey);
      const auto pixel = static_cast<std::size_t>(40 * y + x);
      if (out < 0.88) {
        EXPECT_EQ(picture.mean(pixel), 0) << x << ' ' << y;
        ++dark;
      } else if (out > 1.12) {
        EXPECT_NEAR(picture.mean(pixel, 0), 0.8 * std::sqrt(0.5), 1e-6);
        EXPECT_NEAR(picture.mean(pixel, 2), 0.2 * std::sqrt(0.5), 1e-6);
        ++bright;
      }
    }
  EXPECT_GT(dark, 100);
  EXPECT_GT(bright, 500);
}

TEST_P(TracedLight, of_a_sun_that_a_sphere_hides_in_part_is_what_is_left_of_it) {
  // The middle of a ring of sun from angle t to angle a: the mean over the cone of the cosine outside of the sphere is
  // (sin^2 a - sin^2 t) / (2 (1 - cos a)).
  constexpr double angle = 0.1, radius = 0.3, h = 6;
  TraceScene scene;
  add_floor(scene, 30, 0, add_material(scene));
  add_sphere(scene, {0, 0, static_cast<float>(h)}, static_cast<float>(radius));
  TraceView view = view_of(2, 2, looking({10, 0, 8}, {0, 0, 0}, 1e-3f, true));
  view.bounces = 1;
  view.light.sky = view.light.ground = glm::vec3(0);
  view.light.sun = glm::vec3(1);
  view.light.direction = {0, 0, 1};
  view.light.angle = static_cast<float>(angle);
  const Traced picture = traced(scene, view, {4096}, GetParam());
  const double hidden = radius * radius / (h * h), all = std::sin(angle) * std::sin(angle);
  const double expected = (all - hidden) / (2 * (1 - std::cos(angle)));
  EXPECT_GT(expected, 0.7);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(picture.mean(i), expected, 3 * picture.error(i)) << i;
    EXPECT_LT(picture.error(i), 0.01);
  }
}

TEST_P(TracedLight, of_the_sky_beneath_a_sphere_lacks_its_form_factor) {
  // A sphere wholly above the horizon of a plane hides R^2 h / d^3 of the light of a sky.
  constexpr double radius = 1.5, h = 2.5;
  TraceScene scene;
  add_floor(scene, 500, 0, add_material(scene));
  add_sphere(scene, {0, 0, static_cast<float>(h)}, static_cast<float>(radius));
  for (const float x : {0.0f, 1.0f, 2.5f, 6.0f}) {
    // From below the horizon of the sphere, so that the place is seen.
    TraceView view = view_of(2, 2, looking({x + 10, 0, 1.5f}, {x, 0, 0}, 1e-3f, true));
    view.bounces = 1;
    const Traced picture = traced(scene, view, {4096}, GetParam());
    const double d = std::hypot(h, static_cast<double>(x));
    const double expected = 1 - radius * radius * h / (d * d * d);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(picture.mean(i), expected, 3 * picture.error(i)) << x;
      EXPECT_LT(picture.error(i), 0.01);
    }
  }
}

TEST_P(TracedLight, is_not_hidden_by_what_is_beyond_the_reach_of_occlusion) {
  TraceScene scene;
  add_floor(scene, 500, 0, add_material(scene));
  add_sphere(scene, {0, 0, 2.5f}, 1.5f);
  TraceView view = view_of(2, 2, looking({10, 0, 1.5f}, {0, 0, 0}, 1e-3f, true));
  view.bounces = 1;
  view.light.reach = 0.99f;  // the sphere is 1 angstrom above
  EXPECT_NEAR(traced(scene, view, {64}, GetParam()).mean(0), 1, 1e-6);
}

TEST_P(TracedLight, is_even_behind_transparent_surfaces_of_many_small_triangles) {
  // Three sheets of 64 x 64 squares, some twenty triangles to a pixel: with 64 samples the part that they cover is that
  // of the formula to one sample, which a number for each triangle would miss by four (0.046).
  TraceScene scene;
  TraceMaterial sheet;
  sheet.opacity = 0.4f;
  sheet.lit = 0;
  add_material(scene, sheet);
  constexpr int n = 64;
  for (int layer = 0; layer < 3; ++layer) {
    const auto first = static_cast<std::uint32_t>(scene.vertices.size());
    for (int y = 0; y <= n; ++y)
      for (int x = 0; x <= n; ++x) {
        scene.vertices.emplace_back(0.05f * (x - n / 2), 0.05f * (y - n / 2), 0.3f * layer);
        scene.normals.emplace_back(0, 0, 1);
        scene.vertex_colours.emplace_back(255);
      }
    for (std::uint32_t y = 0; y < n; ++y)
      for (std::uint32_t x = 0; x < n; ++x) {
        const std::uint32_t a = first + y * (n + 1) + x, b = a + n + 1;
        scene.triangles.push_back({a, a + 1, b + 1, 0});
        scene.triangles.push_back({a, b + 1, b, 0});
      }
  }
  const TraceView view = view_of(16, 16, looking({0.013f, -0.007f, 10}, {0.013f, -0.007f, 0}, 1.2f, true));
  const Traced picture = traced(scene, view, {64}, GetParam());
  const double expected = 1 - 0.6 * 0.6 * 0.6;
  for (std::size_t i = 0; i < 256; ++i) EXPECT_NEAR(picture.mean(i, 3), expected, 1.01 / 64) << i;
}

TEST_P(TracedLight, goes_through_what_is_transparent_by_its_opacity) {
  // A sheet of half opacity in a colour of half alpha before nothing covers that part of each pixel; unlit, so that its
  // colour is seen.
  TraceScene scene;
  TraceMaterial sheet;
  sheet.opacity = 0.5f;
  sheet.lit = 0;
  add_floor(scene, 5, 0, add_material(scene, sheet), glm::u8vec4(255, 0, 0, 128));
  TraceView view = view_of(4, 4, looking({2, -2, 10}, {2, -2, 0}, 0.1f));  // within one triangle
  const Traced picture = traced(scene, view, {1024}, GetParam());
  const double expected = 0.5 * 128 / 255;
  for (std::size_t i = 0; i < 16; ++i) {
    // Samples of one dimension are even: fewer than 2 in 1024 are off.
    EXPECT_NEAR(picture.mean(i, 3), expected, 2.0 / 1024) << i;
    EXPECT_NEAR(picture.mean(i, 0), picture.mean(i, 3), 1e-6);
    EXPECT_EQ(picture.mean(i, 1), 0);
    EXPECT_NEAR(static_cast<double>(picture.depth[i]), 10, 1e-4);  // transparent things count
  }
}

TEST_P(TracedLight, fades_with_depth_as_far_as_the_fog_says) {
  TraceScene scene;
  TraceMaterial flat;
  flat.lit = 0;
  add_floor(scene, 5, 0, add_material(scene, flat));
  TraceView view = view_of(2, 2, looking({0, 0, 10}, {0, 0, 0}, 0.01f));
  view.fog = 0.6f;
  view.fog_begin = 8;
  view.fog_end = 12;
  const Traced picture = traced(scene, view, {4}, GetParam());
  EXPECT_NEAR(picture.mean(0), 0.7, 1e-3);
  EXPECT_NEAR(picture.mean(0, 3), 0.7, 1e-3);
}

TEST_P(TracedLight, comes_from_a_disc_of_the_lens_off_the_sharp_plane) {
  // A dark half-plane's edge, seen at twice the distance of the sharp plane through a lens of radius r: a point there
  // spreads over a disc of radius r on the sharp plane's far side, so that the edge at its middle is half covered.
  TraceScene scene;
  TraceMaterial flat;
  flat.lit = 0;
  const std::uint32_t material = add_material(scene, flat);
  const auto corner = [&](float x, float y) {
    scene.vertices.emplace_back(x, y, 0);
    scene.normals.emplace_back(0, 0, 1);
    scene.vertex_colours.emplace_back(255);
  };
  corner(0, -50), corner(50, -50), corner(50, 50), corner(0, 50);
  scene.triangles.push_back({0, 1, 2, material});
  scene.triangles.push_back({0, 2, 3, material});
  TraceView view = view_of(41, 1, looking({0, 0, 20}, {0, 0, 0}, 0.1f / 41));
  view.camera.lens = 0.5f;
  view.camera.focus = 10;
  const Traced picture = traced(scene, view, {1024}, GetParam());
  // Pixel i looks at x on the plane; its disc there has radius 0.5 about x: the part with x > 0 is covered.
  for (int i = 0; i < 41; ++i) {
    const double x = 20.0 * 2 * 0.1 / 41 * (i - 20);
    const double t = std::clamp(x / 0.5, -1.0, 1.0);
    const double covered = 0.5 + (std::asin(t) + t * std::sqrt(1 - t * t)) / pi;
    EXPECT_NEAR(picture.mean(static_cast<std::size_t>(i), 3), covered, 0.02) << i;
  }
}

}  // namespace
}  // namespace isolume
