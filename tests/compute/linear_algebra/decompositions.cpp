// Decompositions of matrices whose eigenvalues and singular values are known in closed form.
#include "compute/linear_algebra/decompositions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "molecule/base/error.h"

namespace isolume {
namespace {

// The chain of second differences: eigenvalues 2 - 2 cos(k pi / (n + 1)), vectors sin(i k pi / (n + 1)).
TEST(Decompositions, EigenvectorsOfAChainAreSines) {
  constexpr std::size_t n = 7;
  std::vector<double> matrix(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i * n + i] = 2;
    if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
  }
  const Eigenvectors found = symmetric_eigenvectors(matrix, n);
  ASSERT_EQ(found.values.size(), n);
  for (std::size_t k = 0; k < n; ++k) {
    const double angle = static_cast<double>(k + 1) * std::numbers::pi / (n + 1);
    EXPECT_NEAR(found.values[k], 2 - 2 * std::cos(angle), 1e-13) << k;
    const double sign = found.vectors[k] < 0 ? -1 : 1;  // the first component of the sine is positive
    for (std::size_t i = 0; i < n; ++i) {
      const double expected = std::sqrt(2.0 / (n + 1)) * std::sin(static_cast<double>(i + 1) * angle);
      EXPECT_NEAR(sign * found.vectors[i * n + k], expected, 1e-13) << i << " of " << k;
    }
  }
}

// 3 a b^T + 0.5 c d^T with unit vectors a, c of two numbers and b, d of three.
TEST(Decompositions, SingularVectorsOfTwoDyadsAreTheirs) {
  const double a[] = {0.6, 0.8}, c[] = {-0.8, 0.6};
  const double b[] = {2.0 / 3, 1.0 / 3, 2.0 / 3}, d[] = {-2.0 / 3, 2.0 / 3, 1.0 / 3};
  std::vector<double> matrix;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) matrix.push_back(3 * a[i] * b[j] + 0.5 * c[i] * d[j]);
  }
  const SingularVectors found = singular_vectors(matrix, 2, 3);
  ASSERT_EQ(found.values.size(), 2u);
  ASSERT_EQ(found.left.size(), 4u);
  ASSERT_EQ(found.right.size(), 6u);
  EXPECT_NEAR(found.values[0], 3, 1e-14);
  EXPECT_NEAR(found.values[1], 0.5, 1e-14);
  for (std::size_t k = 0; k < 2; ++k) {
    const double* const left = k == 0 ? a : c;
    const double* const right = k == 0 ? b : d;
    const double sign = found.left[k] * left[0] < 0 ? -1 : 1;
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(sign * found.left[i * 2 + k], left[i], 1e-14);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(sign * found.right[i * 2 + k], right[i], 1e-14);
  }
}

TEST(Decompositions, OfOtherNumbersThanTheirRowsAreRefused) {
  const std::vector<double> five(5, 1.0);
  EXPECT_THROW(symmetric_eigenvectors(five, 2), Error);
  EXPECT_THROW(singular_vectors(five, 2, 3), Error);
}

}  // namespace
}  // namespace isolume
