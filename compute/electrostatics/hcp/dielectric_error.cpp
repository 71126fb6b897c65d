// The measured error of forces and energies in a dielectric.
#include "compute/electrostatics/hcp/dielectric_error.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/hcp/hcp_pair.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr double coincidence = 1e-4;  // angstrom, within which atoms do not interact

/// What all other atoms do to one: potential times charge (kcal/mol) and force.
struct Exact {
  double energy = 0;
  glm::dvec3 force{0.0};
};

std::vector<std::size_t> spread(std::size_t samples, std::size_t atoms) {
  std::vector<std::size_t> chosen(std::min(samples, atoms));
  for (std::size_t s = 0; s < chosen.size(); ++s) chosen[s] = s * atoms / chosen.size();
  return chosen;
}

std::vector<Exact> exact_at(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                            std::span<const glm::vec3> positions, std::span<const std::size_t> atoms, Job& job) {
  const DielectricPair pair(dielectric);
  const PairExclusions& x = problem.exclusions;
  std::vector<Exact> exact(atoms.size());
  parallel_for(atoms.size(), job, "sums in double precision", [&](std::size_t s) {
    const std::size_t i = atoms[s];
    Exact& sum = exact[s];
    const auto add = [&](std::size_t j, double factor) {
      const glm::dvec3 d = glm::dvec3(positions[i]) - glm::dvec3(positions[j]);
      const double r = glm::length(d);
      if (r < coincidence) return;
      double along = 0;
      const double charge = factor * static_cast<double>(problem.charges[j]);
      sum.energy += charge * pair.value(r, &along);
      sum.force += charge * along * d;
    };
    for (std::size_t j = 0; j < positions.size(); ++j) {
      if (j % 65536 == 0) job.check();
      if (j != i) add(j, 1);
    }
    for (std::uint32_t k = x.empty() ? 0 : x.offsets[i]; k < (x.empty() ? 0 : x.offsets[i + 1]); ++k)
      add(x.partners[k], static_cast<double>(x.kept[k]) - 1);
    const double charge = units::coulomb_kcal_angstrom * static_cast<double>(problem.charges[i]);
    sum.energy *= charge;
    sum.force *= charge;
  });
  return exact;
}

}  // namespace

ForceError dielectric_force_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                  std::span<const glm::vec3> positions, std::span<const glm::vec3> forces,
                                  std::size_t samples, Job& job) {
  const std::vector<std::size_t> atoms = spread(samples, positions.size());
  const std::vector<Exact> exact = exact_at(problem, dielectric, positions, atoms, job);
  ForceError error;
  error.atoms = atoms.size();
  error.reference = "the sum over all atoms in the dielectric, in double precision";
  double squares = 0, scale = 0;
  for (std::size_t s = 0; s < atoms.size(); ++s) {
    const glm::dvec3 d = glm::dvec3(forces[atoms[s]]) - exact[s].force;
    squares += glm::dot(d, d);
    scale += glm::dot(exact[s].force, exact[s].force);
    error.max = std::max(error.max, glm::length(d));
  }
  error.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, error.atoms)));
  error.relative = scale > 0 ? std::sqrt(squares / scale) : 0;
  return error;
}

EnergyError dielectric_energy_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                    std::span<const glm::vec3> positions, double energy,
                                    std::span<const float> energies, std::size_t samples, Job& job) {
  const std::vector<std::size_t> atoms = spread(samples, positions.size());
  const std::vector<Exact> exact = exact_at(problem, dielectric, positions, atoms, job);
  EnergyError error;
  error.atoms = atoms.size();
  if (atoms.empty()) return error;
  const auto n = static_cast<double>(atoms.size()), all = static_cast<double>(positions.size());
  double sum = 0, squares = 0, total = 0;
  for (std::size_t s = 0; s < atoms.size(); ++s) {
    const double d = static_cast<double>(energies[atoms[s]]) - 0.5 * exact[s].energy;
    sum += d;
    squares += d * d;
    total += 0.5 * exact[s].energy;
  }
  error.error = atoms.size() == positions.size() ? energy - total : sum * all / n;
  error.rms = std::sqrt(squares / n);
  error.relative = total != 0 ? std::abs(error.error / (total * all / n)) : 0;
  // Of a sample without repetition.
  if (atoms.size() < positions.size() && atoms.size() > 1)
    error.standard_error = all * std::sqrt(std::max(0.0, squares - sum * sum / n) / (n * (n - 1)) * (1 - n / all));
  return error;
}

std::size_t quick_energy_samples(std::size_t atoms) {
  constexpr std::size_t whole = 10000, fewest = 50;
  if (atoms <= whole) return atoms;
  return std::max(fewest, whole * whole / atoms);
}

}  // namespace isolume
