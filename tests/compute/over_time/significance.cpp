// Values faded by their standard errors.
#include "compute/over_time/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

TEST(Significance, FadesBetweenTwoAndFourErrors) {
  const std::vector<float> values{1, -1, 2, -2, 3, -3, 4, -8, 0};
  const std::vector<float> errors(values.size(), 1);
  std::vector<float> faded(values.size());
  EXPECT_EQ(fade_insignificant(values, errors, faded), 5u);
  EXPECT_EQ(faded, (std::vector<float>{0, 0, 0, 0, 1.5f, -1.5f, 4, -8, 0}));
}

TEST(Significance, UnknownErrorsFadeAndNoErrorDoesNot) {
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> values{5, -5, 5, unknown};
  const std::vector<float> errors{unknown, -1, 0, 1};
  EXPECT_EQ(fade_insignificant(values, errors, values), 3u);  // in place
  EXPECT_EQ(values, (std::vector<float>{0, 0, 5, 0}));
  EXPECT_THROW(fade_insignificant(values, std::vector<float>(3), values), Error);
}

}  // namespace
}  // namespace isolume
