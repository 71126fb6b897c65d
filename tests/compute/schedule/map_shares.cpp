// How maps of the potential are cut for devices: grains of layers, and slabs of a launch.
#include <gtest/gtest.h>

#include "compute/electrostatics/direct/direct_shape.h"
#include "compute/electrostatics/potential_tiles.h"

namespace isolume {
namespace {

Grid cube(int points) {
  return {glm::dvec3(0), glm::dmat3(0.5), glm::ivec3(points)};
}

TEST(MapShares, GrainsOfTheDirectSumAreShortWhereLayersAreDear) {
  const DirectOptions direct;
  // 8 of 568 layers are 2.6e11 pairs of 100 000 charges: enough for a device.
  EXPECT_EQ(map_grain(cube(568), direct, 100'000), 8u);
  // Of 20 000 charges 16 layers are 1.03e11.
  EXPECT_EQ(map_grain(cube(568), direct, 20'000), 16u);
  // Of few charges there are 64 grains at most: each has work of its own.
  EXPECT_EQ(map_grain(cube(568), direct, 1000), 16u);
  EXPECT_EQ(map_grain(cube(568), direct, 0), 16u);
  EXPECT_EQ(map_grain(Grid{glm::dvec3(0), glm::dmat3(0.5), {4, 4, 2000}}, direct, 1000), 32u);
  EXPECT_EQ(map_grain(cube(5), direct, 1000), 8u);
}

TEST(MapShares, GrainsOfOtherMethodsDependOnTheLayersAlone) {
  for (const std::size_t charges : {std::size_t{10}, std::size_t{1'000'000}}) {
    EXPECT_EQ(map_grain(cube(568), CutoffOptions{}, charges), 16u);
    EXPECT_EQ(map_grain(cube(568), MsmMethod{}, charges), 24u);
  }
}

TEST(MapShares, SlabsOfTheDirectSumAreEqual) {
  // Tiles of 128 x 4 x 4 points: 5 x 142 x 4 of 568 x 568 x 16, more than the 2048 of a slab.
  const DirectShape two({568, 568, 16}, 100'000);
  EXPECT_EQ(two.tiles, 2840u);
  EXPECT_EQ(two.slab, 1420u);
  EXPECT_EQ(two.parts, 8u);  // 12 288 blocks
  const DirectShape one({568, 568, 8}, 100'000);
  EXPECT_EQ(one.slab, one.tiles);
  const DirectShape many({568, 568, 568}, 100'000);
  EXPECT_EQ(many.tiles, 100'820u);
  EXPECT_EQ(many.slab, 2017u);  // of fifty, the last of which has 1987
  EXPECT_EQ(DirectShape({0, 4, 4}, 10).tiles, 0u);
}

}  // namespace
}  // namespace isolume
