// Tests of the camera: what each motion keeps.
#include "render/view/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace isolume {
namespace {

glm::dvec3 ndc(const Camera& camera, double aspect, glm::dvec3 point, glm::dvec3 centre, double radius) {
  const glm::dvec4 clip = camera.projection_matrix(aspect, centre, radius) * camera.view() * glm::dvec4(point, 1);
  return glm::dvec3(clip) / clip.w;
}

class Cameras : public testing::TestWithParam<Camera::Projection> {
 protected:
  Camera camera() const {
    Camera made;
    made.projection = GetParam();
    made.centre = glm::dvec3(3, -2, 5);
    made.rotation = glm::normalize(glm::dquat(0.8, 0.1, -0.5, 0.3));
    return made;
  }
};

TEST_P(Cameras, FitHoldsTheSphereAndFillsThePicture) {
  const glm::dvec3 centre(7, 8, -9);
  for (const double aspect : {0.5, 1.0, 1.9}) {
    Camera c = camera();
    c.fit(centre, 12, aspect);
    EXPECT_EQ(c.centre, centre);
    double largest = 0;
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j <= 32; ++j) {
        const double p = 2 * M_PI * i / 64, t = M_PI * j / 32;
        const glm::dvec3 on =
            centre + 12.0 * glm::dvec3(std::sin(t) * std::cos(p), std::cos(t), std::sin(t) * std::sin(p));
        const glm::dvec3 at = ndc(c, aspect, on, centre, 12);
        largest = std::max({largest, std::abs(at.x), std::abs(at.y)});
        EXPECT_LE(std::abs(at.z), 1.0) << "the planes do not hold the sphere";
      }
    EXPECT_LT(largest, 1.0);
    EXPECT_GT(largest, 0.85);
  }
}

TEST_P(Cameras, BallsFillNineTenthsOfTheShorterSide) {
  const std::vector<glm::vec4> balls{{10, 0, 3, 0.5f}, {-7, 2, 1, 1.5f}, {0, 9, -4, 0}, {1, -6, 20, 1}, {3, 3, 3, 2}};
  for (const double aspect : {0.5, 1.0, 1.9}) {
    Camera c = camera();
    const glm::dquat before = c.rotation;
    c.fit(balls, aspect);
    EXPECT_EQ(c.rotation, before);
    glm::dvec2 low(1e9), high(-1e9);
    for (const glm::vec4& ball : balls)
      for (int i = 0; i < 360; ++i)
        for (int j = 0; j <= 180; ++j) {
          const double p = 2 * M_PI * i / 360, t = M_PI * j / 180, r = static_cast<double>(ball.w);
          const glm::dvec3 d(std::sin(t) * std::cos(p), std::cos(t), std::sin(t) * std::sin(p));
          const glm::dvec2 at(ndc(c, aspect, glm::dvec3(ball) + r * d, c.centre, 60));
          low = glm::min(low, at);
          high = glm::max(high, at);
        }
    EXPECT_NEAR(std::max(high.x, high.y), 0.9, 1e-3) << aspect;
    EXPECT_NEAR(std::min(low.x, low.y), -0.9, 1e-3) << "in the middle: the longer side touches both rims";
    EXPECT_LE(std::max({-low.x, -low.y, high.x, high.y}), 0.9001);
  }
  Camera still = camera();
  still.fit(std::vector<glm::vec4>(), 1.5);
  EXPECT_EQ(still, camera()) << "nothing to see";
}

TEST_P(Cameras, HeightIsWhatIsVisibleAtTheCentre) {
  const Camera c = camera();
  const glm::dvec3 up = glm::conjugate(c.rotation) * glm::dvec3(0, 1, 0);
  EXPECT_NEAR(ndc(c, 1.5, c.centre + up * (c.height / 2), c.centre, 30).y, 1.0, 1e-9);
  EXPECT_NEAR(glm::length(ndc(c, 1.5, c.centre, c.centre, 30) * glm::dvec3(1, 1, 0)), 0.0, 1e-12);
}

TEST_P(Cameras, ZoomKeepsThePointUnderThePointer) {
  Camera c = camera();
  const glm::dvec2 pointer(0.6, -0.3);
  const glm::dvec3 under = c.centre + glm::conjugate(c.rotation) * glm::dvec3(pointer * (c.height / 2), 0.0);
  c.zoom(1.7, pointer);
  EXPECT_NEAR(c.height, 50.0 / 1.7, 1e-12);
  const glm::dvec3 now = ndc(c, 1.0, under, c.centre, 40);
  EXPECT_NEAR(now.x, pointer.x, 1e-9);
  EXPECT_NEAR(now.y, pointer.y, 1e-9);
  const Camera before = c;
  c.zoom(0.0);
  c.zoom(std::nan(""));
  EXPECT_EQ(c, before);
}

TEST_P(Cameras, PanMovesTheSceneWithThePointer) {
  Camera c = camera();
  const glm::dvec3 point = c.centre;
  c.pan(glm::dvec2(0.25, -0.5));
  const glm::dvec3 now = ndc(c, 1.0, point, point, 40);
  EXPECT_NEAR(now.x, 0.25, 1e-9);
  EXPECT_NEAR(now.y, -0.5, 1e-9);
}

TEST_P(Cameras, RotationMovesTheFrontWithThePointer) {
  Camera c = camera();
  const glm::dvec3 centre = c.centre;
  const glm::dvec3 front = c.centre + glm::conjugate(c.rotation) * glm::dvec3(0, 0, 5);
  c.rotate(glm::dvec2(-0.05, 0), glm::dvec2(0.05, 0));
  EXPECT_EQ(c.centre, centre);
  EXPECT_NEAR(glm::length(c.rotation), 1.0, 1e-12);
  const glm::dvec3 moved = c.rotation * (front - centre);
  EXPECT_GT(moved.x, 0.5);
  EXPECT_NEAR(moved.y, 0.0, 1e-9);
  EXPECT_NEAR(glm::length(moved), 5.0, 1e-9);
}

TEST_P(Cameras, DragAlongTheRimRolls) {
  Camera c = camera();
  const glm::dquat before = c.rotation;
  const double angle = 0.2;
  c.rotate(glm::dvec2(1.1, 0), 1.1 * glm::dvec2(std::cos(angle), std::sin(angle)));
  const glm::dquat change = c.rotation * glm::conjugate(before);
  // Counter-clockwise about the line of sight, by the angle of the drag.
  EXPECT_NEAR(glm::angle(change), angle, 0.02);
  EXPECT_GT(glm::axis(change).z, 0.99);
}

TEST_P(Cameras, TurnByDegrees) {
  Camera c = camera();
  c.rotation = glm::dquat(1, 0, 0, 0);
  c.turn(glm::dvec3(0, 2, 0), 90);
  const glm::dvec3 front = c.rotation * glm::dvec3(0, 0, 1);
  EXPECT_NEAR(front.x, 1.0, 1e-12);
  const Camera same = c;
  c.turn(glm::dvec3(0), 90);
  EXPECT_EQ(c, same);
}

TEST_P(Cameras, SlabMovesThePlanes) {
  Camera c = camera();
  c.slab_front = 4;
  c.slab_back = 3;
  const glm::dvec3 towards = glm::conjugate(c.rotation) * glm::dvec3(0, 0, 1);
  EXPECT_LT(ndc(c, 1, c.centre + towards * 15.5, c.centre, 20).z, 1.0);
  EXPECT_LT(ndc(c, 1, c.centre + towards * 17.0, c.centre, 20).z, -1.0) << "in front of the front plane";
  EXPECT_GT(ndc(c, 1, c.centre - towards * 18.0, c.centre, 20).z, 1.0) << "behind the back plane";
}

INSTANTIATE_TEST_SUITE_P(Projections, Cameras,
                         testing::Values(Camera::Projection::perspective, Camera::Projection::orthographic));

}  // namespace
}  // namespace isolume
