// The water box that is made by rule.
#include "molecule/crystal/water_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

TEST(WaterBox, HasTheDensityGeometryAndChargesThatItSays) {
  const double side = 31;
  const Molecule water = make_water_box(side);
  const auto molecules = static_cast<std::size_t>(std::llround(0.1023 / 3 * side * side * side));
  ASSERT_EQ(water.atom_count(), 3 * molecules);
  water.topology->validate();
  EXPECT_EQ(water.topology->bonds.size(), 2 * molecules);
  EXPECT_NEAR(water.topology->total_charge(), 0, 1e-3);
  const Frame frame = water.trajectory->frame(0);
  EXPECT_NEAR(frame.cell.volume(), side * side * side, 1e-6);
  double nearest = side;
  for (std::size_t i = 0; i < molecules; ++i) {
    const glm::dvec3 o(frame.positions[3 * i]);
    const glm::dvec3 a = glm::dvec3(frame.positions[3 * i + 1]) - o;
    const glm::dvec3 b = glm::dvec3(frame.positions[3 * i + 2]) - o;
    EXPECT_NEAR(glm::length(a), 0.9572, 1e-5);
    EXPECT_NEAR(glm::length(b), 0.9572, 1e-5);
    EXPECT_NEAR(glm::dot(a, b) / glm::length(a) / glm::length(b), std::cos(104.52 * M_PI / 180), 1e-4);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_GE(o[axis], 0);
      EXPECT_LE(o[axis], side);
    }
    for (std::size_t j = 0; j < i; ++j) {
      const glm::dvec3 d = frame.cell.minimum_image(glm::dvec3(frame.positions[3 * j]) - o);
      nearest = std::min(nearest, glm::length(d));
    }
  }
  EXPECT_GE(nearest, 2.2 - 1e-5);
}

TEST(WaterBox, IsTheSameForTheSameSeed) {
  const auto positions = [](std::uint32_t seed) { return make_water_box(12, seed).trajectory->frame(0).positions; };
  EXPECT_EQ(positions(1), positions(1));
  EXPECT_NE(positions(1), positions(2));
}

TEST(WaterBox, RefusesSidesThatMakeNoSense) {
  for (const double side : {0.0, -5.0, 3.0, 1e6, std::nan("")}) EXPECT_THROW(make_water_box(side), Error);
}

}  // namespace
}  // namespace isolume
