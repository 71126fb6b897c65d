// What `isolume compute density` makes beyond the density itself.
#include "app/cli/quantum/density_field.h"

#include <fmt/format.h>

#include <cmath>

#include "app/cli/compute/orbital_choice.h"
#include "app/cli/quantum/density_potential_map.h"
#include "app/cli/quantum/nuclei.h"
#include "app/documents/frames.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electron_density/density_potential.h"
#include "compute/orbitals/electron_density.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

constexpr std::size_t checked_points = 500;

std::vector<glm::dvec3> in_bohr(std::vector<glm::dvec3> points) {
  for (glm::dvec3& point : points) point *= units::angstrom_in_bohr;
  return points;
}

/// Points of a grid (bohr), the ones of sample_points().
std::vector<glm::dvec3> sampled(const Grid& grid, std::span<const std::size_t> chosen) {
  std::vector<glm::dvec3> points;
  for (const std::size_t i : chosen) points.push_back(point_of(grid, i));
  return in_bohr(std::move(points));
}

double potential_factor(const DensityField& field) {
  if (field.unit.empty() || field.unit == "hartree/e") return 1;
  if (field.unit == "V") return units::hartree_in_ev;
  if (field.unit == "kT/e") return units::hartree_in_ev / units::thermal_voltage(field.temperature);
  return units::hartree_in_ev * units::ev_in_kcal_per_mol;
}

std::string unit_of(const DensityField& field) {
  const std::string unit = field.unit.empty() ? "hartree/e" : field.unit;
  return field.kind == "field" ? unit + "/bohr" : unit;
}

void write_grid(Run& run, const DensityField& field, const Volume& volume, const Molecule& molecule,
                std::size_t frame) {
  run.report.result.update(range_of(volume.values));
  run.report.phase("compute");
  write_volume(field.options.out, volume, &molecule, frame,
               fmt::format("{}, {}, computed by Isolume", volume.name, volume.unit));
  run.say(fmt::format("{}: {} ({}), {} x {} x {} points on {}, largest error {:.1e} at {} points", field.options.out,
                      volume.name, volume.unit, volume.grid.counts.x, volume.grid.counts.y, volume.grid.counts.z,
                      to_string(run.device), run.report.error["max"].get<double>(),
                      run.report.error["points"].get<std::size_t>()));
}

void measure_at(Run& run, const DensityField& field, const DensityMeasureInfo& info, const SpinEvaluator& evaluator,
                std::span<const glm::dvec3> points) {
  const std::size_t width = info.measure == DensityMeasure::gradient  ? 3
                            : info.measure == DensityMeasure::hessian ? 6
                                                                      : 1;
  std::vector<std::vector<double>> columns(width, std::vector<double>(points.size()));
  std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
  evaluator.at(points, info.order, alpha, beta, run.job(), run.device);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::vector<double> values = measure_values(info.measure, alpha[i], beta[i]);
    for (std::size_t c = 0; c < width; ++c) columns[c][i] = values[c];
  }
  run.report.phase("compute");
  write_columns(field.options.out, columns);
}

void run_measure(Run& run, const DensityField& field, const DensityMeasureInfo& info, const Molecule& molecule,
                 const Orbitals& orbitals, const Grid& grid, std::size_t frame) {
  const SpinEvaluator evaluator(orbitals, info.spins);
  run.report.unit = info.unit;
  run.report.method = {{"name", info.title}, {"precision", "double"}, {"frame", frame}};
  if (!info.spins && !SpinEvaluator(orbitals).closed() && field.kind.find('-') == std::string::npos &&
      (field.kind == "elf" || field.kind == "lol"))
    run.say(fmt::format("note: the shell is open; {} is that of the total density, {}-spin takes the spins apart",
                        field.kind, field.kind));
  if (!field.options.at.empty()) {
    const std::vector<glm::dvec3> points = in_bohr(read_points(field.options.at));
    run.report.result["points"] = points.size();
    return measure_at(run, field, info, evaluator, points);
  }
  const std::size_t bytes = grid.size() * sizeof(float) + measure_memory(evaluator, info, grid, run.device);
  require_memory(bytes, run.device, info.title);
  run.report.grid(grid);
  DeviceArray<float> values(grid.size(), run.device, info.title);
  run.report.phase("plan");
  const LaunchRecord record;
  // Of all grids; fewer than the field has where it is interpolated.
  run.report.method["computed_points"] = measure_on_grid(evaluator, info, grid, values.span(), run.job());
  run.report.kernels(record.entries());
  run.report.memory(bytes, peak_memory(run.device));
  run.report.phase("compute");
  const Volume volume{grid, values.copy_to_host(), info.title, info.unit};
  run.report.phase("transfer");
  run.report.error = measure_error(info, evaluator, volume, frame_at(molecule, frame).positions);
  run.report.phase("check");
  write_grid(run, field, volume, molecule, frame);
}

void run_potential(Run& run, const DensityField& field, const Molecule& molecule, const Orbitals& orbitals,
                   const Grid& grid, std::size_t frame) {
  const std::vector<double> charges = nuclear_charges(run, molecule, orbitals, field.cores);
  run.report.unit = unit_of(field);
  run.report.method = {{"name", "McMurchie-Davidson, exact"}, {"precision", "double"}, {"frame", frame}};
  const double factor = potential_factor(field);
  require_memory(hermite_memory(orbitals), Device::cpu(), "pairs of functions");
  const DensityPotential potential(orbitals, density_weights(orbitals, DensityKind::electron), charges, run.job());
  run.report.method["pairs"] = potential.sources();
  if (field.options.at.empty()) {
    Volume volume = density_potential_map(run, field, potential, factor, molecule, grid, frame);
    volume.unit = unit_of(field);
    return write_grid(run, field, volume, molecule, frame);
  }
  const std::vector<glm::dvec3> points = in_bohr(read_points(field.options.at));
  run.report.result["points"] = points.size();
  std::vector<double> values(points.size());
  std::vector<glm::dvec3> slopes(field.kind == "field" ? points.size() : 0);
  potential.at(points, values, slopes, run.job(), run.device);
  run.report.phase("compute");
  if (slopes.empty()) {
    for (double& value : values) value *= factor;
    return write_values(field.options.out, values);
  }
  std::vector<std::vector<double>> columns(3, std::vector<double>(points.size()));
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) columns[static_cast<std::size_t>(axis)][i] = factor * slopes[i][axis];
  }
  write_columns(field.options.out, columns);
}

}  // namespace

nlohmann::ordered_json measure_error(const DensityMeasureInfo& info, const SpinEvaluator& evaluator,
                                     const Volume& volume, const std::vector<glm::vec3>& positions, double most) {
  const auto chosen = sample_points(volume.grid, positions, checked_points);
  const std::vector<glm::dvec3> points = sampled(volume.grid, chosen);
  std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
  evaluator.reference(points, alpha, beta);
  std::vector<double> exact;
  for (std::size_t i = 0; i < points.size(); ++i)
    exact.push_back(std::min(measure_value(info.measure, alpha[i], beta[i]), most));
  return sampled_error(volume.grid, volume.values, chosen, exact, "the formula in double precision at sampled points");
}

bool is_density_field(const std::string& kind) {
  return kind == "potential" || kind == "field" || find_density_measure(kind) != nullptr;
}

std::string density_field_names() {
  std::string names;
  for (const DensityMeasureInfo& info : density_measures()) names += fmt::format("{}, ", info.name);
  return names + "potential or field";
}

void run_density_field(Run& run, const DensityField& field, const Molecule& molecule, const Orbitals& orbitals,
                       const Grid& grid, std::size_t frame) {
  if (orbitals.electron_count() == 0)
    throw Error(fmt::format("{}: no orbital of this frame is occupied", field.kind), Error::Kind::usage);
  if (const DensityMeasureInfo* info = find_density_measure(field.kind)) {
    run_measure(run, field, *info, molecule, orbitals, grid, frame);
  } else {
    run_potential(run, field, molecule, orbitals, grid, frame);
  }
}

}  // namespace isolume::cli
