// The potential of Poisson-Boltzmann at the points of --at, each with its error.
#include "app/cli/compute/solution_at_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute/poisson_boltzmann.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann_points.h"

namespace isolume::cli {
namespace {

/// The box of the atoms and the points, as wide as a solution needs.
Grid grid_around(const std::vector<ChargedSphere>& spheres, const std::vector<glm::dvec3>& points, double spacing) {
  constexpr double margin = 6;  // angstrom, beyond which a coarser grid does
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const ChargedSphere& sphere : spheres) {
    lower = glm::min(lower, glm::dvec3(sphere.position) - static_cast<double>(sphere.radius) - margin);
    upper = glm::max(upper, glm::dvec3(sphere.position) + static_cast<double>(sphere.radius) + margin);
  }
  for (const glm::dvec3& point : points) {
    lower = glm::min(lower, point - 1.0);
    upper = glm::max(upper, point + 1.0);
  }
  const glm::dvec3 edges = upper - lower;
  if (spacing <= 0) spacing = std::max(0.5, std::ceil(std::max({edges.x, edges.y, edges.z}) / 256 * 100) / 100);
  return Grid::covering(lower, upper, spacing);
}

}  // namespace

void solution_at_points(Run& run, const GridOptions& options, const std::string& unit, PotentialWork& work,
                        const std::vector<glm::dvec3>& points) {
  const auto& pb = std::get<PoissonBoltzmannOptions>(work.potential);
  const Grid grid = grid_around(work.charges.spheres, points, options.spacing);
  run.report.grid(grid);
  run.report.device(run.device);
  run.report.phase("plan");
  PoissonBoltzmannPoints at;
  {
    const LaunchRecord record;
    at = poisson_boltzmann_at(work.charges.spheres, grid, pb, points, run.device, run.job());
    run.report.kernels(record.entries());
  }
  run.report.phase("compute");
  run.report.memory(poisson_boltzmann_memory(work.charges.spheres.size(), grid, pb, run.device),
                    peak_memory(run.device));
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
  put_solvation_energy(run.report.result, at.solved, work.charges.spheres);
  run.report.result["points"] = points.size();
  run.report.result["columns"] = {"potential", "error"};
  write_values_and_errors(options.out, lines);
  run.say(
      fmt::format("potential at {} points, {}, estimated error {:.2g} {} rms, {:.2g} at most, by steps twice as long",
                  points.size(), describe(pb), rms, unit, most * work.factor));
}

}  // namespace isolume::cli
