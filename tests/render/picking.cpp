// Tests of picking: the object and the part under a pixel.
#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr int width = 200, height = 150;

/// The pixel where a point in space is seen.
glm::ivec2 seen_at(const SceneView& view, glm::dvec3 point) {
  const glm::dvec4 clip = view.camera.projection_matrix(double(width) / height, view.centre, view.radius) *
                          view.camera.view() * glm::dvec4(point, 1);
  return {static_cast<int>(std::floor((clip.x / clip.w + 1) / 2 * width)),
          static_cast<int>(std::floor((1 - clip.y / clip.w) / 2 * height))};
}

PickId pick(const SceneView& view, glm::dvec3 point, int reach = 0) {
  const glm::ivec2 at = seen_at(view, point);
  return renderer().pick(at.x, at.y, reach);
}

TEST(Picking, SpheresCylindersAndLines) {
  const glm::u8vec4 grey(150, 150, 150, 255);
  Spheres spheres{{{-6, 4, 0, 1.5f}, {6, 4, 0, 1.5f}}, {grey, grey}, {70, 71}};
  Lines lines;
  lines.points = {{-8, -6, 0}, {8, -6, 0}};
  lines.parts = {30, 31};
  lines.width = 5;
  Cylinders bond = cylinder({-5, 0, 0}, {5, 0, 0}, 1, grey, grey);
  bond.parts_a = {5};
  bond.parts_b = {6};
  SceneView view = scene({item(spheres, 3), item(bond, 4), item(lines, 9)});
  renderer().picture(view, {.width = width, .height = height, .samples = 4});
  EXPECT_EQ(pick(view, {-6, 4, 0}), (PickId{3, 70}));
  EXPECT_EQ(pick(view, {6, 4, 0}), (PickId{3, 71}));
  EXPECT_EQ(pick(view, {-2, 0, 0}), (PickId{4, 5}));
  EXPECT_EQ(pick(view, {2, 0, 0}), (PickId{4, 6}));
  EXPECT_EQ(pick(view, {-5, -6, 0}), (PickId{9, 30}));
  EXPECT_EQ(pick(view, {5, -6, 0}), (PickId{9, 31}));
  EXPECT_EQ(pick(view, {0, 8, 0}), PickId());
  EXPECT_EQ(renderer().pick(-50, 10000), PickId()) << "outside the picture";
}

TEST(Picking, SurfaceGivesTheNearestVertex) {
  auto mesh = std::make_shared<Mesh>();
  mesh->positions = {{-6, -5, 0}, {6, -5, 0}, {0, 6, 0}};
  mesh->normals.assign(3, {0, 0, 1});
  mesh->triangles = {{0, 1, 2}};
  Surface shape = surface(mesh, {100, 100, 100, 255});
  SceneView view = scene({item(shape, 2)});
  renderer().picture(view, {.width = width, .height = height});
  EXPECT_EQ(pick(view, {-4, -4, 0}), (PickId{2, 0}));
  EXPECT_EQ(pick(view, {4, -4, 0}), (PickId{2, 1}));
  EXPECT_EQ(pick(view, {0, 4, 0}), (PickId{2, 2}));
  shape.parts = {100, 200, 300};
  view.items = {item(shape, 2)};
  renderer().picture(view, {.width = width, .height = height});
  EXPECT_EQ(pick(view, {4, -4, 0}), (PickId{2, 200}));
}

TEST(Picking, SearchesAround) {
  SceneView view = scene({item(sphere({0, 0, 0}, 1, {0, 0, 0, 255}, 12), 7)});
  renderer().picture(view, {.width = width, .height = height});
  const glm::ivec2 at = seen_at(view, {0, 0, 0});
  const int radius = static_cast<int>(height / 20.0);  // pixels: 20 angstrom are visible from top to bottom
  EXPECT_EQ(renderer().pick(at.x + radius + 3, at.y, 0), PickId());
  EXPECT_EQ(renderer().pick(at.x + radius + 3, at.y, 5), (PickId{7, 12}));
}

TEST(Picking, SeesThroughTransparentSurfacesButNotThroughDenseOnes) {
  for (const float opacity : {0.3f, 0.9f}) {
    SceneView view = scene({item(surface(ball({0, 0, 0}, 7), {90, 90, 200, 255}), 1, opacity),
                            item(sphere({0, 0, 0}, 2, {0, 0, 0, 255}, 33), 2)});
    renderer().picture(view, {.width = width, .height = height});
    EXPECT_EQ(pick(view, {0, 0, 0}).object, opacity < 0.5f ? 2u : 1u);
    EXPECT_EQ(pick(view, {0, 5, 0}).object, 1u) << "the surface alone";
  }
}

TEST(Picking, WhatCannotBePickedIsNot) {
  SceneView view = scene({item(sphere({0, 0, 0}, 3, {0, 0, 0, 255}), 0)});
  renderer().picture(view, {.width = width, .height = height});
  EXPECT_EQ(pick(view, {0, 0, 0}), PickId());
}

TEST(Covered, ArePointsBehindWhatIsOpaqueAlone) {
  const glm::u8vec4 grey(120, 120, 120, 255);
  const std::vector<glm::vec3> points{{-5, 0, 0}, {5, 0, 0}, {0, 7, 0}, {-5, 0, 9}};
  const auto covered = [&](float opacity, float z) {
    const SceneView view = scene({item(sphere({-5, 0, z}, 3, grey), 1, opacity), item(sphere({5, 0, -6}, 2, grey), 2)});
    renderer().picture(view, {.width = 200, .height = 200, .samples = 1});
    return renderer().covered(points, 2);
  };
  EXPECT_EQ(covered(1, 4), (std::vector<std::uint8_t>{1, 0, 0, 0})) << "a ball before the first, one behind the second";
  EXPECT_EQ(covered(0.5f, 4), (std::vector<std::uint8_t>{0, 0, 0, 0})) << "what is seen through covers nothing";
  EXPECT_EQ(covered(1, -1.5f), (std::vector<std::uint8_t>{0, 0, 0, 0}))
      << "1.5 angstrom before it are within the margin";
}

}  // namespace
}  // namespace isolume::test
