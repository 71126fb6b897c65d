// Molecular orbitals and densities at points, in plain double precision straight from the definition of the basis.
#include <cmath>
#include <vector>

#include "compute/orbitals/orbital.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/quantum/solid_harmonics.h"

namespace isolume {

namespace {

/// What does not depend on the point: Cartesian powers, the norms of each primitive, and the harmonics.
struct ShellTable {
  std::vector<glm::ivec3> powers;
  std::vector<double> norms;      ///< powers.size() rows of one value a primitive
  std::vector<double> harmonics;  ///< empty for a Cartesian shell

  explicit ShellTable(const Shell& shell) : powers(cartesian_powers(shell.l)) {
    for (const glm::ivec3 q : powers) {
      for (const double a : shell.exponents) norms.push_back(cartesian_norm(a, q.x, q.y, q.z));
    }
    if (shell.spherical) harmonics = solid_harmonic_matrix(shell.l);
  }
};

std::vector<ShellTable> shell_tables(const Orbitals& orbitals) {
  return {orbitals.basis->shells.begin(), orbitals.basis->shells.end()};
}

/// Values of all basis functions at a point (bohr).
void basis_at(const Orbitals& orbitals, const std::vector<ShellTable>& tables, glm::dvec3 point,
              std::vector<double>& chi) {
  chi.clear();
  std::vector<double> cartesian, gaussians;
  for (std::size_t s = 0; s < tables.size(); ++s) {
    const Shell& shell = orbitals.basis->shells[s];
    const ShellTable& table = tables[s];
    const glm::dvec3 d = point - orbitals.centres.at(shell.centre);
    const double r2 = glm::dot(d, d);
    gaussians.clear();
    for (const double a : shell.exponents) gaussians.push_back(std::exp(-a * r2));
    cartesian.clear();
    for (std::size_t n = 0; n < table.powers.size(); ++n) {
      double radial = 0;
      for (std::size_t p = 0; p < gaussians.size(); ++p) {
        radial += shell.coefficients[p] * table.norms[n * gaussians.size() + p] * gaussians[p];
      }
      const glm::ivec3 q = table.powers[n];
      cartesian.push_back(std::pow(d.x, q.x) * std::pow(d.y, q.y) * std::pow(d.z, q.z) * radial);
    }
    if (!shell.spherical) {
      chi.insert(chi.end(), cartesian.begin(), cartesian.end());
      continue;
    }
    for (std::size_t m = 0; m < shell.function_count(); ++m) {
      double sum = 0;
      for (std::size_t c = 0; c < cartesian.size(); ++c)
        sum += table.harmonics[m * cartesian.size() + c] * cartesian[c];
      chi.push_back(sum);
    }
  }
}

void check(const Orbitals& orbitals, std::size_t points, std::size_t values) {
  if (points != values) throw Error("orbital: as many values as points are needed", Error::Kind::usage);
  if (!orbitals.basis) throw Error("orbital: there is no basis");
}

double dot(std::span<const double> a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void orbital_reference(const Orbitals& orbitals, std::size_t which, std::span<const glm::dvec3> points,
                       std::span<double> amplitude) {
  check(orbitals, points.size(), amplitude.size());
  if (which >= orbitals.count()) {
    throw Error("orbital " + std::to_string(which + 1) + ": the file has 1 to " + std::to_string(orbitals.count()),
                Error::Kind::usage);
  }
  const std::vector<ShellTable> tables = shell_tables(orbitals);
  std::vector<double> chi;
  for (std::size_t i = 0; i < points.size(); ++i) {
    basis_at(orbitals, tables, units::angstrom_in_bohr * points[i], chi);
    amplitude[i] = dot(orbitals.row(which), chi);
  }
}

void electron_density_reference(const Orbitals& orbitals, std::span<const glm::dvec3> points,
                                std::span<double> density) {
  check(orbitals, points.size(), density.size());
  const std::vector<ShellTable> tables = shell_tables(orbitals);
  std::vector<double> chi;
  for (std::size_t i = 0; i < points.size(); ++i) {
    basis_at(orbitals, tables, units::angstrom_in_bohr * points[i], chi);
    density[i] = 0;
    for (std::size_t n = 0; n < orbitals.count(); ++n) {
      if (orbitals.orbitals[n].occupation == 0) continue;
      const double psi = dot(orbitals.row(n), chi);
      density[i] += orbitals.orbitals[n].occupation * psi * psi;
    }
  }
}

}  // namespace isolume
