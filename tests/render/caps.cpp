// Closed surfaces are filled where the front clipping plane cuts them.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/gtc/constants.hpp>

#include "tests/render/scenes.h"

namespace isolume::test {
namespace {

constexpr glm::u8vec4 orange{230, 159, 0, 255}, blue{0, 114, 178, 255};

class Caps : public ::testing::TestWithParam<Camera::Projection> {
 protected:
  Caps() {
    view_.camera.projection = GetParam();
    view_.camera.rotation = glm::normalize(glm::dquat(0.9, 0.3, -0.2, 0.1));  // not along the axis of the mesh
    view_.camera.height = 20;
    view_.radius = 6;
    view_.look.depth_cue = 0;
    view_.look.background = view_.look.background_bottom = glm::vec3(1);
    view_.camera.slab_front = 6 * 1.02 + 0.01;  // the plane goes through the centre
  }
  void add(glm::vec3 centre, float radius, glm::u8vec4 colour, bool closed = true, float opacity = 1) {
    Surface surface;
    surface.mesh = ball(centre, radius, 96);
    surface.colour = colour;
    surface.closed = closed;
    view_.items.push_back(item(surface, static_cast<std::uint32_t>(view_.items.size() + 1), opacity));
  }
  Image draw() {
    PictureOptions options;
    options.width = options.height = 200;  // ten pixels for an angstrom at the centre
    return renderer().picture(view_, options);
  }
  static glm::u8vec4 at(const Image& image, int x, int y) {
    const auto* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                     static_cast<std::size_t>(x))];
    return {p[0], p[1], p[2], p[3]};
  }
  static bool near(glm::u8vec4 a, glm::u8vec4 b) {
    return std::abs(a.r - b.r) <= 1 && std::abs(a.g - b.g) <= 1 && std::abs(a.b - b.b) <= 1;
  }
  static int count(const Image& image, glm::u8vec4 colour) {
    int n = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) n += near(at(image, x, y), colour);
    return n;
  }

  SceneView view_;
};

TEST_P(Caps, ASphereCutThroughItsCentreIsADiscOfItsColour) {
  add(glm::vec3(0), 5, orange);
  const Image cut = draw();
  EXPECT_EQ(renderer().pick(100, 100).object, 1u) << "it is the surface that is clicked on";
  for (const glm::ivec2 place : {glm::ivec2(100, 100), {60, 100}, {100, 140}, {130, 75}})
    EXPECT_TRUE(near(at(cut, place.x, place.y), orange)) << place.x << ", " << place.y;
  // Of the radius, less a pixel or two at the rim.
  const double area = glm::pi<double>() * 50 * 50;
  EXPECT_NEAR(count(cut, orange), area, 0.05 * area);
  EXPECT_TRUE(near(at(cut, 100, 160), {255, 255, 255, 255})) << "the background is not filled";

  view_.look.caps = false;
  EXPECT_LT(count(draw(), orange), 0.05 * area) << "the wall behind is lit";
  view_.look.caps = true;
  view_.camera.slab_front = 0;
  EXPECT_LT(count(draw(), orange), 0.05 * area) << "nothing is cut";
}

TEST_P(Caps, WhatIsBehindThePlaneIsNotFilled) {
  add({-3, 0, 0}, 2, orange);
  view_.camera.rotation = glm::dquat(1, 0, 0, 0);
  add({3, 0, -3}, 2, blue);  // wholly behind the plane
  const Image picture = draw();
  EXPECT_GT(count(picture, orange), 1000);
  EXPECT_LT(count(picture, blue), 200) << "it is whole, and lit";
}

TEST_P(Caps, OpenAndClearSurfacesStayAsTheyAre) {
  add({-3, 0, 0}, 2, orange, false);
  add({3, 0, 0}, 2, blue, true, 0.5f);
  view_.camera.rotation = glm::dquat(1, 0, 0, 0);
  const Image with = draw();
  view_.look.caps = false;
  EXPECT_EQ(with.rgba, draw().rgba);
}

TEST_P(Caps, AHollowStaysHollow) {
  // One surface with a wall inside it: a ring is filled.
  const auto both = ball(glm::vec3(0), 5, 96), inner = ball(glm::vec3(0), 2.5f, 96);
  const auto first = static_cast<unsigned>(both->positions.size());
  both->positions.insert(both->positions.end(), inner->positions.begin(), inner->positions.end());
  both->normals.insert(both->normals.end(), inner->normals.begin(), inner->normals.end());
  for (const glm::uvec3& t : inner->triangles) both->triangles.push_back(t + first);
  Surface surface;
  surface.mesh = both;
  surface.colour = orange;
  surface.closed = true;
  view_.items.push_back(item(surface, 1));
  const Image cut = draw();
  EXPECT_TRUE(near(at(cut, 138, 100), orange));
  EXPECT_FALSE(near(at(cut, 100, 100), orange));
  const double ring = glm::pi<double>() * (50 * 50 - 25 * 25);
  EXPECT_NEAR(count(cut, orange), ring, 0.05 * ring);
}

INSTANTIATE_TEST_SUITE_P(Projections, Caps,
                         ::testing::Values(Camera::Projection::orthographic, Camera::Projection::perspective),
                         [](const auto& info) {
                           return info.param == Camera::Projection::orthographic ? "Orthographic" : "Perspective";
                         });

}  // namespace
}  // namespace isolume::test
