// Hirshfeld's charges: integrals on atomic grids, weights from free atoms.
#include "compute/electron_density/hirshfeld.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compute/base/gauss_legendre.h"
#include "compute/base/parallel_for.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/free_atom.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

double becke_step(double mu) {
  for (int i = 0; i < 3; ++i) mu = 1.5 * mu - 0.5 * mu * mu * mu;
  return 0.5 * (1 - mu);
}

/// The part of `centre` in a point.
double becke_weight(std::span<const glm::dvec3> centres, glm::dvec3 point, std::size_t centre,
                    std::vector<double>& distances) {
  distances.resize(centres.size());
  for (std::size_t a = 0; a < centres.size(); ++a) distances[a] = glm::distance(point, centres[a]);
  double sum = 0, own = 0;
  for (std::size_t a = 0; a < centres.size(); ++a) {
    double cell = 1;
    for (std::size_t b = 0; b < centres.size() && cell > 1e-14; ++b) {
      if (a != b) cell *= becke_step((distances[a] - distances[b]) / glm::distance(centres[a], centres[b]));
    }
    sum += cell;
    if (a == centre) own = cell;
  }
  return sum > 0 ? own / sum : 0;
}

}  // namespace

AtomicGrid atomic_grid(std::span<const glm::dvec3> centres, std::span<const int> elements, std::size_t centre,
                       const AtomicGridSize& size) {
  AtomicGrid grid;
  std::vector<double> distances;
  // Half of the radial points are nearer than this.
  const double covalent = static_cast<double>(element(elements[centre]).covalent_radius) * units::angstrom_in_bohr;
  const double middle = elements[centre] == 1 ? covalent : 0.5 * covalent;
  for (int i = 1; i <= size.radial; ++i) {
    const double angle = i * units::pi / (size.radial + 1), x = std::cos(angle);
    const double r = middle * (1 + x) / (1 - x);
    // Chebyshev's weight of the second kind, less its sqrt(1 - x^2), times dr/dx and r^2.
    const double radial_weight =
        units::pi / (size.radial + 1) * std::sin(angle) * 2 * middle / ((1 - x) * (1 - x)) * r * r;
    if (r > 40) continue;
    const int polar = r < 0.25 * covalent  ? size.polar / 3 + 1
                      : r < 0.5 * covalent ? 2 * size.polar / 3 + 1
                                           : size.polar;
    const QuadratureRule rule = gauss_legendre(polar);
    for (int j = 0; j < polar; ++j) {
      const double z = rule.nodes[static_cast<std::size_t>(j)], around = std::sqrt(1 - z * z);
      for (int k = 0; k < 2 * polar; ++k) {
        const double turn = units::pi * (k + 0.5) / polar;
        const glm::dvec3 point = centres[centre] + r * glm::dvec3(around * std::cos(turn), around * std::sin(turn), z);
        const double share = becke_weight(centres, point, centre, distances);
        if (share < 1e-12) continue;
        grid.points.push_back(point);
        grid.weights.push_back(share * radial_weight * rule.weights[static_cast<std::size_t>(j)] * units::pi / polar);
      }
    }
  }
  return grid;
}

HirshfeldCharges hirshfeld_charges(const Orbitals& orbitals, std::span<const int> elements,
                                   std::span<const double> charges, Job& job) {
  const std::size_t atoms = orbitals.centres.size();
  if (elements.size() != atoms || charges.size() != atoms)
    throw Error("Hirshfeld: an element and a charge for each centre are needed", Error::Kind::usage);
  std::map<int, FreeAtom> free_atoms;
  for (std::size_t a = 0; a < atoms; ++a) {
    const int z = elements[a];
    if (z == 0 || std::abs(charges[a] - z) > 1e-6) {
      throw Error(fmt::format("Hirshfeld: atom {} ({}) has an effective core ({:g} e), and no free atom of it is known",
                              a + 1, element(z).symbol, charges[a]),
                  Error::Kind::usage);
    }
    if (free_atoms.contains(z)) continue;
    std::vector<Shell> shells;
    for (const Shell& shell : orbitals.basis->shells) {
      if (shell.centre == a) shells.push_back(shell);
    }
    job.check();
    free_atoms.emplace(z, FreeAtom(z, shells));
  }
  const DensityEvaluator evaluator(orbitals, density_weights(orbitals, DensityKind::electron));
  HirshfeldCharges result;
  result.charges.assign(charges.begin(), charges.end());
  for (std::size_t centre = 0; centre < atoms; ++centre) {
    job.progress(static_cast<double>(centre) / static_cast<double>(atoms), "Hirshfeld charges");
    const AtomicGrid grid = atomic_grid(orbitals.centres, elements, centre);
    result.points += grid.points.size();
    constexpr std::size_t batch = DensityEvaluator::batch, part = 16 * batch;
    const std::size_t parts = (grid.points.size() + part - 1) / part;
    // Sums of parts are added in their order, so that the number of threads does not matter.
    std::vector<std::vector<double>> sums(parts, std::vector<double>(atoms + 1, 0.0));
    Job quiet;
    parallel_for(parts, quiet, "Hirshfeld charges", [&](std::size_t p) {
      job.check();
      std::vector<DensityDerivatives> values(batch);
      std::vector<double> shares(atoms);
      const std::size_t end = std::min((p + 1) * part, grid.points.size());
      for (std::size_t first = p * part; first < end; first += batch) {
        const std::size_t count = std::min(batch, end - first);
        evaluator.evaluate({grid.points.data() + first, count}, DensityOrder::value, {values.data(), count});
        for (std::size_t n = 0; n < count; ++n) {
          const double amount = values[n].density * grid.weights[first + n];
          double all = 0;
          for (std::size_t a = 0; a < atoms; ++a) {
            shares[a] = free_atoms.at(elements[a]).density(glm::distance(grid.points[first + n], orbitals.centres[a]));
            all += shares[a];
          }
          sums[p][atoms] += amount;
          if (all <= 0) continue;
          for (std::size_t a = 0; a < atoms; ++a) sums[p][a] += amount * shares[a] / all;
        }
      }
    });
    for (const std::vector<double>& sum : sums) {
      for (std::size_t a = 0; a < atoms; ++a) result.charges[a] -= sum[a];
      result.electrons += sum[atoms];
    }
  }
  return result;
}

}  // namespace isolume
