// Charges fitted to a potential: its points, restraints, methyl groups.
#include "app/cli/quantum/fitted_atomic_charges.h"

#include <fmt/format.h>

#include "app/cli/compute/compute.h"
#include "compute/base/memory.h"
#include "compute/electron_density/density_potential.h"
#include "compute/electron_density/fitted_charges.h"
#include "compute/orbitals/electron_density.h"
#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/bonds.h"
#include "molecule/frames.h"

namespace isolume::cli {
namespace {

/// "2=3=4" as atoms from 0. Throws Error (usage).
std::vector<std::vector<std::uint32_t>> groups_of(const std::vector<std::string>& texts, std::size_t atoms) {
  std::vector<std::vector<std::uint32_t>> groups;
  for (const std::string& text : texts) {
    std::vector<std::uint32_t> group;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('=', at), text.size());
      const auto number = parse_integer(text.substr(at, end - at));
      if (!number || *number < 1 || *number > static_cast<std::int64_t>(atoms))
        throw Error(fmt::format("--equal {}: expected atoms from 1 to {} such as 2=3=4", text, atoms),
                    Error::Kind::usage);
      group.push_back(static_cast<std::uint32_t>(*number - 1));
      at = end + 1;
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<glm::dvec3> points_of(Run& run, const AtomicChargeOptions& options, const ChargeProblem& problem) {
  if (!options.at.empty()) {
    std::vector<glm::dvec3> points = read_points(options.at);
    run.report.input(options.at);
    for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
    return points;
  }
  const bool grid = options.kind == "chelpg";
  std::vector<double> radii;
  for (const int z : problem.elements) radii.push_back(grid ? chelpg_radius(z) : merz_kollman_radius(z));
  run.report.method["radii"] = radii;
  if (grid) {
    run.report.method["spacing"] = 0.3;
    run.report.method["reach"] = 2.8;
    return chelpg_points(problem.orbitals->centres, radii, 0.3, 2.8);
  }
  constexpr double scales[] = {1.4, 1.6, 1.8, 2.0};
  run.report.method["shells"] = scales;
  run.report.method["points_per_square_angstrom"] = 2;
  return merz_kollman_points(problem.orbitals->centres, radii, scales, 2);
}

/// Groups of hydrogens on carbons with four neighbours, of which two or three are hydrogens, with their carbon first.
std::vector<std::vector<std::uint32_t>> methyls(const ChargeProblem& problem) {
  Topology topology = *problem.molecule->topology;
  if (!topology.has_bonds) topology.bonds = guess_bonds(topology, frame_at(*problem.molecule, problem.frame));
  const BondTable bonds = bond_table(topology);
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t c = 0; c < problem.elements.size(); ++c) {
    if (problem.elements[c] != 6 || bonds.offsets[c + 1] - bonds.offsets[c] != 4) continue;
    std::vector<std::uint32_t> group{c};
    for (std::uint32_t n = bonds.offsets[c]; n < bonds.offsets[c + 1]; ++n) {
      if (problem.elements[bonds.items[n]] == 1) group.push_back(bonds.items[n]);
    }
    if (group.size() >= 3) groups.push_back(std::move(group));
  }
  return groups;
}

ChargeFit restrained(const AtomicChargeOptions& options, const ChargeProblem& problem, ChargeFitOptions fit,
                     std::span<const glm::dvec3> points, std::span<const double> potential, Run& run) {
  const auto& centres = problem.orbitals->centres;
  fit.restraint = options.restraint;
  for (const int z : problem.elements) fit.restrained.push_back(z != 1);
  run.report.method["restraint"] = fit.restraint;
  run.report.method["tightness"] = fit.tightness;
  const ChargeFit first = fit_charges(centres, points, potential, fit);
  const auto groups = methyls(problem);
  run.report.method["stages"] = options.stages == 2 && !groups.empty() ? 2 : 1;
  if (options.stages == 1 || groups.empty()) return first;
  // Methyl and methylene groups again, their hydrogens alike; the rest stays.
  fit.charges = first.charges;
  fit.fixed.assign(centres.size(), true);
  fit.restraint = 2 * options.restraint;
  for (const auto& group : groups) {
    for (const std::uint32_t atom : group) fit.fixed[atom] = false;
    fit.equal.emplace_back(group.begin() + 1, group.end());
  }
  return fit_charges(centres, points, potential, fit);
}

}  // namespace

std::vector<double> fitted(Run& run, const AtomicChargeOptions& options, const ChargeProblem& problem) {
  const std::vector<glm::dvec3> points = points_of(run, options, problem);
  require_memory(hermite_memory(*problem.orbitals), Device::cpu(), "pairs of functions");
  const DensityPotential potential(*problem.orbitals, density_weights(*problem.orbitals, DensityKind::electron),
                                   problem.nuclei, run.job());
  run.report.phase("plan");
  std::vector<double> values(points.size());
  potential.at(points, values, {}, run.job(), run.device);
  run.report.phase("compute");
  ChargeFitOptions fit;
  fit.total_charge = problem.charge;
  fit.equal = groups_of(options.equal, problem.elements.size());
  const ChargeFit result = options.kind == "resp" ? restrained(options, problem, fit, points, values, run)
                                                  : fit_charges(problem.orbitals->centres, points, values, fit);
  run.report.result["points"] = points.size();
  run.report.result["rms_hartree_per_e"] = result.rms;
  run.report.result["relative_rms"] = result.relative;
  run.say(fmt::format("{} points, rms of the fit {:.2e} hartree/e ({:.1f} % of the potential)", points.size(),
                      result.rms, 100 * result.relative));
  return result.charges;
}

}  // namespace isolume::cli
