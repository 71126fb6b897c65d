// Enclosed probability: a 1s Gaussian, for which both directions have closed formulas.
#include "compute/orbitals/enclosed_probability.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double pi = 3.14159265358979323846;

/// (2a/pi)^(3/4) exp(-a r^2) on a cubic grid.
std::vector<float> gaussian(double a, double step, int half) {
  std::vector<float> values;
  for (int k = -half; k <= half; ++k) {
    for (int j = -half; j <= half; ++j) {
      for (int i = -half; i <= half; ++i) {
        // Off the points of the grid, so that no two of them are equally far.
        const double x = step * (i + 0.3721), y = step * (j - 0.1187), z = step * (k + 0.2533);
        const double r2 = x * x + y * y + z * z;
        values.push_back(static_cast<float>((i % 2 ? -1 : 1) * std::pow(2 * a / pi, 0.75) * std::exp(-a * r2)));
      }
    }
  }
  return values;
}

/// The electron within r of exp(-2 a r^2): erf(t) - 2 t exp(-t^2) / sqrt(pi), t = r sqrt(2a).
double inside(double a, double r) {
  const double t = r * std::sqrt(2 * a);
  return std::erf(t) - 2 * t * std::exp(-t * t) / std::sqrt(pi);
}

TEST(EnclosedProbability, FollowsTheFormulaOfAGaussian) {
  const double a = 0.8;
  const std::vector<float> values = gaussian(a, 0.06, 60);  // to r = 3.6, where 1e-8 is left out
  for (const double fraction : {0.1, 0.5, 0.9, 0.99}) {
    double lower = 0, upper = 5;
    for (int i = 0; i < 60; ++i) (inside(a, 0.5 * (lower + upper)) < fraction ? lower : upper) = 0.5 * (lower + upper);
    const double expected = std::pow(2 * a / pi, 0.75) * std::exp(-a * lower * lower);
    const double isovalue = enclosed_probability_isovalue(values, fraction);
    EXPECT_NEAR(isovalue / expected, 1, 2e-3) << fraction;
    EXPECT_NEAR(enclosed_probability(values, isovalue), fraction, 2e-3);
    EXPECT_NEAR(enclosed_probability(values, expected), fraction, 3e-3);
  }
}

TEST(EnclosedProbability, KnowsItsLimits) {
  EXPECT_EQ(enclosed_probability_isovalue(std::vector<float>(8, 0.0f), 0.9), 0);
  EXPECT_EQ(enclosed_probability_isovalue({}, 0.9), 0);
  EXPECT_NEAR(enclosed_probability_isovalue(std::vector<float>(8, -0.5f), 0.9), 0.5, 1e-12);
  EXPECT_NEAR(enclosed_probability_isovalue(std::vector<float>{1, 3, NAN, -2}, 0.75), 3 - 6 / 6.5, 1e-6);
  // (9 4 1): at 3 is 4.5, at 2 is 11, and 10.5 is 6 of 6.5 between them: 3 - 6 / 6.5.
  for (const double wrong : {0.0, 1.0, -1.0, 2.0, std::nan("")}) {
    EXPECT_THROW(enclosed_probability_isovalue(std::vector<float>(8, 1.0f), wrong), Error);
  }
}

}  // namespace
}  // namespace isolume
