// Cartesian Gaussians and real solid harmonics.
#include "molecule/quantum/solid_harmonics.h"

#include <cmath>
#include <cstddef>

#include "molecule/base/units.h"

namespace isolume {

namespace {

// (2n-1)!! = 1 * 3 * ... * (2n-1), 1 for n = 0.
double double_factorial(int n) {
  double product = 1;
  for (int odd = 3; odd < 2 * n; odd += 2) product *= odd;
  return product;
}

double binomial(int n, int k) {
  if (k < 0 || k > n) return 0;
  double value = 1;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

double factor(glm::ivec3 powers) {
  return double_factorial(powers.x) * double_factorial(powers.y) * double_factorial(powers.z);
}

// Overlap of two Cartesian functions of one exponent and one l, each normalised to 1.
double component_overlap(glm::ivec3 a, glm::ivec3 b) {
  const glm::ivec3 sum = a + b;
  if (sum.x % 2 != 0 || sum.y % 2 != 0 || sum.z % 2 != 0) return 0;
  return factor(sum / 2) / std::sqrt(factor(a) * factor(b));
}

}  // namespace

std::vector<glm::ivec3> cartesian_powers(int l) {
  std::vector<glm::ivec3> powers;
  for (int i = l; i >= 0; --i) {
    for (int j = l - i; j >= 0; --j) powers.emplace_back(i, j, l - i - j);
  }
  return powers;
}

double cartesian_norm(double exponent, int i, int j, int k) {
  return std::pow(2 * exponent / units::pi, 0.75) * std::pow(4 * exponent, 0.5 * (i + j + k)) /
         std::sqrt(factor({i, j, k}));
}

std::vector<double> solid_harmonic_matrix(int l) {
  const std::vector<glm::ivec3> powers = cartesian_powers(l);
  const std::size_t columns = powers.size();
  std::vector<double> matrix(static_cast<std::size_t>(2 * l + 1) * columns, 0.0);
  for (int m = -l; m <= l; ++m) {
    double* row = matrix.data() + static_cast<std::size_t>(m + l) * columns;
    const int order = std::abs(m);
    const int sine = m < 0 ? 1 : 0;  // twice v_m: Im (x+iy)^m has the odd powers of y
    for (int t = 0; 2 * t <= l - order; ++t) {
      for (int u = 0; u <= t; ++u) {
        for (int twice_v = sine; twice_v <= order; twice_v += 2) {
          const int y = 2 * u + twice_v;
          const int x = 2 * t + order - y;
          const double sign = (t + (twice_v - sine) / 2) % 2 == 0 ? 1 : -1;
          const double value = sign * std::pow(0.25, t) * binomial(l, t) * binomial(l - t, order + t) * binomial(t, u) *
                               binomial(order, twice_v);
          const int rest = l - x;  // functions with a higher power of x come first: 1 + 2 + ... + rest of them
          const std::size_t column = static_cast<std::size_t>(rest * (rest + 1) / 2 + rest - y);
          row[column] += value * std::sqrt(factor(powers[column]));
        }
      }
    }
    double norm = 0;
    for (std::size_t a = 0; a < columns; ++a) {
      for (std::size_t b = 0; b < columns; ++b) norm += row[a] * row[b] * component_overlap(powers[a], powers[b]);
    }
    for (std::size_t a = 0; a < columns; ++a) row[a] /= std::sqrt(norm);
  }
  return matrix;
}

}  // namespace isolume
