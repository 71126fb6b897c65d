// Tests of depth: where shapes cut through each other, the nearer one is seen.
#include <limits>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr int width = 200, height = 200;

class Depth : public testing::TestWithParam<Camera::Projection> {};

double hit_sphere(glm::dvec3 origin, glm::dvec3 direction, glm::dvec3 centre, double radius) {
  const glm::dvec3 to = centre - origin;
  const double along = glm::dot(to, direction), inside = radius * radius - glm::dot(to, to) + along * along;
  return inside < 0 ? std::numeric_limits<double>::infinity() : along - std::sqrt(inside);
}

/// Endless along x.
double hit_bar(glm::dvec3 origin, glm::dvec3 direction, double radius) {
  const double a = direction.y * direction.y + direction.z * direction.z;
  const double b = origin.y * direction.y + origin.z * direction.z;
  const double c = origin.y * origin.y + origin.z * origin.z - radius * radius;
  const double h = b * b - a * c;
  return h < 0 ? std::numeric_limits<double>::infinity() : (-b - std::sqrt(h)) / a;
}

TEST_P(Depth, SphereAndCylinderCutEachOtherWhereGeometrySays) {
  const glm::vec3 centre(1, 1.2f, 0.8f);
  const glm::u8vec4 red(255, 0, 0, 255), green(0, 255, 0, 255);
  SceneView view = scene({item(sphere(centre, 4, red), 1, 1, false),
                          item(cylinder({-40, 0, 0}, {40, 0, 0}, 3, green, green), 2, 1, false)},
                         41);
  view.camera.height = 14;
  view.camera.projection = GetParam();
  view.camera.turn({1, 1, 0}, 35);
  const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1});
  int wrong = 0, seen_red = 0, seen_green = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto [origin, direction] = line_of_sight(view.camera, width, height, x, y);
      const double first = hit_sphere(origin, direction, centre, 4), second = hit_bar(origin, direction, 3);
      if (std::abs(first - second) < 2e-3) continue;
      const auto p = pixel(image, x, y);
      const bool red_wanted = first < second, green_wanted = second < first;
      seen_red += red_wanted;
      seen_green += green_wanted;
      if (std::isinf(first) && std::isinf(second)) continue;
      wrong += red_wanted != (p[0] == 255 && p[1] == 0);
      wrong += green_wanted != (p[1] == 255 && p[0] == 0);
    }
  EXPECT_GT(seen_red, 2000);
  EXPECT_GT(seen_green, 2000);
  // A rim pixel may fall to either side in single precision.
  EXPECT_LE(wrong, 4);
}

TEST_P(Depth, SphereOfTrianglesAndCastSphereAgree) {
  // A ball of triangles of nearly the same size as the cast one: the larger one is seen, everywhere.
  const glm::u8vec4 red(255, 0, 0, 255), green(0, 255, 0, 255);
  for (const bool mesh_larger : {false, true}) {
    const float mesh_radius = mesh_larger ? 5.05f : 4.95f;
    SceneView view = scene({item(sphere({0, 0, 0}, 5, red), 1, 1, false),
                            item(surface(ball({0, 0, 0}, mesh_radius, 96), green), 2, 1, false)});
    view.camera.projection = GetParam();
    const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1});
    int count[2] = {};
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        count[0] += pixel(image, x, y)[1] == 0;
        count[1] += pixel(image, x, y)[0] == 0;
      }
    EXPECT_GT(count[mesh_larger], 6000);
    EXPECT_EQ(count[!mesh_larger], 0);
  }
}

TEST_P(Depth, FrontPlaneCutsSpheresOpenFlat) {
  SceneView view = scene({item(sphere({0, 0, 0}, 8, {255, 255, 255, 255}), 1, 1, false)}, 8);
  view.camera.projection = GetParam();
  view.camera.slab_front = 9;
  const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1, .transparent = true});
  EXPECT_EQ(pixel(image, width / 2, height / 2), (std::array<int, 4>{204, 204, 204, 255}));
}

TEST(DepthCue, FarThingsFadeAndNearOnesDoNot) {
  const glm::u8vec4 black(0, 0, 0, 255);
  SceneView view =
      scene({item(sphere({-4, 0, 8}, 2, black), 1, 1, false), item(sphere({4, 0, -8}, 2, black), 2, 1, false)});
  view.look.depth_cue = 0.8f;
  const Image image = renderer().picture(view, {.width = width, .height = height, .samples = 1});
  int darkest_left = 255, darkest_right = 255;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int& darkest = x < width / 2 ? darkest_left : darkest_right;
      darkest = std::min(darkest, pixel(image, x, y)[0]);
    }
  EXPECT_EQ(darkest_left, 0);
  EXPECT_GT(darkest_right, 120);
}

INSTANTIATE_TEST_SUITE_P(Projections, Depth,
                         testing::Values(Camera::Projection::perspective, Camera::Projection::orthographic));

}  // namespace
}  // namespace isolume::test
