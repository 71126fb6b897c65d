// Why orbitals are not orthonormal over the basis of their file.
#include "formats/orbital_diagnosis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace isolume {
namespace {

constexpr std::size_t most_functions = 600;

/// Inverts a symmetric positive definite matrix of n rows in place (Cholesky). False where it is not that.
bool invert(std::vector<double>& a, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0)) return false;
      a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
    }
  }
  // The factor L inverted, then L^-T L^-1.
  std::vector<double> inverse(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    inverse[j * n + j] = 1 / a[j * n + j];
    for (std::size_t i = j + 1; i < n; ++i) {
      double sum = 0;
      for (std::size_t k = j; k < i; ++k) sum -= a[i * n + k] * inverse[k * n + j];
      inverse[i * n + j] = sum / a[i * n + i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::size_t k = i; k < n; ++k) sum += inverse[k * n + i] * inverse[k * n + j];
      a[i * n + j] = a[j * n + i] = sum;
    }
  }
  return true;
}

}  // namespace

std::string why_not_orthonormal(const FileOrbitals& file, const FunctionMap& map, const std::vector<double>& overlap) {
  const std::size_t n = map.basis.function_count();
  std::vector<double> density(n * n, 0.0);
  std::size_t count = 0;
  if (n == 0 || n > most_functions || overlap.size() != n * n) return {};
  for (std::size_t i = 0; i < file.orbitals.size(); ++i) {
    if (file.orbitals[i].spin != file.orbitals.front().spin) continue;
    ++count;
    const std::vector<double> row = dense_row(file.rows[i], map);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b <= a; ++b) density[a * n + b] += row[a] * row[b];
    }
  }
  if (count != n || !invert(density, n)) return {};
  std::vector<std::uint32_t> centre;
  for (const Shell& shell : map.basis.shells) centre.insert(centre.end(), shell.function_count(), shell.centre);
  double same_atom = 0, other_atom = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double& worst = centre[a] == centre[b] ? same_atom : other_atom;
      worst = std::max(worst, std::abs(density[a * n + b] - overlap[a * n + b]));
    }
  }
  if (same_atom > 1e-4 || other_atom < 20 * same_atom) return {};
  return fmt::format(
      "They belong to another geometry than that of the file: the functions of each atom overlap as they should (to "
      "{:.0e}), those of different atoms do not (by up to {:.2g}).",
      same_atom, other_atom);
}

}  // namespace isolume
