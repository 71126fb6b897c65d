// Maps on one grid: differences, values that are no numbers, other grids, layers.
#include "compute/electrostatics/map_comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "molecule/base/error.h"

namespace isolume {
namespace {

const Grid cube{glm::dvec3(1, 2, 3), glm::dmat3(0.5), glm::ivec3(4, 3, 5)};

/// x + 10 y + 100 z on a grid: linear, so that interpolation is exact.
Volume linear(const Grid& grid) {
  Volume map{grid, std::vector<float>(grid.size()), "linear", "V"};
  for (int z = 0; z < grid.counts.z; ++z)
    for (int y = 0; y < grid.counts.y; ++y)
      for (int x = 0; x < grid.counts.x; ++x) {
        const glm::dvec3 p = grid.point(x, y, z);
        map.values[grid.index(x, y, z)] = static_cast<float>(p.x + 10 * p.y + 100 * p.z);
      }
  return map;
}

ComparedSide side_of(const Volume& map) {
  ComparedSide side;
  side.values = map.values;
  return side;
}

TEST(MapComparison, DifferencesAreToTheReference) {
  std::vector<ComparedSide> sides(4, side_of(linear(cube)));
  for (std::size_t k = 0; k < 4; ++k)
    for (float& v : sides[k].values) v *= static_cast<float>(k + 1);
  const std::vector<MapDifference> differences = differences_of(cube, sides, 1);
  ASSERT_EQ(differences.size(), 4u);
  EXPECT_TRUE(differences[1].values.empty());
  // 1 - 2, 3 - 2 and 4 - 2 of the map, where the reference is 2 of it.
  EXPECT_NEAR(differences[0].relative, 0.5, 1e-6);
  EXPECT_NEAR(differences[2].relative, 0.5, 1e-6);
  EXPECT_NEAR(differences[3].relative, 1, 1e-6);
  EXPECT_LT(differences[0].values[0], 0);
  EXPECT_GT(differences[3].values[0], 0);
  // The largest is at the far corner, (2.5, 3, 5): 532.5 V.
  EXPECT_NEAR(differences[3].max, 2 * 532.5, 1e-3);
  EXPECT_LT(glm::distance(differences[3].at, glm::dvec3(2.5, 3, 5)), 1e-9);
  EXPECT_THROW(differences_of(cube, sides, 4), Error);
}

TEST(MapComparison, AMapLessItselfIsZero) {
  const Volume map = linear(cube);
  const MapDifference none = difference_of(cube, map.values, map.values);
  EXPECT_EQ(none.max, 0);
  EXPECT_EQ(none.rms, 0);
}

TEST(MapComparison, NoNumberIsNotDroppedFromTheMaximum) {
  const Volume map = linear(cube);
  std::vector<float> other = map.values;
  other[17] = std::numeric_limits<float>::quiet_NaN();
  other[40] += 1000;
  const MapDifference difference = difference_of(cube, map.values, other);
  EXPECT_TRUE(std::isnan(difference.max));
  EXPECT_TRUE(std::isnan(difference.rms));
  // Point 17 of 4 x 3 x 5: x = 1, y = 1, z = 1.
  EXPECT_LT(glm::distance(difference.at, cube.point(1, 1, 1)), 1e-9);
  // A layer with it has the range of its other values.
  EXPECT_NEAR(layer_of(cube, other, 2, 1).range(1), 2.5 + 30 + 350, 1e-3);
}

TEST(MapComparison, MapsOnOtherGridsAreInterpolatedWhereAsked) {
  const Grid within{glm::dvec3(1.1, 2.2, 3.3), glm::dmat3(0.25), glm::ivec3(5, 3, 6)};
  const Volume map = linear(cube);
  EXPECT_THROW(side_of_map(map, "m.dx", 1, within, false), Error);
  // A map in units of 2 V.
  const ComparedSide side = side_of_map(map, "m.dx", 2, within, true);
  EXPECT_FALSE(side.is_computed());
  EXPECT_EQ(side.text(), "m.dx");
  const Volume expected = linear(within);
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    EXPECT_NEAR(side.values[i], 2 * expected.values[i], 1e-3) << i;
  // Its own grid to rounding, and one that reaches beyond it.
  Grid same = cube;
  same.origin += 1e-7;
  EXPECT_TRUE(same_points(cube, same));
  EXPECT_EQ(side_of_map(map, "m.dx", 1, same, false).values, map.values);
  Grid beyond = within;
  beyond.counts.x = 9;
  try {
    side_of_map(map, "m.dx", 1, beyond, true);
    FAIL() << "a grid beyond the map";
  } catch (const Error& error) {
    // x = 2.6, 2.85 and 3.1 are beyond 2.5: 3 of 9, in 3 x 6 rows.
    EXPECT_NE(std::string(error.what()).find("54 of 162 points"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace isolume
