// Maps of the electrostatic potential in host memory: their charges, the parameters for an accuracy, and the map, whole
// or in slabs where a device does not have the memory for all of it, on one device or taken in tiles by several.
#include "compute/electrostatics/potential_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/electrostatics/potential_tiles.h"
#include "molecule/base/error.h"

namespace isolume {
std::vector<PointCharge> point_charges_of(std::span<const ChargedSphere> spheres, double divisor) {
  std::vector<PointCharge> charges;
  point_charges_of(spheres, divisor, charges);
  return charges;
}

void point_charges_of(std::span<const ChargedSphere> spheres, double divisor, std::vector<PointCharge>& charges) {
  constexpr std::size_t block = std::size_t{1} << 13;
  charges.resize(spheres.size());
  Job job;
  parallel_for((spheres.size() + block - 1) / block, job, "charges", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(spheres.size(), (b + 1) * block); ++i)
      charges[i] = {spheres[i].position, static_cast<float>(static_cast<double>(spheres[i].charge) / divisor)};
  });
}

double choose_parameters(double accuracy, std::span<const ChargedSphere> charges, const Grid& grid, Device device,
                         PotentialOptions& options) {
  if (auto* const mesh = std::get_if<SpmeMethod>(&options)) {
    // A few points are no map: what they cost is the mesh.
    const std::size_t map_points = grid.size() > charges.size() ? grid.size() : 0;
    const SpmePlanned planned =
        plan_spme(accuracy, charges.size(), mesh->cell, device, mesh->fixed_cutoff, map_points).front();
    mesh->spme = planned.options;
    return planned.expected_error;
  }
  auto* const multilevel = std::get_if<MsmMethod>(&options);
  if (multilevel == nullptr)
    throw Error(fmt::format("{} has no parameters that follow from an accuracy", name(method_of(options))),
                Error::Kind::usage);
  const MsmPlanned planned = plan_msm(accuracy, point_charges_of(charges), grid, device, multilevel->msm);
  multilevel->msm = planned.options;
  return planned.expected_error;
}

MapError to_accuracy(double target, double planned_for, int most, std::span<const ChargedSphere> charges,
                     const Grid& grid, Device device, PotentialOptions& options,
                     const std::function<MapError(const AccuracyTry&)>& compute) {
  AccuracyTry attempt;
  attempt.planned_for = planned_for;
  for (;; ++attempt.number) {
    attempt.before = compute(attempt);
    const bool done = !has_accuracy(options) || attempt.before.relative <= target;
    if (done || attempt.number >= most || attempt.planned_for <= finest_accuracy) return attempt.before;
    attempt.planned_for = std::max(finest_accuracy, attempt.planned_for / 3);
    attempt.expected_error = choose_parameters(attempt.planned_for, charges, grid, device, options);
  }
}

SlabReport potential_map_in_slabs(std::span<const ChargedSphere> spheres, const Grid& grid,
                                  const PotentialOptions& options, std::span<const Device> devices,
                                  std::span<float> values, Job& job, PotentialRoom* room) {
  if (values.size() != grid.size() || devices.empty())
    throw Error(fmt::format("potential map: {} values for {} points", values.size(), grid.size()), Error::Kind::usage);
  SlabReport report;
  report.slabs = 0;
  if (grid.size() == 0) return report;
  const bool whole = method_of(options) == PotentialMethod::pb;  // the solution of an equation
  const std::size_t count = whole ? 1 : std::min(devices.size(), static_cast<std::size_t>(grid.counts.z));
  const bool alone = count == 1;
  std::vector<std::unique_ptr<MapWorker>> work;
  std::vector<TileWorker*> workers;
  for (std::size_t i = 0; i < count; ++i) {
    work.push_back(
        std::make_unique<MapWorker>(spheres, grid, options, devices[i], values, alone, alone ? room : nullptr));
    workers.push_back(work.back().get());
    report.bytes = std::max(report.bytes, work.back()->bytes());
    report.short_of_memory = report.short_of_memory || work.back()->short_of_memory();
  }
  TilePlan plan;
  plan.parts = static_cast<std::size_t>(grid.counts.z);
  plan.part = "layer";
  plan.grain = alone ? 1 : map_grain(grid, options, spheres.size());
  if (alone) plan.seconds = std::numeric_limits<double>::infinity();
  if (whole) {
    // Never in parts: two halves are not the equation of the whole.
    work.front()->compute({0, plan.parts}, job);
    report.slabs = 1;
    WorkerRecord record;
    record.name = work.front()->name();
    record.tiles = 1;
    record.parts = plan.parts;
    report.workers.push_back(record);
    return report;
  }
  TileReport made = run_tiles(plan, workers, "potential map", job);
  const int n = grid.counts.z, layers = work.front()->layers();
  report.slabs = std::max(static_cast<int>(made.tiles), alone ? (n + layers - 1) / layers : 1);
  report.workers = std::move(made.workers);
  return report;
}

double rough_map_seconds(std::size_t charges, const Grid& grid, const PotentialOptions& options) {
  constexpr double pairs_a_second = 1e12;
  constexpr double density = 0.1;  // atoms in a cubic angstrom of matter
  const auto within = [&](double reach) {
    return std::min(static_cast<double>(charges), density * 4.2 * reach * reach * reach);
  };
  double near = static_cast<double>(charges);
  if (const auto* const cutoff = std::get_if<CutoffOptions>(&options)) near = within(cutoff->cutoff);
  if (const auto* const msm = std::get_if<MsmMethod>(&options)) near = within(msm->msm.cutoff);
  if (const auto* const mesh = std::get_if<SpmeMethod>(&options)) near = within(mesh->spme.cutoff);
  if (std::holds_alternative<HcpMethod>(options)) near /= 10;
  if (is_fast_direct(options)) near = std::min(near, 1000.0);
  if (std::holds_alternative<DebyeHueckelOptions>(options) || has_sigmoidal_dielectric(options)) near *= 3;
  if (method_of(options) == PotentialMethod::pb) return 0;  // on one device in any case
  return static_cast<double>(grid.size()) * near / pairs_a_second;
}

}  // namespace isolume
