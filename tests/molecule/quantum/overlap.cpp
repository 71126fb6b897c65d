// Overlaps against formulas and against integration on a grid.
#include <gtest/gtest.h>

#include <memory>

#include "gaussians.h"
#include "molecule/base/error.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {
namespace {

Shell shell(std::uint32_t centre, int l, bool spherical, std::vector<double> exponents,
            std::vector<double> coefficients) {
  Shell s;
  s.centre = centre;
  s.l = static_cast<std::uint8_t>(l);
  s.spherical = spherical;
  s.exponents = std::move(exponents);
  s.coefficients = std::move(coefficients);
  return s;
}

// The trapezoid rule on a grid that is fine enough converges exponentially for Gaussians: 1e-12 here.
std::vector<double> integrate(const Basis& basis, const std::vector<glm::dvec3>& centres) {
  const std::size_t n = basis.function_count();
  std::vector<double> matrix(n * n, 0.0);
  const double step = 0.3;
  for (double x = -8.1; x <= 8.1; x += step) {
    for (double y = -8.1; y <= 8.1; y += step) {
      for (double z = -8.1; z <= 8.1; z += step) {
        std::vector<double> values;
        for (const Shell& s : basis.shells) {
          const std::vector<double> part = test::shell_values(s, glm::dvec3(x, y, z) - centres[s.centre]);
          values.insert(values.end(), part.begin(), part.end());
        }
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = i; j < n; ++j) matrix[i * n + j] += values[i] * values[j] * step * step * step;
        }
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) matrix[i * n + j] = matrix[j * n + i];
  }
  return matrix;
}

void expect_integrals(const Basis& basis, const std::vector<glm::dvec3>& centres) {
  const std::vector<double> expected = integrate(basis, centres);
  const std::vector<double> found = overlap_matrix(basis, centres, basis, centres);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-10) << "element " << i;
}

TEST(Overlap, TwoSFunctionsFollowTheFormula) {
  Basis basis;
  basis.shells = {shell(0, 0, false, {1.3}, {1}), shell(1, 0, false, {0.4}, {1})};
  const std::vector<glm::dvec3> centres{{0, 0, 0}, {0.5, -1.0, 1.5}};
  const std::vector<double> s = overlap_matrix(basis, centres, basis, centres);
  const double a = 1.3, b = 0.4, r2 = 0.25 + 1.0 + 2.25;
  const double expected = std::pow(2 * std::sqrt(a * b) / (a + b), 1.5) * std::exp(-a * b / (a + b) * r2);
  EXPECT_NEAR(s[0], 1, 1e-15);
  EXPECT_NEAR(s[1], expected, 1e-15);
  EXPECT_EQ(s[1], s[2]);
}

TEST(Overlap, HydrogenInSto3gIsTheTextbookValue) {
  // Szabo and Ostlund, "Modern Quantum Chemistry", table 3.5 (zeta 1.24, R 1.4 bohr): S12 = 0.6593.
  Basis basis;
  const std::vector<double> exponents{0.168856, 0.623913, 3.42525}, coefficients{0.444635, 0.535328, 0.154329};
  basis.shells = {shell(0, 0, false, exponents, coefficients), shell(1, 0, false, exponents, coefficients)};
  const std::vector<glm::dvec3> centres{{0, 0, 0}, {0, 0, 1.4}};
  const std::vector<double> s = overlap_matrix(basis, centres, basis, centres);
  EXPECT_NEAR(s[0], 1, 1e-5);
  EXPECT_NEAR(s[1], 0.6593, 5e-5);
}

TEST(Overlap, CartesianShellsAgreeWithIntegration) {
  Basis basis;
  basis.shells = {shell(0, 2, false, {0.9, 0.5}, {0.6, 0.5}), shell(1, 1, false, {0.7}, {1}),
                  shell(1, 3, false, {0.8}, {1}), shell(0, 4, false, {1.1}, {1})};
  expect_integrals(basis, {{0.3, -0.2, 0.5}, {-0.6, 0.9, -0.4}});
}

TEST(Overlap, SphericalShellsAgreeWithIntegration) {
  Basis basis;
  basis.shells = {shell(0, 2, true, {0.9, 0.5}, {0.6, 0.5}), shell(1, 6, true, {1.2}, {1}),
                  shell(1, 5, true, {1.0}, {1}), shell(0, 3, false, {0.8}, {1})};
  expect_integrals(basis, {{0.3, -0.2, 0.5}, {-0.6, 0.9, -0.4}});
}

TEST(Overlap, NormaliseGivesContractedFunctionsNormOne) {
  Basis basis;
  for (int l = 0; l <= 6; ++l) basis.shells.push_back(shell(0, l, l > 1, {3.0, 0.7, 0.2}, {0.2, -0.5, 0.9}));
  basis.normalise();
  const std::vector<glm::dvec3> centres{{1, 2, 3}};
  const std::vector<double> s = overlap_matrix(basis, centres, basis, centres);
  const std::size_t n = basis.function_count();
  EXPECT_EQ(n, 1u + 3 + 5 + 7 + 9 + 11 + 13);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(s[i * n + j], i == j ? 1 : 0, 1e-13) << i << " " << j;
  }
}

TEST(Overlap, OfTwoBasesIsTheOffDiagonalBlock) {
  Basis both, first, second;
  first.shells = {shell(0, 2, true, {0.9}, {1}), shell(0, 0, false, {0.3}, {1})};
  second.shells = {shell(0, 3, true, {0.5}, {1})};
  both.shells = {first.shells[0], first.shells[1], second.shells[0]};
  both.shells[2].centre = 1;
  const std::vector<glm::dvec3> centres{{0, 0, 0}, {0.4, 1.1, -0.7}};
  const std::vector<double> whole = overlap_matrix(both, centres, both, centres);
  const std::vector<double> block =
      overlap_matrix(first, std::span(centres).subspan(0, 1), second, std::span(centres).subspan(1, 1));
  ASSERT_EQ(block.size(), 6u * 7u);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 7; ++j) EXPECT_NEAR(block[i * 7 + j], whole[i * 13 + 6 + j], 1e-15);
  }
}

TEST(Overlap, RefusesWhatCannotBe) {
  Basis basis;
  basis.shells = {shell(3, 0, false, {1}, {1})};
  const std::vector<glm::dvec3> centres{{0, 0, 0}};
  EXPECT_THROW(overlap_matrix(basis, centres, basis, centres), Error);
  basis.shells = {shell(0, 7, true, {1}, {1})};
  EXPECT_THROW(overlap_matrix(basis, centres, basis, centres), Error);
  basis.shells = {shell(0, 0, false, {1, 2}, {1})};
  EXPECT_THROW(overlap_matrix(basis, centres, basis, centres), Error);
}

TEST(Overlap, ResidualIsTheWorstElement) {
  // Two s functions of overlap s: the orthonormal pair is (a +- b) / sqrt(2 +- 2s).
  auto basis = std::make_shared<Basis>();
  basis->shells = {shell(0, 0, false, {1}, {1}), shell(1, 0, false, {1}, {1})};
  Orbitals orbitals;
  orbitals.basis = basis;
  orbitals.centres = {{0, 0, 0}, {0, 0, 1}};
  orbitals.orbitals.resize(2);
  const double s = std::exp(-0.5);
  const double plus = 1 / std::sqrt(2 + 2 * s), minus = 1 / std::sqrt(2 - 2 * s);
  orbitals.coefficients = {plus, plus, minus, -minus};
  EXPECT_LT(orthonormality_residual(orbitals), 1e-15);
  orbitals.coefficients[0] *= 1.1;  // <0|0> = (1.1 p + p s + ...) exceeds 1
  const double c = 1.1 * plus;
  EXPECT_NEAR(orthonormality_residual(orbitals), c * c + plus * plus + 2 * c * plus * s - 1, 1e-14);
  orbitals.coefficients = {plus, plus, plus, plus};
  EXPECT_NEAR(orthonormality_residual(orbitals), 1, 1e-15);
  orbitals.orbitals[1].spin = Spin::beta;  // of different spin they need not be orthogonal
  EXPECT_LT(orthonormality_residual(orbitals), 1e-15);
}

TEST(Overlap, OfSixtyCarbonsIsSymmetricAndTheSameOnEveryAtom) {
  // A cage of the size of C60 with 15 functions per atom, 900 in all.
  Basis basis;
  std::vector<glm::dvec3> centres;
  for (std::uint32_t i = 0; i < 60; ++i) {
    const double z = 1 - (2 * i + 1) / 60.0, phi = i * 2.399963;
    centres.push_back(6.7 * glm::dvec3(std::sqrt(1 - z * z) * std::cos(phi), std::sqrt(1 - z * z) * std::sin(phi), z));
    basis.shells.push_back(shell(i, 0, false, {3047, 457, 104, 29, 9.3, 3.2}, {.002, .014, .07, .23, .47, .36}));
    basis.shells.push_back(shell(i, 0, false, {7.9, 1.9, .54}, {-.12, -.16, 1.1}));
    basis.shells.push_back(shell(i, 1, false, {7.9, 1.9, .54}, {.07, .32, .74}));
    basis.shells.push_back(shell(i, 0, false, {.17}, {1}));
    basis.shells.push_back(shell(i, 1, false, {.17}, {1}));
    basis.shells.push_back(shell(i, 2, false, {.8}, {1}));
  }
  ASSERT_EQ(basis.function_count(), 900u);
  const std::vector<double> s = overlap_matrix(basis, centres, basis, centres);
  ASSERT_EQ(s.size(), 810000u);
  double asymmetry = 0, largest = 0;
  for (std::size_t i = 0; i < 900; ++i) {
    // Of one primitive: the third s shell and the second p shell. The contractions' coefficients have two digits.
    if (i % 15 >= 5 && i % 15 <= 8) {
      EXPECT_NEAR(s[901 * i], 1, 1e-12) << i;
    }
    EXPECT_NEAR(s[901 * i], s[901 * (i % 15)], 1e-12) << "the same on every atom";
    for (std::size_t j = 0; j < i; ++j) {
      asymmetry = std::max(asymmetry, std::abs(s[900 * i + j] - s[900 * j + i]));
      largest = std::max(largest, std::abs(s[900 * i + j]));
    }
  }
  EXPECT_LT(asymmetry, 1e-14);
  EXPECT_LT(largest, 1) << "no function is another's copy";
}

}  // namespace
}  // namespace isolume
