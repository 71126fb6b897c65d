// Cells against the crystallographers' formulas and brute force.
#include "molecule/cell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

TEST(Cell, VolumeFollowsTheFormula) {
  const Cell cell = Cell::from_lengths_angles({7, 8, 9}, {70, 80, 100});
  const double a = std::cos(70 * units::pi / 180), b = std::cos(80 * units::pi / 180),
               c = std::cos(100 * units::pi / 180);
  EXPECT_NEAR(cell.volume(), 7 * 8 * 9 * std::sqrt(1 - a * a - b * b - c * c + 2 * a * b * c), 1e-9);
  EXPECT_EQ(cell.vectors[0], glm::dvec3(7, 0, 0));
  EXPECT_EQ(cell.vectors[1].z, 0);
  EXPECT_GT(cell.vectors[1].y, 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(cell.lengths()[i], glm::dvec3(7, 8, 9)[i], 1e-12);
    EXPECT_NEAR(cell.angles()[i], glm::dvec3(70, 80, 100)[i], 1e-10);
  }
  EXPECT_FALSE(cell.orthogonal());
}

TEST(Cell, RightAnglesAreExact) {
  const Cell cell = Cell::from_lengths_angles({2, 3, 4}, {90, 90, 90});
  EXPECT_EQ(cell.vectors, glm::dmat3(2, 0, 0, 0, 3, 0, 0, 0, 4));
  EXPECT_TRUE(cell.orthogonal());
  EXPECT_FALSE(Cell{}.exists());
  EXPECT_EQ(Cell{}.minimum_image({5, 6, 7}), glm::dvec3(5, 6, 7));
}

TEST(Cell, RefusesWhatIsNoCell) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Cell::from_lengths_angles({0, 3, 4}, {90, 90, 90}), Error);
  EXPECT_THROW(Cell::from_lengths_angles({2, -3, 4}, {90, 90, 90}), Error);
  EXPECT_THROW(Cell::from_lengths_angles({2, 3, nan}, {90, 90, 90}), Error);
  EXPECT_THROW(Cell::from_lengths_angles({2, 3, 4}, {90, 180, 90}), Error);
  EXPECT_THROW(Cell::from_lengths_angles({2, 3, 4}, {60, 60, 150}), Error);  // 60 + 60 < 150
}

TEST(Cell, MinimumImageIsTheShortestOfAll) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> anywhere(-40, 40);
  for (const Cell& cell : {Cell::from_lengths_angles({10, 12, 9}, {90, 90, 90}),
                           Cell::from_lengths_angles({10, 10, 10}, {60, 60, 90}),  // rhombic dodecahedron
                           Cell::from_lengths_angles({4, 20, 9}, {50, 100, 140})}) {
    for (int sample = 0; sample < 200; ++sample) {
      const glm::dvec3 d(anywhere(random), anywhere(random), anywhere(random));
      const glm::dvec3 start = d - cell.vectors * glm::round(glm::inverse(cell.vectors) * d);
      double shortest = 1e300;
      for (int i = -6; i <= 6; ++i) {
        for (int j = -6; j <= 6; ++j) {
          for (int k = -6; k <= 6; ++k) {
            shortest = std::min(shortest, glm::length(start + cell.vectors * glm::dvec3(i, j, k)));
          }
        }
      }
      const glm::dvec3 found = cell.minimum_image(d);
      EXPECT_NEAR(glm::length(found), shortest, 1e-10);
      const glm::dvec3 moved = glm::inverse(cell.vectors) * (d - found);
      EXPECT_NEAR(glm::length(moved - glm::round(moved)), 0, 1e-9);
    }
  }
}

}  // namespace
}  // namespace isolume
