// Hirshfeld's charges: integrals on atomic grids, weights from free atoms.
#include "compute/electron_density/hirshfeld.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compute/base/gauss_legendre.h"
#include "compute/electron_density/becke_math.h"
#include "compute/electron_density/hirshfeld_bodies.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

std::vector<double> inverse_distances(std::span<const glm::dvec3> centres) {
  std::vector<double> inverse;
  for (const glm::dvec3& a : centres) {
    for (const glm::dvec3& b : centres) inverse.push_back(&a == &b ? 0.0 : 1 / glm::distance(a, b));
  }
  return inverse;
}

/// The free atoms by element, and by atom which.
struct FreeAtoms {
  std::map<int, FreeAtom> of_element;

  FreeAtoms(const Orbitals& orbitals, std::span<const int> elements, std::span<const double> charges, Job& job) {
    check_free_atoms(orbitals, elements, charges);
    for (std::size_t a = 0; a < elements.size(); ++a) {
      const int z = elements[a];
      if (of_element.contains(z)) continue;
      std::vector<Shell> shells;
      for (const Shell& shell : orbitals.basis->shells) {
        if (shell.centre == a) shells.push_back(shell);
      }
      job.check();
      of_element.emplace(z, FreeAtom(z, shells));
    }
  }
};

}  // namespace

void check_free_atoms(const Orbitals& orbitals, std::span<const int> elements, std::span<const double> charges) {
  const std::size_t atoms = orbitals.centres.size();
  if (elements.size() != atoms || charges.size() != atoms)
    throw Error("Hirshfeld: an element and a charge for each centre are needed", Error::Kind::usage);
  for (std::size_t a = 0; a < atoms; ++a) {
    const int z = elements[a];
    if (z > 0 && std::abs(charges[a] - z) <= 1e-6) continue;
    throw Error(fmt::format("Hirshfeld: atom {} ({}) has an effective core ({:g} e), and no free atom of it is known",
                            a + 1, element(z).symbol, charges[a]),
                Error::Kind::usage);
  }
}

AtomicGrid atomic_grid(int of, const AtomicGridSize& size) {
  AtomicGrid grid;
  // Half of the radial points are nearer than this.
  const double covalent = static_cast<double>(element(of).covalent_radius) * units::angstrom_in_bohr;
  const double middle = of == 1 ? covalent : 0.5 * covalent;
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
        grid.points.push_back(r * glm::dvec3(around * std::cos(turn), around * std::sin(turn), z));
        grid.weights.push_back(radial_weight * rule.weights[static_cast<std::size_t>(j)] * units::pi / polar);
      }
    }
  }
  return grid;
}

AtomicGrid atomic_grid(std::span<const glm::dvec3> centres, std::span<const int> elements, std::size_t centre,
                       const AtomicGridSize& size) {
  const AtomicGrid alone = atomic_grid(elements[centre], size);
  const std::vector<double> inverse = inverse_distances(centres);
  AtomicGrid grid;
  std::vector<double> distances(centres.size());
  for (std::size_t i = 0; i < alone.points.size(); ++i) {
    const glm::dvec3 point = centres[centre] + alone.points[i];
    for (std::size_t a = 0; a < centres.size(); ++a) distances[a] = glm::distance(point, centres[a]);
    const double share = becke_math::share(distances.data(), 1, inverse.data(), centres.size(), centre);
    if (share < becke_math::least_share) continue;
    grid.points.push_back(point);
    grid.weights.push_back(share * alone.weights[i]);
  }
  return grid;
}

HirshfeldCharges hirshfeld_charges(const Orbitals& orbitals, std::span<const int> elements,
                                   std::span<const double> charges, Job& job, Device device,
                                   const AtomicGridSize& size) {
  const FreeAtoms free(orbitals, elements, charges, job);
  const DensityEvaluator evaluator(orbitals, density_weights(orbitals, DensityKind::electron));
  HirshfeldProblem problem{evaluator, orbitals.centres, {}, {}, {}, inverse_distances(orbitals.centres)};
  std::map<int, std::size_t> kinds;
  for (const int z : elements) {
    const auto [found, is_new] = kinds.try_emplace(z, problem.free.size());
    problem.kinds.push_back(found->second);
    if (!is_new) continue;
    problem.free.push_back(free.of_element.at(z).table());
    problem.grids.push_back(atomic_grid(z, size));
  }
  const HirshfeldSums sums =
      device.is_cuda() ? hirshfeld_sums_cuda(problem, device, job) : hirshfeld_sums_cpu(problem, job);
  HirshfeldCharges result;
  for (std::size_t a = 0; a < charges.size(); ++a) result.charges.push_back(charges[a] - sums.electrons[a]);
  result.electrons = sums.all;
  result.points = sums.points;
  return result;
}

HirshfeldCharges hirshfeld_reference(const Orbitals& orbitals, std::span<const int> elements,
                                     std::span<const double> charges, const AtomicGridSize& size) {
  Job job;
  const FreeAtoms free(orbitals, elements, charges, job);
  const DensityEvaluator evaluator(orbitals, density_weights(orbitals, DensityKind::electron));
  HirshfeldCharges result;
  result.charges.assign(charges.begin(), charges.end());
  for (std::size_t centre = 0; centre < charges.size(); ++centre) {
    const AtomicGrid grid = atomic_grid(orbitals.centres, elements, centre, size);
    const std::vector<DensityDerivatives> density = evaluator.reference(grid.points);
    result.points += grid.points.size();
    for (std::size_t i = 0; i < grid.points.size(); ++i) {
      const double amount = grid.weights[i] * density[i].density;
      const auto of_atom = [&](std::size_t a) {
        return free.of_element.at(elements[a]).density(glm::distance(grid.points[i], orbitals.centres[a]));
      };
      double all = 0;
      for (std::size_t a = 0; a < charges.size(); ++a) all += of_atom(a);
      result.electrons += amount;
      for (std::size_t a = 0; a < charges.size() && all > 0; ++a) result.charges[a] -= amount * of_atom(a) / all;
    }
  }
  return result;
}

}  // namespace isolume
