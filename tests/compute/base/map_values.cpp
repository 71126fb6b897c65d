// The range of a map's values, and their scale.
#include "compute/base/map_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace isolume {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();

TEST(MapValues, TheirRangeIsThatOfAllThreads) {
  // More than a block for each thread, with the extremes in the first and the last.
  std::vector<float> values(1'000'003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.001F * static_cast<float>(i));
  values[1] = -7;
  values[values.size() - 1] = 9;
  EXPECT_EQ(value_range(values), std::pair(-7.0F, 9.0F));
}

TEST(MapValues, WhatIsNoNumberDoesNotCount) {
  EXPECT_EQ(value_range(std::vector<float>{none, 3, none, -2}), std::pair(-2.0F, 3.0F));
  EXPECT_EQ(value_range(std::vector<float>{infinity, none}), std::pair(infinity, infinity));
  EXPECT_EQ(value_range(std::vector<float>{-infinity, 1}), std::pair(-infinity, 1.0F));
  const auto [low, high] = value_range(std::vector<float>{none, none});
  EXPECT_TRUE(std::isnan(low) && std::isnan(high));
  EXPECT_TRUE(std::isnan(value_range({}).first));
}

TEST(MapValues, AreScaledInDoublePrecision) {
  std::vector<float> values(200'000, 3.0F);
  scale_values(values, 1.0 / 3);
  for (const float value : values) ASSERT_EQ(value, static_cast<float>(3.0 * (1.0 / 3)));
  scale_values(values, 1);
  EXPECT_EQ(values.front(), 1.0F);
}

}  // namespace
}  // namespace isolume
