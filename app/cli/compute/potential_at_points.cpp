// isolume compute potential --at: the potential at points, by any method.
#include "app/cli/compute/potential_at_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute/poisson_boltzmann.h"
#include "app/cli/compute/within_tolerance.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/base/usual_spacing.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"

namespace isolume::cli {
namespace {

// The methods that are sums in double precision at points have no error there.
bool approximates_points(PotentialMethod method) {
  return method != PotentialMethod::direct && method != PotentialMethod::debye_hueckel;
}

// Of all points, over the RMS of the values; of the field's vectors too where they are asked for, the larger.
double relative_error(const PoissonBoltzmannPoints& at) {
  double squares = 0, values = 0, slopes = 0, vectors = 0;
  for (std::size_t i = 0; i < at.potential.size(); ++i) {
    squares += at.errors[i] * at.errors[i];
    values += at.potential[i] * at.potential[i];
  }
  for (std::size_t i = 0; i < at.field.size(); ++i) {
    slopes += at.field_errors[i] * at.field_errors[i];
    vectors += glm::dot(at.field[i], at.field[i]);
  }
  return std::sqrt(std::max(values > 0 ? squares / values : 0.0, vectors > 0 ? slopes / vectors : 0.0));
}

// Of Poisson-Boltzmann: solves on a box of the atoms and the points (seen from the charges' origin) with steps of
// options.spacing, by size where that is 0, shortened to a tolerance, and writes lines V,error.
// With the field lines V,Ex,Ey,Ez, as with the other methods.
void solution_at_points(Run& run, const GridOptions& options, const MethodOptions& method, bool with_field,
                        PotentialWork& work, const std::vector<glm::dvec3>& points) {
  const auto& pb = std::get<PoissonBoltzmannOptions>(work.potential);
  const std::string& unit = method.unit;
  Grid grid = solution_grid(work.charges.spheres, points, options.spacing);
  run.report.device(run.device);
  run.report.phase("plan");
  PoissonBoltzmannPoints at;
  SteppedRun what;
  what.tolerance = method.tolerance;
  what.fixed = options.spacing > 0;
  what.fixed_by = "--spacing";
  what.atoms = work.charges.spheres;
  what.options = &pb;
  what.further = 2 * sizeof(double);  // both solutions are kept
  what.grid_of = [&](double step) { return solution_grid(work.charges.spheres, points, step); };
  std::size_t predicted = 0;
  what.solve = [&](const Grid& with) {
    predicted =
        std::max(predicted, memory_with(work.charges.spheres, with, pb, run.device) + with.size() * what.further);
    const LaunchRecord record;
    at = poisson_boltzmann_at(work.charges.spheres, with, pb, points, run.device, run.job(), with_field);
    run.report.kernels(record.entries());
    return relative_error(at);
  };
  within_tolerance(run, what, grid);
  run.report.grid(grid);
  run.report.phase("compute");
  run.report.memory(predicted, peak_memory(run.device));
  run.report.method = poisson_boltzmann_json(pb, at.solved);
  run.report.unit = unit;
  double squares = 0, values = 0, most = 0;
  std::vector<glm::dvec2> lines;
  for (std::size_t i = 0; i < points.size(); ++i) {
    squares += at.errors[i] * at.errors[i];
    values += at.potential[i] * at.potential[i];
    most = std::max(most, at.errors[i]);
    lines.emplace_back(at.potential[i] * work.factor, at.errors[i] * work.factor);
  }
  const double rms = std::sqrt(squares / static_cast<double>(points.size())) * work.factor;
  run.report.error = {{"rms", rms},
                      {"max", most * work.factor},
                      {"relative", values > 0 ? std::sqrt(squares / values) : 0.0},
                      {"points", points.size()},
                      {"reference", exact_name(work.potential)}};
  put_solvation_energy(run, at.solved, work.charges.spheres);
  run.report.result["points"] = points.size();
  std::string of_field;
  if (with_field) {
    double apart = 0;
    std::vector<double> potential;
    for (const glm::dvec2& line : lines) potential.push_back(line.x);
    for (glm::dvec3& value : at.field) value *= work.factor;
    for (const double error : at.field_errors) apart += error * error;
    apart = std::sqrt(apart / static_cast<double>(points.size())) * work.factor;
    run.report.error["field_rms"] = apart;
    run.report.result["columns"] = {"potential", "field x", "field y", "field z"};
    run.report.result["field_unit"] = unit + "/A";
    write_values_and_vectors(options.out, potential, at.field);
    of_field = fmt::format("; of the field {:.2g} {}/A rms", apart, unit);
  } else {
    run.report.result["columns"] = {"potential", "error"};
    write_values_and_errors(options.out, lines);
  }
  run.say(
      fmt::format("potential at {} points, {}, estimated error {:.2g} {} rms, {:.2g} at most, by steps twice as long{}",
                  points.size(), describe(pb), rms, unit, most * work.factor, of_field));
}

}  // namespace

void potential_at_points(Run& run, const GridOptions& grid, const MethodOptions& method, bool with_field,
                         PotentialWork& work) {
  std::vector<glm::dvec3> points = read_points(grid.at);
  for (glm::dvec3& point : points) point -= work.charges.origin;
  run.report.input(grid.at);
  if (std::holds_alternative<PoissonBoltzmannOptions>(work.potential))
    return solution_at_points(run, grid, method, with_field, work, points);
  if (chooses_parameters(method)) {
    Grid box{points.front(), glm::dmat3(1.0), glm::ivec3(1)};
    run.report.result["expected_relative_error"] =
        choose_parameters(chosen_accuracy(method), work.charges.spheres, box, run.device, work.potential);
  }
  // The lattices of msm alone are summed on the device.
  const Device device = std::holds_alternative<MsmMethod>(work.potential) ? run.device : Device::cpu();
  run.report.device(device);
  run.report.method = method_json(method, work);
  run.report.phase("plan");
  std::vector<double> values(points.size());
  std::vector<glm::dvec3> field(with_field ? points.size() : 0);
  potential_at(work.charges.spheres, work.potential, points, values, field, device, run.job());
  run.report.phase("compute");
  if (approximates_points(method_of(work.potential))) {
    const MapError error = measured_error_at(work.charges.spheres, work.potential, points, values, run.job());
    run.report.error = error_json(error, work);
    run.report.phase("check");
  }
  for (double& value : values) value *= work.factor;
  for (glm::dvec3& value : field) value *= work.factor;
  run.report.unit = method.unit;
  run.report.result["points"] = points.size();
  if (with_field) {
    run.report.result["columns"] = {"potential", "field x", "field y", "field z"};
    run.report.result["field_unit"] = method.unit + "/A";
    write_values_and_vectors(grid.out, values, field);
  } else {
    write_values(grid.out, values);
  }
}

}  // namespace isolume::cli
