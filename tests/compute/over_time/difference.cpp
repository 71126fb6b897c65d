// Values less others, the standard errors of differences, and how large these are.
#include "compute/over_time/difference.h"

#include <cmath>
#include <limits>

#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

class FieldDifference : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(FieldDifference);

TEST_P(FieldDifference, IsThatOfEveryValueInDoublePrecision) {
  for (const std::size_t count : {1u, 257u, 70001u}) {
    std::vector<float> first(count), second(count);
    for (std::size_t i = 0; i < count; ++i) {
      first[i] = 100.0f + static_cast<float>(i) / 64.0f;
      second[i] = static_cast<float>(i % 97) - 48.5f;
    }
    auto values = DeviceArray<float>::from_host(first, GetParam());
    const auto others = DeviceArray<float>::from_host(second, GetParam());
    Job job;
    take_off(values.span(), others.span(), 1.0 / 3.0, job);
    const std::vector<float> found = values.copy_to_host();
    for (std::size_t i = 0; i < count; ++i) {
      const double expected = static_cast<double>(first[i]) - static_cast<double>(second[i]) / 3.0;
      ASSERT_FLOAT_EQ(found[i], static_cast<float>(expected)) << i;
    }
  }
}

TEST_P(FieldDifference, OfAFieldWithItselfIsZeroAndOfNothingIsNothing) {
  const std::vector<float> some{1.5f, -3e-20f, 7e20f, 0.1f};
  auto values = DeviceArray<float>::from_host(some, GetParam());
  const auto others = DeviceArray<float>::from_host(some, GetParam());
  Job job;
  take_off(values.span(), others.span(), 1, job);
  for (const float value : values.copy_to_host()) EXPECT_EQ(value, 0);
  DeviceArray<float> none(0, GetParam()), other(0, GetParam());
  take_off(none.span(), std::as_const(other).span(), 1, job);
  const auto fewer = DeviceArray<float>::from_host(std::vector<float>{1}, GetParam());
  EXPECT_THROW(take_off(values.span(), fewer.span(), 1, job), Error);
}

TEST(ErrorsOfDifference, AddTheirSquares) {
  const float unknown = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> first{3, 0, 1, unknown, -1}, second{4, 2, -1, 1, 1};
  EXPECT_EQ(errors_of_difference(first, second), (std::vector<float>{5, 2, -1, -1, -1}));
  EXPECT_EQ(errors_of_difference(first, {}), (std::vector<float>{3, 0, 1, -1, -1}));
  EXPECT_EQ(errors_of_difference({}, second), (std::vector<float>{4, 2, -1, 1, 1}));
  EXPECT_TRUE(errors_of_difference({}, {}).empty());
  EXPECT_THROW(errors_of_difference(first, std::vector<float>(3)), Error);
}

TEST(FiniteRms, LeavesOutWhatIsNoNumber) {
  const float unknown = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
  EXPECT_NEAR(finite_rms(std::vector<float>{3, -4, unknown, infinite}), std::sqrt(12.5), 1e-12);
  EXPECT_EQ(finite_rms(std::vector<float>{unknown}), 0);
}

}  // namespace
}  // namespace isolume
