// Solid harmonics against spherical harmonics from associated Legendre functions.
#include "molecule/quantum/solid_harmonics.h"

#include <gtest/gtest.h>

#include "gaussians.h"

namespace isolume {
namespace {

TEST(SolidHarmonics, PowersRunInTheOrderOfShell) {
  const std::vector<glm::ivec3> d{{2, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 2, 0}, {0, 1, 1}, {0, 0, 2}};
  EXPECT_EQ(cartesian_powers(2), d);
  EXPECT_EQ(cartesian_powers(6).size(), 28u);
}

TEST(SolidHarmonics, EveryCartesianFunctionHasNormOne) {
  for (int l = 0; l <= max_angular_momentum; ++l) {
    for (const glm::ivec3& p : cartesian_powers(l)) {
      const glm::dvec3 at(0.3, -0.7, 0.45);
      const double monomial = std::pow(at.x, p.x) * std::pow(at.y, p.y) * std::pow(at.z, p.z);
      const double expected = test::cartesian_gaussian(0.8, p, at);
      EXPECT_NEAR(cartesian_norm(0.8, p.x, p.y, p.z) * monomial * std::exp(-0.8 * glm::dot(at, at)), expected,
                  1e-14 + 1e-13 * std::abs(expected));
    }
  }
}

TEST(SolidHarmonics, DShellIsWhatTextbooksWrite) {
  // xy, yz, z2, xz, x2-y2 in xx xy xz yy yz zz, with <xx|yy> = 1/3 between normalised components.
  const double z2 = 1.0;
  const std::vector<double> expected{0,
                                     1,
                                     0,
                                     0,
                                     0,
                                     0,  //
                                     0,
                                     0,
                                     0,
                                     0,
                                     1,
                                     0,  //
                                     -0.5,
                                     0,
                                     0,
                                     -0.5,
                                     0,
                                     z2,  //
                                     0,
                                     0,
                                     1,
                                     0,
                                     0,
                                     0,  //
                                     std::sqrt(0.75),
                                     0,
                                     0,
                                     -std::sqrt(0.75),
                                     0,
                                     0};
  const std::vector<double> matrix = solid_harmonic_matrix(2);
  ASSERT_EQ(matrix.size(), expected.size());
  for (std::size_t i = 0; i < matrix.size(); ++i) EXPECT_NEAR(matrix[i], expected[i], 1e-15) << i;
}

class SolidHarmonicsOf : public testing::TestWithParam<int> {};

TEST_P(SolidHarmonicsOf, AgreeWithSphericalHarmonics) {
  const int l = GetParam();
  const double a = 0.6;
  const std::vector<double> matrix = solid_harmonic_matrix(l);
  const std::vector<glm::ivec3> powers = cartesian_powers(l);
  const glm::dvec3 points[] = {{0.4, 0.9, -0.3}, {-1.1, 0.2, 0.7}, {0.5, -0.6, 1.3}, {-0.8, -1.2, -0.4}, {0, 0, 1}};
  for (const glm::dvec3& at : points) {
    for (int m = -l; m <= l; ++m) {
      double value = 0;
      for (std::size_t c = 0; c < powers.size(); ++c) {
        value +=
            matrix[static_cast<std::size_t>(m + l) * powers.size() + c] * test::cartesian_gaussian(a, powers[c], at);
      }
      EXPECT_NEAR(value, test::spherical_gaussian(a, l, m, at), 1e-13) << "l " << l << " m " << m;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(UpToI, SolidHarmonicsOf, testing::Range(0, 7));

}  // namespace
}  // namespace isolume
