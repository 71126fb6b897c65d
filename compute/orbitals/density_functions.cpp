// The Cartesian functions of a basis and the occupied orbitals over them: how they are made, and their bounds.
#include "compute/orbitals/density_functions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {
namespace {

/// A bound of every function of the shell at `distance` or further: |x^i y^j z^k| <= r^l, and r^l exp(-a r^2) falls
/// beyond sqrt(l / 2a).
double bound(const DensityFunctions& all, const DensityShell& shell, double distance) {
  double sum = 0;
  for (std::uint32_t p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
    const double a = all.exponents[p];
    const double r = std::max(distance, std::sqrt(0.5 * shell.l / a));
    sum += std::abs(all.factors[p]) * std::pow(r, shell.l) * std::exp(-a * r * r);
  }
  return sum;
}

void check(const Orbitals& orbitals) {
  if (!orbitals.basis) throw Error("density: there is no basis");
  const std::size_t functions = orbitals.basis->function_count();
  if (orbitals.coefficients.size() != orbitals.count() * functions) {
    throw Error(fmt::format("density: {} coefficients for {} orbitals over {} functions", orbitals.coefficients.size(),
                            orbitals.count(), functions));
  }
  for (const Shell& shell : orbitals.basis->shells) {
    const bool positive = std::all_of(shell.exponents.begin(), shell.exponents.end(), [](double a) { return a > 0; });
    if (shell.centre >= orbitals.centres.size() || shell.l > max_angular_momentum || !positive ||
        shell.coefficients.size() != shell.exponents.size()) {
      throw Error("density: a shell of the basis does not fit together");
    }
  }
}

}  // namespace

namespace {

/// The functions with the orbitals `occupied` of these weights.
DensityFunctions make_functions(const Orbitals& orbitals, std::span<const std::size_t> occupied,
                                std::span<const double> weights) {
  check(orbitals);
  DensityFunctions out;
  out.weights.assign(weights.begin(), weights.end());
  out.orbitals = (occupied.size() + 3) / 4 * 4;
  out.weights.resize(out.orbitals, 0.0);
  std::vector<const double*> rows;
  rows.reserve(occupied.size());
  for (const std::size_t orbital : occupied) rows.push_back(orbitals.row(orbital).data());
  std::size_t file_function = 0;
  for (const Shell& shell : orbitals.basis->shells) {
    DensityShell to;
    to.centre = orbitals.centres[shell.centre];
    to.l = shell.l;
    to.first_primitive = static_cast<std::uint32_t>(out.exponents.size());
    to.primitives = static_cast<std::uint32_t>(shell.exponents.size());
    to.first_function = static_cast<std::uint32_t>(out.functions);
    for (std::size_t p = 0; p < shell.exponents.size(); ++p) {
      out.exponents.push_back(shell.exponents[p]);
      out.factors.push_back(shell.coefficients[p] * cartesian_norm(shell.exponents[p], shell.l, 0, 0));
    }
    const std::vector<glm::ivec3> powers = cartesian_powers(shell.l);
    const std::vector<double> matrix = shell.spherical ? solid_harmonic_matrix(shell.l) : std::vector<double>();
    const std::size_t first = out.coefficients.size();
    out.coefficients.resize(first + powers.size() * out.orbitals, 0.0);
    for (std::size_t c = 0; c < powers.size(); ++c) {
      // The norm of this component over that of x^l, which does not depend on the exponent.
      const double norm = cartesian_norm(1, powers[c].x, powers[c].y, powers[c].z) / cartesian_norm(1, shell.l, 0, 0);
      for (std::size_t n = 0; n < occupied.size(); ++n) {
        const double* row = rows[n] + file_function;
        double sum = shell.spherical ? 0 : row[c];
        for (std::size_t m = 0; shell.spherical && m < shell.function_count(); ++m) {
          sum += row[m] * matrix[m * powers.size() + c];
        }
        out.coefficients[first + c * out.orbitals + n] = sum * norm;
      }
    }
    file_function += shell.function_count();
    out.functions += powers.size();
    out.shells.push_back(to);
  }
  return out;
}

}  // namespace

DensityFunctions density_functions(const Orbitals& orbitals, std::span<const double> weights) {
  std::vector<std::size_t> occupied;
  std::vector<double> of_occupied;
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    if (weights[i] == 0) continue;
    occupied.push_back(i);
    of_occupied.push_back(weights[i]);
  }
  return make_functions(orbitals, occupied, of_occupied);
}

DensityFunctions density_functions(const Orbitals& orbitals, std::span<const std::size_t> which) {
  return make_functions(orbitals, which, std::vector<double>(which.size(), 1.0));
}

void DensityFunctions::cut(double tolerance, double largest) {
  // Leaving out functions below t changes psi_i by d_i <= t sum_mu |C_mu,i|, and the density by
  // sum_i |w_i| (2 |psi_i| d_i + d_i^2) <= 2 sqrt(largest) D t + D^2 t^2, D^2 = sum_i |w_i| (sum_mu |C_mu,i|)^2.
  std::vector<double> sums(orbitals, 0.0);
  for (std::size_t f = 0; f < functions; ++f) {
    for (std::size_t i = 0; i < orbitals; ++i) sums[i] += std::abs(coefficients[f * orbitals + i]);
  }
  double d2 = 0;
  for (std::size_t i = 0; i < orbitals; ++i) d2 += std::abs(weights[i]) * sums[i] * sums[i];
  if (d2 == 0) return;
  const double t = (std::sqrt(largest + tolerance) - std::sqrt(largest)) / std::sqrt(d2);
  cut_below(t);
}

void DensityFunctions::cut_below(double value) {
  // Shells of one element are alike.
  struct Known {
    const DensityShell* shell;
    double cutoff;
  };
  std::vector<Known> known;
  const auto alike = [this](const DensityShell& a, const DensityShell& b) {
    const auto same = [&](const std::vector<double>& values) {
      const auto first = values.begin() + a.first_primitive;
      return std::equal(first, first + a.primitives, values.begin() + b.first_primitive);
    };
    return a.l == b.l && a.primitives == b.primitives && same(exponents) && same(factors);
  };
  for (DensityShell& shell : shells) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const Known& k) { return alike(*k.shell, shell); });
    if (found != known.end()) {
      shell.cutoff = found->cutoff;
      continue;
    }
    double lower = 0, upper = 1;
    while (bound(*this, shell, upper) > value && upper < 1e6) upper *= 2;
    for (int i = 0; i < 30; ++i) {
      const double middle = 0.5 * (lower + upper);
      (bound(*this, shell, middle) > value ? lower : upper) = middle;
    }
    shell.cutoff = bound(*this, shell, 0) <= value ? -1 : upper;
    if (known.size() < 64) known.push_back({&shell, shell.cutoff});
  }
}

}  // namespace isolume
