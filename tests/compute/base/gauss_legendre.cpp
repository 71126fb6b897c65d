// The rules of Gauss and Legendre against the integrals of powers, and against the tables of Abramowitz and Stegun.
#include "compute/base/gauss_legendre.h"

#include <gtest/gtest.h>

#include <cmath>

namespace isolume {
namespace {

TEST(GaussLegendre, IntegratesPowersExactly) {
  for (const int count : {1, 2, 5, 40}) {
    const QuadratureRule rule = gauss_legendre(count);
    for (int power = 0; power < 2 * count; ++power) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) sum += rule.weights[i] * std::pow(rule.nodes[i], power);
      EXPECT_NEAR(sum, power % 2 == 0 ? 2.0 / (power + 1) : 0, 1e-14) << count << " nodes, power " << power;
    }
  }
}

// Table 25.4, n = 5.
TEST(GaussLegendre, HasTheNodesOfTheTables) {
  const QuadratureRule rule = gauss_legendre(5);
  EXPECT_NEAR(rule.nodes[0], 0.906179845938664, 1e-15);
  EXPECT_NEAR(rule.nodes[1], 0.538469310105683, 1e-15);
  EXPECT_NEAR(rule.weights[0], 0.236926885056189, 1e-15);
  EXPECT_NEAR(rule.weights[2], 0.568888888888889, 1e-15);
}

}  // namespace
}  // namespace isolume
