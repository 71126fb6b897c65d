// From the basis functions of a file to those of molecule/quantum/basis.h: rows, residuals, assembly.
#include "formats/orbitals/orbital_assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// The orbitals that the self-check looks at: all of them, or in large files evenly spaced ones.
std::vector<std::size_t> sample_of(std::size_t orbitals, std::size_t functions) {
  const std::size_t affordable =
      std::max<std::size_t>(16, 200'000'000 / std::max<std::size_t>(1, functions * functions));
  std::vector<std::size_t> sample;
  // More orbitals of a spin than functions are not orthonormal, however few are looked at.
  const std::size_t count = std::min({orbitals, affordable, std::max<std::size_t>(16, 2 * functions)});
  for (std::size_t i = 0; i < count; ++i) sample.push_back(i * orbitals / count);
  return sample;
}

}  // namespace

double odd_factorial(int n) {
  double value = 1;
  for (int i = 2 * n - 1; i > 1; i -= 2) value *= i;
  return value;
}

std::size_t cartesian_index(glm::ivec3 p) {
  const auto yz = static_cast<std::size_t>(p.y) + static_cast<std::size_t>(p.z);
  return yz * (yz + 1) / 2 + static_cast<std::size_t>(p.z);
}

double contraction_norm(const Shell& shell) {
  constexpr std::size_t most = 500;  // the time goes with the square
  if (shell.exponents.size() > most) {
    throw Error(fmt::format("a contraction of {} primitives: at most {} are read", shell.exponents.size(), most),
                Error::Kind::input);
  }
  // <k|m> of two normalised primitives of one shell is (2 sqrt(a_k a_m) / (a_k + a_m))^(l+3/2).
  double sum = 0;
  std::vector<double> roots;
  for (const double a : shell.exponents) roots.push_back(std::sqrt(a));
  for (std::size_t k = 0; k < shell.exponents.size(); ++k) {
    for (std::size_t m = 0; m <= k; ++m) {
      const double ratio = 2 * (roots[k] * roots[m]) / (shell.exponents[k] + shell.exponents[m]);
      double overlap = ratio * std::sqrt(ratio);
      for (int l = 0; l < shell.l; ++l) overlap *= ratio;
      sum += (k == m ? 1 : 2) * shell.coefficients[k] * shell.coefficients[m] * overlap;
    }
  }
  if (!(sum > 1e-200) || !std::isfinite(sum)) throw Error("a shell of the basis has norm 0", Error::Kind::input);
  return std::sqrt(sum);
}

std::vector<double> dense_row(const std::vector<FileCoefficient>& row, const FunctionMap& map) {
  std::vector<double> values(map.basis.function_count(), 0.0);
  for (const FileCoefficient& c : row) values[map.place[c.function]] += map.factor[c.function] * c.value;
  return values;
}

bool affordable_overlap(const Basis& basis) {
  // The overlap takes some 30 ns for every pair of primitives and 8 ns for every pair of their components.
  std::size_t components = 0;
  for (const Shell& shell : basis.shells) {
    components += shell.exponents.size() * static_cast<std::size_t>((shell.l + 1) * (shell.l + 2) / 2);
  }
  return basis.function_count() <= 4000 && basis.primitive_count() <= 8000 && components <= 16'000;
}

OrbitalResidual orbital_residual(const FileOrbitals& file, const FunctionMap& map, const std::vector<double>& overlap,
                                 const OrbitalResidual* best) {
  const std::size_t n = map.basis.function_count();
  const std::vector<std::size_t> sample = sample_of(file.orbitals.size(), n);
  std::vector<std::vector<double>> rows;
  OrbitalResidual residual;
  const auto occupied = [&](std::size_t i) { return file.orbitals[sample[i]].occupation > 0.5; };
  const bool occupied_ones =
      std::any_of(sample.begin(), sample.end(), [&](std::size_t i) { return file.orbitals[i].occupation > 0.5; });
  const auto is_worse = [&] {
    if (!best || residual.all < best->all) return false;
    return !occupied_ones || (best->any_occupied && residual.any_occupied && residual.occupied >= best->occupied);
  };
  std::vector<double> product(n);
  for (std::size_t a = 0; a < sample.size() && !is_worse(); ++a) {
    rows.push_back(dense_row(file.rows[sample[a]], map));
    std::fill(product.begin(), product.end(), 0.0);
    for (std::size_t mu = 0; mu < n; ++mu) {
      const double c = rows[a][mu];
      if (c == 0) continue;
      const double* s = overlap.data() + mu * n;
      for (std::size_t nu = 0; nu < n; ++nu) product[nu] += c * s[nu];
    }
    for (std::size_t b = 0; b <= a; ++b) {
      if (file.orbitals[sample[a]].spin != file.orbitals[sample[b]].spin) continue;
      const double value = std::inner_product(product.begin(), product.end(), rows[b].begin(), a == b ? -1.0 : 0.0);
      const double miss = std::isfinite(value) ? std::abs(value) : 1e300;
      residual.all = std::max(residual.all, miss);
      if (!occupied(a) || !occupied(b)) continue;
      residual.occupied = std::max(residual.occupied, miss);
      residual.any_occupied = true;
    }
  }
  return residual;
}

Orbitals assemble_orbitals(const FileOrbitals& file, FunctionMap map) {
  Orbitals orbitals;
  orbitals.centres = file.centres;
  if (file.nuclear_charges.size() == file.centres.size()) orbitals.nuclear_charges = file.nuclear_charges;
  orbitals.coefficients.reserve(file.orbitals.size() * map.basis.function_count());
  for (const Spin spin : {Spin::alpha, Spin::beta}) {
    for (std::size_t i = 0; i < file.orbitals.size(); ++i) {
      if (file.orbitals[i].spin != spin) continue;
      orbitals.orbitals.push_back(file.orbitals[i]);
      const std::vector<double> row = dense_row(file.rows[i], map);
      orbitals.coefficients.insert(orbitals.coefficients.end(), row.begin(), row.end());
      orbitals.unrestricted = orbitals.unrestricted || spin == Spin::beta;
    }
  }
  orbitals.basis = std::make_shared<const Basis>(std::move(map.basis));
  return orbitals;
}

void check_functions(const FileOrbitals& file, std::size_t functions) {
  std::size_t highest = 0;
  for (const auto& row : file.rows) {
    for (const FileCoefficient& c : row) highest = std::max<std::size_t>(highest, c.function + std::size_t{1});
  }
  if (highest > functions) {
    throw Error(fmt::format("an orbital has a coefficient for function {}; the basis has {}", highest, functions),
                Error::Kind::input);
  }
}

}  // namespace isolume
