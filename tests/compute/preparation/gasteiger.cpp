// Charges by equalised electronegativities, against values of the paper and symmetry.
#include "compute/preparation/gasteiger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace isolume {
namespace {

using Bonds = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

const glm::dvec3 corners[] = {{0.63, 0.63, 0.63}, {0.63, -0.63, -0.63}, {-0.63, 0.63, -0.63}, {-0.63, -0.63, 0.63}};

TEST(Gasteiger, GivesMethaneAndItsFluoridesTheChargesOfThePaper) {
  // Table 2 of Gasteiger and Marsili 1980: carbon of methane -0.078, of fluoromethane +0.079, its fluorine -0.253.
  std::vector<glm::dvec3> places{glm::dvec3(0.0)};
  places.insert(places.end(), std::begin(corners), std::end(corners));
  const Bonds bonds{{0, 1}, {0, 2}, {0, 3}, {0, 4}};
  const auto methane = gasteiger_charges(std::vector<std::uint8_t>{6, 1, 1, 1, 1}, places, bonds);
  ASSERT_TRUE(methane);
  EXPECT_NEAR((*methane)[0], -0.078, 0.001);
  EXPECT_NEAR((*methane)[1], 0.019, 0.001);
  const auto fluoride = gasteiger_charges(std::vector<std::uint8_t>{6, 9, 1, 1, 1}, places, bonds);
  ASSERT_TRUE(fluoride);
  EXPECT_NEAR((*fluoride)[0], 0.079, 0.002);
  EXPECT_NEAR((*fluoride)[1], -0.253, 0.002);
}

TEST(Gasteiger, GivesAcetateAWholeNegativeCharge) {
  const std::vector<std::uint8_t> elements{6, 1, 1, 1, 6, 8, 8};
  const std::vector<glm::dvec3> places{{0, 0, 0},      {-0.36, 1.03, 0}, {-0.36, -0.51, 0.89}, {-0.36, -0.51, -0.89},
                                       {1.53, 0, 0.0}, {2.15, 1.08, 0},  {2.15, -1.08, 0}};
  const auto charges = gasteiger_charges(elements, places, Bonds{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {4, 5}, {4, 6}});
  ASSERT_TRUE(charges);
  EXPECT_NEAR(std::accumulate(charges->begin(), charges->end(), 0.0), -1, 1e-12);
  EXPECT_NEAR((*charges)[5], (*charges)[6], 1e-12);
  EXPECT_LT((*charges)[5], -0.4);
}

TEST(Gasteiger, RefusesWhatLacksHydrogensOrHasNoParameters) {
  EXPECT_FALSE(gasteiger_charges(std::vector<std::uint8_t>{6, 8}, std::vector<glm::dvec3>{{0, 0, 0}, {1.4, 0, 0}},
                                 Bonds{{0, 1}}));
  EXPECT_FALSE(gasteiger_charges(std::vector<std::uint8_t>{26, 8}, std::vector<glm::dvec3>{{0, 0, 0}, {1.8, 0, 0}},
                                 Bonds{{0, 1}}));
}

}  // namespace
}  // namespace isolume
