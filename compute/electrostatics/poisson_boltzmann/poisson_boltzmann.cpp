// Poisson-Boltzmann: checks, nested boxes, and maps and energies from their solutions.
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compute/base/checks.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/pb_boxes.h"
#include "compute/electrostatics/poisson_boltzmann/pb_checks.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

/// Counts from `least` up to which steps can be doubled often: m 2^levels + 1, m of the largest at most 8 and of the
/// smallest at least 2. The same on every device, so that the numbers are.
glm::ivec3 solvable(glm::ivec3 least) {
  const int largest = std::max({least.x, least.y, least.z}) - 1, smallest = std::min({least.x, least.y, least.z}) - 1;
  int unit = 1;
  while (largest > 8 * unit && smallest > 2 * unit) unit *= 2;
  glm::ivec3 counts;
  for (int axis = 0; axis < 3; ++axis) counts[axis] = std::max(2, (least[axis] - 2 + unit) / unit) * unit + 1;
  return counts;
}

PbBox box_of(const Grid& grid) {
  PbBox box;
  box.counts = solvable(glm::max(grid.counts, glm::ivec3(9)));
  for (int axis = 0; axis < 3; ++axis) box.step[axis] = grid.step[axis][axis];
  // An added point goes to both sides.
  box.first = (box.counts - grid.counts) / 2;
  box.origin = grid.origin - box.step * glm::dvec3(box.first);
  return box;
}

/// The part of a box that holds `core`. Every second node of the box is one of the part too.
PbBox part_of(const PbBox& box, const PoissonBoltzmannReach& core) {
  glm::ivec3 first = glm::max(glm::ivec3(glm::floor((core.lower - box.origin) / box.step)), glm::ivec3(0));
  glm::ivec3 last = glm::min(glm::ivec3(glm::ceil((core.upper - box.origin) / box.step)), box.counts - 1);
  last = glm::max(first, last);
  const glm::ivec3 least = last - first + 2;
  PbBox part = box;
  part.counts = glm::min(solvable(glm::max(least, glm::ivec3(9))), box.counts);
  for (int axis = 0; axis < 3; ++axis) {
    const int middle = first[axis] - (part.counts[axis] - least[axis]) / 2;
    first[axis] = std::clamp(middle, 0, box.counts[axis] - part.counts[axis]) & ~1;
  }
  part.origin = box.origin + box.step * glm::dvec3(first);
  part.first = box.first - first;
  return part;
}

/// The boxes from the widest to that of the grid.
std::vector<PbBox> boxes_of(std::span<const ChargedSphere> atoms, const Grid& grid, const PoissonBoltzmannOptions& o) {
  std::vector<PbBox> boxes{box_of(grid)};
  if (!o.focus) return boxes;
  glm::dvec3 lower = boxes[0].origin, upper = boxes[0].end();
  for (const ChargedSphere& atom : atoms) {
    lower = glm::min(lower, glm::dvec3(atom.position) - double{atom.radius});
    upper = glm::max(upper, glm::dvec3(atom.position) + double{atom.radius});
  }
  if (o.reach) {
    lower = glm::min(lower, o.reach->lower);
    upper = glm::max(upper, o.reach->upper);
  }
  const glm::dvec3 extent = upper - lower;
  // The sums on the outermost faces know no membrane: they have to be far from what it does.
  const double margin =
      std::max({20.0, 0.5 * std::max({extent.x, extent.y, extent.z}), o.membrane ? 4 * o.membrane->thickness : 0.0});
  lower -= margin;
  upper += margin;
  // Steps of the widest box: as long as the atoms allow, where that takes no more than 128.
  const glm::dvec3 whole = upper - lower;
  const int points = static_cast<int>(std::clamp(std::max({whole.x, whole.y, whole.z}) / 1.6, 64.0, 128.0));
  constexpr double ratio = 4;  // of steps from one box to the next
  while (boxes.size() < 8) {
    const PbBox& inner = boxes.back();
    PbBox outer;
    const glm::dvec3 size = upper - lower;
    const double widest = std::max({size.x, size.y, size.z}) / points;
    const double fine = std::min({inner.step.x, inner.step.y, inner.step.z});
    if (widest < 1.25 * fine) break;
    const double step = std::min(widest, ratio * fine);
    glm::ivec3 counts;
    for (int axis = 0; axis < 3; ++axis) {
      const double reach =
          std::min(size[axis], std::max(points * step, 1.5 * (inner.end()[axis] - inner.origin[axis])));
      counts[axis] = static_cast<int>(std::ceil(reach / step)) + 1;
    }
    outer.counts = solvable(counts);
    outer.step = glm::dvec3(step);
    const glm::dvec3 length = step * glm::dvec3(outer.counts - 1);
    const glm::dvec3 middle = 0.5 * (inner.origin + inner.end());
    // About the inner box, but no farther out than the whole.
    for (int axis = 0; axis < 3; ++axis) {
      const double spare = 0.5 * (length[axis] - size[axis]);
      outer.origin[axis] = spare >= 0
                               ? lower[axis] - spare
                               : std::clamp(middle[axis] - 0.5 * length[axis], lower[axis], upper[axis] - length[axis]);
    }
    boxes.push_back(outer);
    if (step == widest) break;
  }
  std::reverse(boxes.begin(), boxes.end());
  if (o.core) boxes.back() = part_of(boxes.back(), *o.core);
  return boxes;
}

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

void check_converged(const PbStage& stage, const PoissonBoltzmannOptions& o) {
  if (std::isfinite(stage.progress.residual) && stage.progress.residual <= 1.5 * o.tolerance) return;
  throw Error(
      fmt::format("Poisson-Boltzmann: no convergence: a relative residual of {:.2g} after {} cycles, expected {:g}",
                  stage.progress.residual, stage.progress.cycles, o.tolerance));
}

}  // namespace

PoissonBoltzmannResult poisson_boltzmann(std::span<const ChargedSphere> atoms, const Grid& grid,
                                         const PoissonBoltzmannOptions& options, Span<float> potential, Job& job,
                                         PoissonBoltzmannStart* start) {
  return pb_solve_boxes(atoms, grid, options, potential, job, start, nullptr);
}

PoissonBoltzmannResult pb_solve_boxes(std::span<const ChargedSphere> atoms, const Grid& grid,
                                      const PoissonBoltzmannOptions& options, Span<float> potential, Job& job,
                                      PoissonBoltzmannStart* start, PoissonBoltzmannStart* coarse) {
  pb_check(atoms, grid, options, potential);
  require_memory(poisson_boltzmann_memory(atoms.size(), grid, options, potential.device), potential.device,
                 "Poisson-Boltzmann");
  const double volts = units::thermal_voltage(options.temperature);
  const std::vector<PbBox> boxes = boxes_of(atoms, grid, options);
  PoissonBoltzmannResult result;
  result.grids = static_cast<int>(boxes.size());
  result.counts = boxes.back().counts;
  result.reaction_potential.assign(atoms.size(), 0.0);
  std::vector<char> known(atoms.size(), 0);
  // The larger boxes and the grid with steps twice as long need not be solved as far: what they are taken for is exact
  // to three or four digits.
  PoissonBoltzmannOptions rules = options;  // of the stage that is solved
  const double rough = std::max(options.tolerance, 1e-5);
  const std::unique_ptr<PbStageMaker> stages =
      potential.device.is_cuda() ? pb_stages_cuda(atoms, rules, potential.device) : pb_stages_host(atoms, rules);
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
    if (last) pb_check_stage(atoms, *stage, options);
    stage->set_faces(outer.get(), part);
    std::unique_ptr<PbStage> halved;
    if (last && (options.estimate_error)) {
      halved = stages->make(box.coarser(), part);
      halved->take_faces(*stage);
      if (other != nullptr) halved->start_from(*other);
      rules.tolerance = rough;
      halved->solve(part);
      check_converged(*halved, rules);
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
    check_converged(*stage, rules);
    if (own != nullptr) stage->keep(*own);
    stage->reaction(result.reaction_potential, known);
    if (last && halved) {
      result.error = estimate(stage->difference(*halved), volts);
      std::vector<double> other = result.reaction_potential;
      std::vector<char> ignored(atoms.size(), 0);
      halved->reaction(other, ignored);
      double apart = 0, coarse_energy = halved->ion_energy();
      for (std::size_t i = 0; i < atoms.size(); ++i) {
        apart += 0.5 * static_cast<double>(atoms[i].charge) * (result.reaction_potential[i] - other[i]);
        coarse_energy += 0.5 * static_cast<double>(atoms[i].charge) * other[i];
      }
      apart += stage->ion_energy() - halved->ion_energy();
      result.solvation_error = std::abs(apart) * volts * units::ev_in_kcal_per_mol;
      result.coarse_energy = coarse_energy * volts * units::ev_in_kcal_per_mol;
    }
    outer = std::move(stage);
  }
  for (const ChargedSphere& atom : atoms)
    result.outside += atom.charge != 0 && !boxes.back().contains(glm::dvec3(atom.position));
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
    outer->potential(grid, potential, volts, part);
  }
  return result;
}

std::size_t poisson_boltzmann_memory(std::size_t atoms, const Grid& grid, const PoissonBoltzmannOptions& options,
                                     Device) {
  const glm::ivec3 counts = box_of(grid).counts;
  const std::size_t nodes =
      static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  return nodes * (options.nonlinear ? 90 : 78) + atoms * 64 + (std::size_t{32} << 20);
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
