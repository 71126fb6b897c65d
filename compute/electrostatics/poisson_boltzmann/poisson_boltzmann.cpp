// Poisson-Boltzmann: checks, nested boxes, and maps and energies from their solutions.
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>

#include "compute/base/checks.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/pb_box_plan.h"
#include "compute/electrostatics/poisson_boltzmann/pb_boxes.h"
#include "compute/electrostatics/poisson_boltzmann/pb_checks.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_nodes.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// The estimate of the error from the same box with steps twice as long.
MapError estimate(const PbDifference& sums, double volts) {
  MapError error;
  error.points = sums.count;
  error.max = sums.most * volts;
  if (sums.count == 0) return error;
  error.rms = std::sqrt(sums.square / static_cast<double>(sums.count)) * volts;
  error.relative = sums.values > 0 ? std::sqrt(sums.square / sums.values) : 0;
  return error;
}

void check_converged(std::span<const ChargedSphere> atoms, const PbStage& stage, const PoissonBoltzmannOptions& o) {
  if (std::isfinite(stage.progress.residual) && stage.progress.residual <= 1.5 * o.tolerance) return;
  // The non-linear equation fails where the ions' exponentials run away: by charges that no molecule has.
  const auto most = std::max_element(atoms.begin(), atoms.end(), [](const ChargedSphere& a, const ChargedSphere& b) {
    return std::abs(a.charge) < std::abs(b.charge);
  });
  throw Error(fmt::format(
      "Poisson-Boltzmann: no convergence: a relative residual of {:.2g} after {} cycles, expected {:g}. The "
      "largest charge is {:g} e, of atom {}; if the charges are right, take {}shorter steps",
      stage.progress.residual, stage.progress.cycles, o.tolerance, most->charge, most - atoms.begin() + 1,
      o.nonlinear ? "the linear equation, or " : ""));
}

}  // namespace

PoissonBoltzmannResult poisson_boltzmann(std::span<const ChargedSphere> atoms, const Grid& grid,
                                         const PoissonBoltzmannOptions& options, Span<float> potential, Job& job,
                                         PoissonBoltzmannStart* start) {
  return pb_solve_boxes(atoms, grid, options, potential, job, start, nullptr);
}

PoissonBoltzmannResult poisson_boltzmann_at_nodes(std::span<const ChargedSphere> atoms, const Grid& grid,
                                                  const PoissonBoltzmannOptions& options,
                                                  std::span<const std::uint8_t> wanted, Span<float> potential, Job& job,
                                                  PoissonBoltzmannStart* start) {
  if (!wanted.empty() && wanted.size() != grid.size())
    throw Error(fmt::format("Poisson-Boltzmann: {} marks of wanted nodes for a grid of {}", wanted.size(), grid.size()),
                Error::Kind::usage);
  return pb_solve_boxes(atoms, grid, options, potential, job, start, nullptr, wanted);
}

PoissonBoltzmannResult pb_solve_boxes(std::span<const ChargedSphere> atoms, const Grid& grid,
                                      const PoissonBoltzmannOptions& options, Span<float> potential, Job& job,
                                      PoissonBoltzmannStart* start, PoissonBoltzmannStart* coarse,
                                      std::span<const std::uint8_t> wanted) {
  {
    const PhaseTimer timer("Poisson-Boltzmann: checks");
    pb_check(atoms, grid, options, potential);
    if (!potential.device.is_cuda()) pb_check_overlap(atoms);
  }
  // Next to a device, which begins meanwhile: its work is for nothing where atoms overlap, and nothing is returned.
  std::future<void> overlap;
  if (potential.device.is_cuda()) overlap = std::async(std::launch::async, [atoms] { pb_check_overlap(atoms); });
  require_memory(poisson_boltzmann_memory(atoms, grid, options, potential.device), potential.device,
                 "Poisson-Boltzmann");
  const double volts = units::thermal_voltage(options.temperature);
  const std::vector<PbBox> boxes = pb_boxes(atoms, grid, options);
  PoissonBoltzmannResult result;
  result.grids = static_cast<int>(boxes.size());
  result.counts = boxes.back().counts;
  result.reaction_potential.assign(atoms.size(), 0.0);
  std::vector<char> known(atoms.size(), 0);
  for (const ChargedSphere& atom : atoms)
    result.outside += atom.charge != 0 && !boxes.back().contains(glm::dvec3(atom.position));
  const bool all_in_last = std::all_of(atoms.begin(), atoms.end(), [&](const ChargedSphere& atom) {
    return boxes.back().contains(glm::dvec3(atom.position));
  });
  // The larger boxes and the grid with steps twice as long need not be solved as far: what they are taken for is exact
  // to three or four digits.
  PoissonBoltzmannOptions rules = options;  // of the stage that is solved
  const double rough = std::max(options.tolerance, 1e-5);
  const std::unique_ptr<PbStageMaker> stages =
      potential.device.is_cuda() ? pb_stages_cuda(atoms, rules, boxes, potential.device) : pb_stages_host(atoms, rules);
  std::unique_ptr<PbStage> outer;
  const double share = 1.0 / static_cast<double>(8 * boxes.size());
  double done = 0;
  // What the last solutions were of the larger boxes, and last of the grid with steps twice as long.
  if (start != nullptr) start->others.resize(boxes.size());
  for (const PbBox& box : boxes) {
    PoissonBoltzmannStart* const other =
        start != nullptr ? &start->others[static_cast<std::size_t>(&box - boxes.data())] : nullptr;
    const bool last = &box == &boxes.back();
    JobPart part(job, done, last ? 0.9 : done + share);
    done += share;
    std::unique_ptr<PbStage> stage = stages->make(box, part);
    if (overlap.valid()) overlap.get();
    if (last) pb_check_stage(atoms, *stage, options);
    stage->set_faces(outer.get(), part);
    std::unique_ptr<PbStage> halved;
    if (last && (options.estimate_error)) {
      halved = stages->make(box.coarser(), part);
      halved->take_faces(*stage);
      if (other != nullptr) halved->start_from(*other);
      rules.tolerance = rough;
      halved->solve(part);
      check_converged(atoms, *halved, rules);
      if (coarse != nullptr) halved->keep(*coarse);
      if (other != nullptr) halved->keep(*other);
      stage->start_from(*halved);
    } else if (outer) {
      stage->start_from(*outer);
    }
    PoissonBoltzmannStart* const own = last ? start : other;
    if (own != nullptr) stage->start_from(*own);
    rules.tolerance = last ? options.tolerance : rough;
    stage->solve(part);
    check_converged(atoms, *stage, rules);
    if (own != nullptr) stage->keep(*own);
    if (last || !all_in_last) stage->reaction(result.reaction_potential, known);
    if (last && halved) {
      result.error = estimate(stage->difference(*halved), volts);
      std::vector<double> other = result.reaction_potential;
      std::vector<char> ignored(atoms.size(), 0);
      halved->reaction(other, ignored);
      double apart = 0, squares = 0, coarse_energy = halved->ion_energy();
      for (std::size_t i = 0; i < atoms.size(); ++i) {
        const double own = 0.5 * static_cast<double>(atoms[i].charge) * (result.reaction_potential[i] - other[i]);
        apart += own;
        squares += own * own;
        coarse_energy += 0.5 * static_cast<double>(atoms[i].charge) * other[i];
      }
      apart += stage->ion_energy() - halved->ion_energy();
      // Differences of both signs may cancel by chance.
      result.solvation_error = std::max(std::abs(apart), std::sqrt(squares)) * volts * units::ev_in_kcal_per_mol;
      result.coarse_energy = coarse_energy * volts * units::ev_in_kcal_per_mol;
    }
    outer = std::move(stage);
  }
  double energy = outer->ion_energy();
  result.ion_energy = energy * volts * units::ev_in_kcal_per_mol;
  for (std::size_t i = 0; i < atoms.size(); ++i)
    energy += 0.5 * static_cast<double>(atoms[i].charge) * result.reaction_potential[i];
  result.solvation_energy = energy * volts * units::ev_in_kcal_per_mol;
  for (double& value : result.reaction_potential) value *= volts;
  result.residual = outer->progress.residual;
  result.cycles = outer->progress.cycles;
  result.newton_steps = outer->progress.steps;
  if (!potential.empty()) {
    JobPart part(job, 0.9, 1.0);
    outer->wanted = wanted;
    outer->potential(grid, potential, volts, part);
  }
  return result;
}

double PoissonBoltzmannOptions::ionic_strength() const {
  double sum = 0;
  for (const IonSpecies& ion : ions) sum += 0.5 * ion.charge * ion.charge * ion.concentration;
  return sum;
}

double PoissonBoltzmannOptions::inverse_debye_length() const {
  DebyeHueckelOptions solvent;
  solvent.ionic_strength = ionic_strength();
  solvent.temperature = temperature;
  solvent.permittivity = solvent_permittivity;
  return solvent.inverse_debye_length();
}

std::string describe(const PoissonBoltzmannOptions& o) {
  std::string surface = o.boundary == DielectricBoundary::van_der_waals ? "van der Waals surface"
                        : o.boundary == DielectricBoundary::smooth      ? "smoothed solvent-excluded surface"
                        : o.boundary == DielectricBoundary::spline
                            ? (o.spline_degree == 7 ? "splines of degree 7 about the atoms" : "splines about the atoms")
                        : o.boundary == DielectricBoundary::gaussian ? "Gaussian dielectric"
                                                                     : "solvent-excluded surface";
  if (o.membrane)
    surface += fmt::format(", membrane of {:g} angstrom about z = {:g} with permittivity {:g}", o.membrane->thickness,
                           o.membrane->centre, o.membrane->permittivity);
  return fmt::format("{} Poisson-Boltzmann, permittivities {:g} and {:g}, ionic strength {:g} mol/l, {}",
                     o.ion_size > 0 ? "size-modified"
                     : o.nonlinear  ? "non-linear"
                                    : "linear",
                     o.solute_permittivity, o.solvent_permittivity, o.ionic_strength(), surface);
}

}  // namespace isolume
