// How the functions of a shell turn: products of turned coordinates, expanded.
#include "molecule/quantum/orbital_rotation.h"

#include <algorithm>
#include <cmath>

#include "molecule/quantum/solid_harmonics.h"

namespace isolume {
namespace {

double double_factorial(int n) {  // of odd numbers, 1 for -1
  double result = 1;
  for (; n > 1; n -= 2) result *= n;
  return result;
}

/// What makes x^i y^j z^k of norm 1, but for what all functions of the shell have in common.
double part_norm(glm::ivec3 p) {
  return 1 / std::sqrt(double_factorial(2 * p.x - 1) * double_factorial(2 * p.y - 1) * double_factorial(2 * p.z - 1));
}

double overlap(glm::ivec3 a, glm::ivec3 b) {
  const glm::ivec3 sum = a + b;
  if (sum.x % 2 != 0 || sum.y % 2 != 0 || sum.z % 2 != 0) return 0;
  return part_norm(a) * part_norm(b) * double_factorial(sum.x - 1) * double_factorial(sum.y - 1) *
         double_factorial(sum.z - 1);
}

std::size_t place_of(const std::vector<glm::ivec3>& powers, glm::ivec3 p) {
  return static_cast<std::size_t>(std::find(powers.begin(), powers.end(), p) - powers.begin());
}

/// A homogeneous polynomial of degree l times a linear form, as coefficients in the order of cartesian_powers(l + 1).
std::vector<double> times(const std::vector<double>& polynomial, int l, glm::dvec3 form) {
  const auto powers = cartesian_powers(l), higher = cartesian_powers(l + 1);
  std::vector<double> result(higher.size(), 0.0);
  for (std::size_t i = 0; i < powers.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      glm::ivec3 p = powers[i];
      ++p[axis];
      result[place_of(higher, p)] += polynomial[i] * form[axis];
    }
  return result;
}

std::vector<double> cartesian_rotation(int l, const glm::dmat3& rotation) {
  const auto powers = cartesian_powers(l);
  const std::size_t n = powers.size();
  std::vector<double> matrix(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    // The coordinates of R^T r are the products of R's columns with r.
    std::vector<double> polynomial{1.0};
    int degree = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < powers[a][axis]; ++i) polynomial = times(polynomial, degree++, rotation[axis]);
    for (std::size_t b = 0; b < n; ++b) matrix[b * n + a] = polynomial[b] * part_norm(powers[a]) / part_norm(powers[b]);
  }
  return matrix;
}

}  // namespace

std::vector<double> shell_rotation(int l, bool spherical, const glm::dmat3& rotation) {
  std::vector<double> cartesian = cartesian_rotation(l, rotation);
  if (!spherical) return cartesian;
  // With S = M chi orthonormal, M G M^T = 1 for the overlaps G of chi: D = M G D_chi M^T.
  const auto powers = cartesian_powers(l);
  const std::vector<double> m = solid_harmonic_matrix(l);
  const std::size_t n = powers.size(), rows = 2 * static_cast<std::size_t>(l) + 1;
  std::vector<double> left(rows * n, 0.0), turned(n * rows, 0.0), matrix(rows * rows, 0.0);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t c = 0; c < n; ++c) {
        left[row * n + b] += m[row * n + c] * overlap(powers[c], powers[b]);
        turned[b * rows + row] += cartesian[b * n + c] * m[row * n + c];
      }
  for (std::size_t to = 0; to < rows; ++to)
    for (std::size_t from = 0; from < rows; ++from)
      for (std::size_t b = 0; b < n; ++b) matrix[to * rows + from] += left[to * n + b] * turned[b * rows + from];
  return matrix;
}

}  // namespace isolume
