// Tests of shapes against geometry: which pixels a sphere or a cylinder covers.
#include <algorithm>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr int width = 240, height = 180;
constexpr glm::u8vec4 red(200, 30, 20, 255);

class Silhouettes : public testing::TestWithParam<Camera::Projection> {};

int covered(const Image& image) {
  int count = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) count += pixel(image, x, y)[3] > 127;
  return count;
}

TEST_P(Silhouettes, SphereHasTheRightArea) {
  SceneView view = scene({item(sphere({0, 0, 0}, 6, red), 1, 1, false)});
  view.camera.projection = GetParam();
  const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1, .transparent = true});
  // Perspective: the cone that touches the sphere has half angle asin(r / d).
  const double d = view.camera.distance();
  const double r = GetParam() == Camera::Projection::orthographic ? 6.0 : std::tan(std::asin(6.0 / d)) * d;
  const double radius = r * height / view.camera.height;
  EXPECT_NEAR(covered(image), M_PI * radius * radius, 0.01 * M_PI * radius * radius);
}

TEST_P(Silhouettes, SphereAnywhereCoversThePixelsThatSeeIt) {
  const glm::vec3 centre(5, -4, 4);
  const double radius = 3.5;
  SceneView view = scene({item(sphere(centre, 3.5f, red), 1, 1, false)});
  view.camera.projection = GetParam();
  view.camera.field_of_view = 60;
  view.camera.turn({1, 2, 3}, 30);
  const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1, .transparent = true});
  int wrong = 0, inside = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto [origin, direction] = line_of_sight(view.camera, width, height, x, y);
      const glm::dvec3 to = glm::dvec3(centre) - origin;
      const double distance = glm::length(to - direction * glm::dot(to, direction));
      inside += distance < radius;
      if (std::abs(distance - radius) < 1e-3) continue;  // on the rim, float against double
      wrong += (pixel(image, x, y)[3] > 127) != (distance < radius);
    }
  EXPECT_GT(inside, 1000);
  EXPECT_EQ(wrong, 0);
}

/// Distance of the line of sight from a capsule or a flat-ended cylinder by dense sampling would be slow; the part of
/// the ray inside is found instead: minimum over t of the signed distance, which is convex along a line.
double least_distance(glm::dvec3 origin, glm::dvec3 direction, glm::dvec3 a, glm::dvec3 b, double radius,
                      bool round_ends) {
  const auto signed_distance = [&](double t) {
    const glm::dvec3 p = origin + t * direction - a, axis = b - a;
    const double length = glm::length(axis), along = glm::dot(p, axis) / length;
    const double across = std::sqrt(std::max(glm::dot(p, p) - along * along, 0.0));
    if (round_ends) {
      const double beyond = along - std::clamp(along, 0.0, length);
      return std::hypot(across, beyond) - radius;
    }
    return std::max(across - radius, std::max(-along, along - length));
  };
  double low = 0, high = 200;
  for (int i = 0; i < 200; ++i) {
    const double first = low + (high - low) * 0.381966, second = low + (high - low) * 0.618034;
    if (signed_distance(first) < signed_distance(second))
      high = second;
    else
      low = first;
  }
  return signed_distance((low + high) / 2);
}

TEST_P(Silhouettes, CylinderCoversThePixelsThatSeeIt) {
  const glm::vec3 a(-6, -3, 4), b(5, 4, -3);
  for (const bool round_ends : {false, true})
    for (const double turn : {0.0, 50.0, 128.0}) {
      SceneView view = scene({item(cylinder(a, b, 1.5f, red, red, round_ends), 1, 1, false)});
      view.camera.projection = GetParam();
      view.camera.field_of_view = 50;
      view.camera.turn({1, -2, 0.5}, turn);
      const Image image =
          renderer().picture(view, {.width = width, .height = height, .samples = 1, .transparent = true});
      int wrong = 0, inside = 0;
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const auto [origin, direction] = line_of_sight(view.camera, width, height, x, y);
          const double distance = least_distance(origin, direction, a, b, 1.5, round_ends);
          inside += distance < 0;
          if (std::abs(distance) < 2e-3) continue;
          wrong += (pixel(image, x, y)[3] > 127) != (distance < 0);
        }
      EXPECT_GT(inside, 500);
      EXPECT_EQ(wrong, 0) << "round ends " << round_ends << ", turned by " << turn;
    }
}

TEST_P(Silhouettes, CylinderHasItsColoursByHalf) {
  constexpr glm::u8vec4 blue(20, 40, 200, 255);
  SceneView view = scene({item(cylinder({-6, 0, 0}, {6, 0, 0}, 1, red, blue), 1, 1, false)});
  view.camera.projection = GetParam();
  const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1});
  EXPECT_EQ(pixel(image, width / 2 - 8, height / 2), (std::array<int, 4>{200, 30, 20, 255}));
  EXPECT_EQ(pixel(image, width / 2 + 8, height / 2), (std::array<int, 4>{20, 40, 200, 255}));
}

TEST(Projections, PerspectiveMakesNearThingsLargerAndOrthographicDoesNot) {
  SceneView view = scene({item(sphere({-5, 0, 7}, 2, red), 1, 1, false)});
  SceneView far_view = scene({item(sphere({-5, 0, -7}, 2, red), 1, 1, false)});
  const PictureOptions options{.width = width, .height = height, .samples = 1, .transparent = true};
  EXPECT_GT(covered(renderer().picture(view, options)), 1.3 * covered(renderer().picture(far_view, options)));
  view.camera.projection = far_view.camera.projection = Camera::Projection::orthographic;
  EXPECT_EQ(covered(renderer().picture(view, options)), covered(renderer().picture(far_view, options)));
}

INSTANTIATE_TEST_SUITE_P(Projections, Silhouettes,
                         testing::Values(Camera::Projection::perspective, Camera::Projection::orthographic));

}  // namespace
}  // namespace isolume::test
