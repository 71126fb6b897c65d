// Grids: covering a box, and values between points.
#include "molecule/grid.h"

#include <gtest/gtest.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

TEST(Grid, CoversTheBoxAndIsCentredOnIt) {
  const Grid grid = Grid::covering({0, 0, 0}, {1.0, 2.05, 0}, 0.1);
  EXPECT_EQ(grid.counts, glm::ivec3(11, 22, 1));
  EXPECT_NEAR(grid.origin.y, -0.025, 1e-12);
  EXPECT_NEAR(grid.point(10, 21, 0).y, 2.075, 1e-12);
  EXPECT_EQ(grid.size(), 242u);
  EXPECT_TRUE(grid.axis_aligned());
}

TEST(Grid, RefusesAbsurdOnes) {
  EXPECT_THROW(Grid::covering({0, 0, 0}, {1, 1, 1}, 0), Error);
  EXPECT_THROW(Grid::covering({0, 0, 0}, {1, 1, 1}, -1), Error);
  EXPECT_THROW(Grid::covering({1, 0, 0}, {0, 1, 1}, 0.1), Error);
  EXPECT_THROW(Grid::covering({0, 0, 0}, {1e30, 1, 1}, 0.1), Error);
  EXPECT_THROW(Grid::covering({0, 0, 0}, {9, 9, 9}, 1, 999), Error);
  EXPECT_NO_THROW(Grid::covering({0, 0, 0}, {9, 9, 9}, 1, 1000));
}

TEST(Grid, InterpolationIsExactForTrilinearFunctions) {
  Volume volume;
  volume.grid.origin = {1, -2, 3};
  volume.grid.step = glm::dmat3(0.5, 0.1, 0, 0, 0.4, 0.1, 0.2, 0, 0.6);  // skewed
  volume.grid.counts = {4, 5, 6};
  EXPECT_FALSE(volume.grid.axis_aligned());
  const auto f = [](double i, double j, double k) { return 1 + 2 * i - j + 0.5 * k + 0.25 * i * j * k; };
  volume.values.resize(volume.grid.size());
  for (int k = 0; k < 6; ++k) {
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 4; ++i) volume.values[volume.grid.index(i, j, k)] = static_cast<float>(f(i, j, k));
    }
  }
  for (const glm::dvec3& at :
       {glm::dvec3(0, 0, 0), glm::dvec3(1.3, 2.7, 4.1), glm::dvec3(3, 4, 5), glm::dvec3(2.9, 0.1, 4.99)}) {
    EXPECT_NEAR(interpolate(volume, volume.grid.point(at.x, at.y, at.z)), f(at.x, at.y, at.z), 1e-5);
  }
  EXPECT_EQ(interpolate(volume, volume.grid.point(3.01, 2, 2)), 0);
  EXPECT_EQ(interpolate(volume, volume.grid.point(1, -0.01, 2)), 0);
}

}  // namespace
}  // namespace isolume
