// The potential as a field of the scene.
#include "app/fields/potential_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/fields/field_atoms.h"
#include "app/fields/field_fit.h"
#include "app/fields/field_grid.h"
#include "app/fields/potential_settings.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_nodes.h"
#include "compute/electrostatics/poisson_boltzmann/shorter_steps.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int most_tries = 3;

/// The parameters of before serve: they reach the accuracy whatever the extent, and are near the fastest ones.
bool serves(const KeptPotential& kept, const PotentialPlan& plan) {
  if (!kept.known || kept.device != plan.device || kept.charges != plan.spheres.size() ||
      !(kept.settings == plan.settings) || kept.grid.step != plan.grid.step)
    return false;
  for (int axis = 0; axis < 3; ++axis) {
    const int change = std::abs(kept.grid.counts[axis] - plan.grid.counts[axis]);
    if (change > std::max(8, kept.grid.counts[axis] / 8)) return false;
  }
  return true;
}

void keep(KeptPotential* kept, const PotentialPlan& plan) {
  if (!kept) return;
  kept->known = has_accuracy(plan.options);
  if (!kept->known) return;
  kept->settings = plan.settings;
  kept->device = plan.device;
  kept->charges = plan.spheres.size();
  kept->grid = plan.grid;
  kept->options = plan.options;
  kept->bytes = plan.bytes;
}

/// The grid with steps a `share`-th as long, which has the grid's nodes too.
Grid finer(Grid grid, int share) {
  grid.step /= static_cast<double>(share);
  grid.counts = (grid.counts - 1) * share + 1;
  return grid;
}

/// Marks of the points of a grid, on one with steps a `share`-th as long. Of that no other points are used.
std::vector<std::uint8_t> marks_with_shorter_steps(const Grid& grid, std::span<const std::uint8_t> marks, int share,
                                                   const Grid& shorter) {
  std::vector<std::uint8_t> result(shorter.size(), 0);
  std::size_t at = 0;
  for (int k = 0; k < grid.counts.z; ++k)
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i, ++at)
        result[shorter.index(i * share, j * share, k * share)] = marks.empty() || marks[at] != 0;
  return result;
}

/// Whether the map of a plan has values only where they are wanted.
bool has_some_points(const PotentialPlan& plan) {
  return !plan.wanted.empty() && method_of(plan.options) == PotentialMethod::hcp;
}

/// The map of a plan; of Poisson-Boltzmann and hierarchical partitioning for the points that are wanted.
void map_of(const PotentialPlan& plan, const Grid& grid, std::span<const std::uint8_t> wanted, Span<float> values,
            Job& job, PotentialRoom& room) {
  if (method_of(plan.options) != PotentialMethod::pb)
    return potential_at_nodes(plan.spheres, grid, plan.options, wanted, values, job, &room);
  check_options(plan.options);
  room.solved = poisson_boltzmann_at_nodes(plan.spheres, grid, std::get<PoissonBoltzmannOptions>(plan.options), wanted,
                                           values, job, &room.start);
}

/// Poisson-Boltzmann with shorter steps, its values at the nodes of the plan's grid.
MapError with_shorter_steps(PotentialPlan& plan, double target, MapError error, Span<float> values, Job& job,
                            PotentialRoom& room) {
  constexpr int most = 4;
  const Grid grid = plan.near_grid();
  ShorterSteps steps(target);
  const double step = grid.step[0][0];
  int share = 1;
  const auto missed = [&](const std::string& why) {
    plan.missed = fmt::format("the target error of {:g} % is not met, with steps of {:.2g} A it is {:.2g} %: {}",
                              100 * target, step / share, 100 * error.relative, why);
    return error;
  };
  while (const std::optional<double> next = steps.next({step / share, error.relative})) {
    if (share == most) return missed("shorter ones are not tried here");
    const int wanted = std::clamp(static_cast<int>(std::ceil(step / *next - 1e-6)), share + 1, most);
    const Grid shorter = finer(grid, wanted);
    const std::size_t bytes = potential_memory(plan.spheres, shorter, plan.options, plan.device);
    if (bytes > available_memory(plan.device))
      return missed(fmt::format("steps of {:.2g} A would take {} of memory", step / wanted, bytes_in_words(bytes)));
    DeviceArray<float> there(shorter.size(), plan.device, "potential with shorter steps");
    PotentialRoom own;
    map_of(plan, shorter, marks_with_shorter_steps(grid, plan.wanted, wanted, shorter), there.span(), job, own);
    share = wanted;
    room.solved = std::move(own.solved);
    error = room.solved.error;
    plan.bytes = std::max(plan.bytes, bytes);
    const std::vector<float> all = there.copy_to_host();
    std::vector<float> some;
    for (int k = 0; k < grid.counts.z; ++k)
      for (int j = 0; j < grid.counts.y; ++j)
        for (int i = 0; i < grid.counts.x; ++i) some.push_back(all[shorter.index(i * share, j * share, k * share)]);
    copy_memory(values.data, plan.device, some.data(), Device::cpu(), some.size() * sizeof(float));
  }
  return steps.met() ? error : missed("there are no shorter ones");
}

}  // namespace

PotentialPlan plan_potential(const Field& field, const FieldAtoms& atoms, Device device,
                             const std::optional<Grid>& grid, KeptPotential* kept) {
  const PhaseTimer timer("potential: planning");
  PotentialPlan plan;
  plan.settings = field.potential;
  plan.device = device;
  plan.spheres = kept ? charged_spheres(atoms, std::move(kept->spheres)) : charged_spheres(atoms);
  plan.total_charge = atoms.chosen->total_charge;
  plan.origin = atoms.origin;
  const Cell& cell = atoms.frame.cell;
  const PotentialOptions basic = basic_options(plan.settings, cell);
  plan.grid = grid ? *grid : potential_map_grid(field, plan.spheres, plan.origin, basic);
  if (kept && serves(*kept, plan)) {
    plan.options = kept->options;
    set_cell(plan.options, periodic_cell(basic));
    plan.bytes = kept->grid.counts == plan.grid.counts
                     ? kept->bytes
                     : potential_memory(plan.spheres, plan.near_grid(), plan.options, device);
    return plan;
  }
  const bool moving = atoms.molecule->frame_count() > 1;
  plan.options = settled_options(plan.settings, cell, plan.spheres, plan.near_grid(), device, moving);
  if (auto* const parts = std::get_if<HcpMethod>(&plan.options))
    parts->parts = charge_parts(*atoms.molecule->topology, atoms.chosen->numbers);
  plan.bytes = potential_memory(plan.spheres, plan.near_grid(), plan.options, device);
  keep(kept, plan);
  return plan;
}

MapError compute_potential(PotentialPlan& plan, Span<float> values, Job& job, KeptPotential* kept) {
  const double accuracy = plan.settings.accuracy;
  PotentialRoom own;
  PotentialRoom& room = kept ? kept->room : own;
  const Grid grid = plan.near_grid();
  const auto compute = [&](const AccuracyTry& attempt) {
    if (attempt.number > 1) {
      plan.bytes = potential_memory(plan.spheres, grid, plan.options, plan.device);
      keep(kept, plan);
    }
    require_memory_of_grid(plan.bytes, plan.device, "electrostatic potential", plan.grid);
    {
      const PhaseTimer timer("potential: the map");
      map_of(plan, grid, plan.wanted, values, job, room);
    }
    if (has_some_points(plan)) return MapError{};
    return measured_error(plan.spheres, grid, plan.options, values, job, quick_error_points(plan.spheres.size()),
                          &room);
  };
  MapError error = to_accuracy(accuracy, accuracy, most_tries, plan.spheres, grid, plan.device, plan.options, compute);
  const double target = plan.settings.target_error;
  if (target > 0 && method_of(plan.options) == PotentialMethod::pb && error.relative > target)
    error = with_shorter_steps(plan, target, error, values, job, room);
  if (!kept) return error;
  room.end_frame();
  constexpr std::size_t most = std::size_t{64} << 20;
  if (plan.spheres.size() * sizeof(ChargedSphere) <= most) kept->spheres = std::move(plan.spheres);
  return error;
}

FieldLegend potential_legend(const Field& field, const PotentialPlan& plan, const MapError& error) {
  const double factor = per_volt(field.potential);
  FieldLegend legend;
  legend.title = "electrostatic potential";
  legend.unit = name(field.potential.unit);
  legend.method = describe(plan.options);
  legend.error = error.rms * factor;
  legend.relative_error = error.relative;
  legend.near_relative_error = error.near_relative;
  legend.maximum_error = error.max * factor;
  legend.error_points = error.points;
  legend.total_charge = plan.total_charge;
  legend.error_estimated = method_of(plan.options) == PotentialMethod::pb;
  if (legend.error_estimated) legend.note = "error by steps twice as long, in the solvent";
  if (method_of(plan.options) == PotentialMethod::debye_hueckel)
    legend.note = "the error is of the arithmetic, not of the model";
  if (!plan.missed.empty()) legend.note += "; " + plan.missed;
  if (is_fully_periodic(plan.options)) {
    legend.note = "mean over the cell 0";
    if (std::abs(plan.total_charge) > 1e-3) legend.note += ", neutralised by a uniform background";
  }
  return legend;
}

}  // namespace isolume
