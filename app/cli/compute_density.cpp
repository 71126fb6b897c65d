// isolume compute density: the electron or spin density of a file's orbitals.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/compute.h"
#include "app/session/frames.h"
#include "compute/memory.h"
#include "compute/orbitals/electron_density.h"
#include "compute/orbitals/orbital.h"
#include "formats/write.h"
#include "molecule/error.h"
#include "molecule/units.h"

namespace isolume::cli {
namespace {

struct Options {
  GridOptions grid;
  std::string kind = "electron";
  double margin = 4;
};

// The orbitals occupied by what counts with one sign in a density.
Orbitals weighted(const Orbitals& orbitals, DensityKind kind, double sign) {
  Orbitals result = orbitals;
  const std::vector<double> weights = density_weights(orbitals, kind);
  for (std::size_t i = 0; i < weights.size(); ++i) result.orbitals[i].occupation = std::max(0.0, sign * weights[i]);
  return result;
}

// Evaluates the density at points in double precision, straight from the formula.
class Density {
 public:
  Density(const Orbitals& orbitals, DensityKind kind)
      : plus_(weighted(orbitals, kind, 1)), minus_(weighted(orbitals, kind, -1)), spin_(kind == DensityKind::spin) {}

  void operator()(std::span<const glm::dvec3> points, std::span<double> values) const {
    electron_density_reference(plus_, points, values);
    if (!spin_) return;
    std::vector<double> beta(points.size());
    electron_density_reference(minus_, points, beta);
    for (std::size_t i = 0; i < beta.size(); ++i) values[i] -= beta[i];
  }

 private:
  Orbitals plus_, minus_;
  bool spin_;
};

// The error of a map against the formula at some of its points, spread and near the atoms.
nlohmann::ordered_json measured_error(const Density& density, const Volume& volume, const Frame& frame) {
  const auto chosen = sample_points(volume.grid, frame.positions, 500);
  std::vector<glm::dvec3> points;
  for (const std::size_t i : chosen) points.push_back(point_of(volume.grid, i));
  std::vector<double> exact(points.size());
  density(points, exact);
  return sampled_error(volume.grid, volume.values, chosen, exact, "double precision at sampled points");
}

Grid grid_for(const Options& options, const Frame& frame) {
  if (const auto like = grid_like(options.grid)) return *like;
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::vec3& position : frame.positions) {
    lower = glm::min(lower, glm::dvec3(position));
    upper = glm::max(upper, glm::dvec3(position));
  }
  if (lower.x > upper.x) throw Error("a density needs atoms with positions", Error::Kind::usage);
  const glm::dvec3 edges = upper - lower + 2 * options.margin;
  const double spacing = options.grid.spacing > 0 ? options.grid.spacing
                                                  : std::ceil(std::cbrt(edges.x * edges.y * edges.z / 2e5) * 100) / 100;
  return Grid::covering(lower - options.margin, upper + options.margin, spacing);
}

void run_density(const Common& common, const Options& options) {
  check_grid_options(options.grid);
  Run run(common);
  for (const std::string& file : options.grid.files) run.report.input(file);
  const auto molecule = read_molecule(options.grid.files);
  const auto orbitals = orbitals_of(*molecule, options.grid.frame);
  const DensityKind kind = density_kind(options.kind);
  if (kind == DensityKind::spin && !orbitals->unrestricted)
    run.say("note: the file has no beta orbitals of their own, so the spin density is that of its unpaired electrons");
  const Density density(*orbitals, kind);
  run.report.phase("read");
  run.report.device(Device::cpu());
  run.report.unit = "bohr^-3";
  run.report.method = {{"name", options.kind + " density"}, {"precision", "double"}, {"frame", options.grid.frame}};
  run.report.result = {{"electrons_of_file", orbitals->electron_count()}};
  if (!options.grid.at.empty()) {
    const std::vector<glm::dvec3> points = read_points(options.grid.at);
    run.report.input(options.grid.at);
    std::vector<double> values(points.size());
    in_tiles(points.size(), run.job(), "density at points", [&](std::size_t begin, std::size_t end) {
      density(std::span(points).subspan(begin, end - begin), std::span(values).subspan(begin, end - begin));
    });
    run.report.phase("compute");
    run.report.result["points"] = points.size();
    write_values(options.grid.out, values);
  } else {
    if (run.device.is_cuda()) run.say("note: electron densities are computed on the CPU in this version");
    Volume volume;
    volume.grid = grid_for(options, frame_at(*molecule, options.grid.frame));
    volume.name = options.kind + " density";
    volume.unit = "bohr^-3";
    const std::size_t bytes = volume.grid.size() * sizeof(float);
    require_memory(bytes, Device::cpu(), volume.name);
    volume.values.resize(volume.grid.size());
    run.report.grid(volume.grid);
    run.report.memory(bytes, bytes);
    run.report.phase("plan");
    electron_density(*orbitals, kind, volume.grid, volume.values, run.job());
    run.report.error = measured_error(density, volume, frame_at(*molecule, options.grid.frame));
    double sum = 0;
    for (const float value : volume.values) sum += value;
    const double cell = std::abs(glm::determinant(volume.grid.step)) * std::pow(units::angstrom_in_bohr, 3);
    run.report.result["electrons_on_grid"] = sum * cell;
    run.report.result.update(range_of(volume.values));
    run.report.phase("compute");
    write_volume(options.grid.out, volume, molecule.get(), options.grid.frame,
                 fmt::format("{}, bohr^-3, computed by Isolume", volume.name));
    run.say(fmt::format("{}: {}, {} x {} x {} points", options.grid.out, volume.name, volume.grid.counts.x,
                        volume.grid.counts.y, volume.grid.counts.z));
  }
  run.report.phase("write");
  run.finish();
}

}  // namespace

void add_compute_density(Commands& commands, CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App& command = commands.add(parent, "density", "electron or spin density of the orbitals, in bohr^-3",
                                   "isolume compute density water.molden --spacing 0.2 --out density.cube",
                                   [&commands, options] { run_density(commands.common, *options); });
  add_grid_options(command, options->grid, "cube, dx, mrc, map or ccp4; csv with --at (default there: stdout)");
  command.add_option("--kind", options->kind, "electron or spin")->check(CLI::IsMember({"electron", "spin"}));
  command.add_option("--margin", options->margin, "angstrom of the grid around the atoms")
      ->check(CLI::Range(0.0, 1000.0));
}

}  // namespace isolume::cli
