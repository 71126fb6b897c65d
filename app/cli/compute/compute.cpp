// isolume compute: its subcommands, and what they share.
#include "app/cli/compute/compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>

#include "app/cli/compute/compute_runs.h"
#include "app/cli/over_time/over_time.h"
#include "app/documents/frames.h"
#include "app/fields/device_volume.h"
#include "compute/base/map_values.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "formats/bytes/byte_source.h"
#include "formats/bytes/text.h"
#include "formats/read.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {

void add_compute(Commands& commands) {
  const Verb compute =
      commands.add(commands.app, "compute",
                   "compute fields, surfaces, energies, areas, cavities; superpose molecules; analyse trajectories",
                   "isolume compute orbital water.molden --orbital homo --out homo.cube", nullptr);
  add_compute_orbital(commands, compute);
  add_compute_density(commands, compute);
  add_compute_density_map(commands, compute);
  add_compute_correlation(commands, compute);
  add_compute_fit_map(commands, compute);
  add_compute_map(commands, compute);
  add_compute_energy(commands, compute);
  add_compute_dynamics(commands, compute);
  add_compute_compare(commands, compute);
  add_compute_potential(commands, compute);
  add_compute_volmap(commands, compute);
  add_compute_probe(commands, compute);
  add_compute_surface(commands, compute);
  add_compute_fit(commands, compute);
  add_compute_sasa(commands, compute);
  add_compute_charges(commands, compute);
  add_compute_atomic_charges(commands, compute);
  add_compute_critical_points(commands, compute);
  add_compute_surface_potential(commands, compute);
  add_compute_modes(commands, compute);
  add_compute_states(commands, compute);
  add_compute_cavities(commands, compute);
  add_compute_ionize(commands, compute);
  add_compute_ligand_map(commands, compute);
  add_compute_lj_map(commands, compute);
  add_compute_analyses(commands, compute);
  add_compute_parts(commands, compute);
  add_compute_timeline(commands, compute);
  add_compute_rmsd_matrix(commands, compute);
  add_compute_cluster(commands, compute);
  add_compute_pca(commands, compute);
  add_compute_mean_structure(commands, compute);
  add_compute_msd(commands, compute);
  add_compute_interactions(commands, compute);
  add_compute_morph(commands, compute);
  add_compute_ramachandran(commands, compute);
  add_merge(commands);  // of the parts that subcommands of compute keep
}

Option add_grid_options(Verb command, GridOptions& options, const char* formats, bool file_required) {
  const Option file = command.option("FILE", options.files, "a structure, with what belongs to it");
  if (file_required) file.required();
  const Option frame = command.option("--frame", options.frame, "which frame, from 0");
  command.option("--spacing", options.spacing, "angstrom between grid points (default: by size)")
      .range(1e-3, 1e3)
      .type_name("A");
  command.option("--grid,--like", options.like, "compute on the grid of this volume file").type_name("FILE");
  command.option("--at", options.at, "compute at the points of a CSV file (lines x,y,z in angstrom) instead")
      .type_name("POINTS.csv");
  command.option("--out", options.out, formats).type_name("FILE").writes();
  return frame;
}

void check_grid_options(const GridOptions& options, const std::string& extensions) {
  if (options.at.empty()) {
    if (options.out.empty()) throw Error("--out is missing: where should the field go?", Error::Kind::usage);
    check_output(options.out, extensions);
  } else {
    if (options.spacing > 0 || !options.like.empty())
      throw Error("--at takes points, so --spacing and --grid make no sense with it", Error::Kind::usage);
    if (!options.out.empty()) check_output(options.out, "csv txt dat");
  }
  if (options.spacing > 0 && !options.like.empty())
    throw Error("--spacing and --grid exclude each other", Error::Kind::usage);
}

std::optional<Grid> grid_like(const GridOptions& options) {
  if (options.like.empty()) return std::nullopt;
  const Molecule molecule = read_file(options.like);
  if (molecule.volumes.empty()) throw Error::in_file(options.like, 0, "holds no volume whose grid could be used");
  return molecule.volumes.front()->grid;
}

std::vector<glm::dvec3> read_points(const std::string& path) {
  const auto source = ByteSource::open(path);
  LineScanner lines(*source);
  std::vector<glm::dvec3> points;
  bool heading = true;
  while (lines.next()) {
    std::string_view line = lines.line();
    const auto skip = [&] {
      while (!line.empty() && (line[0] == ' ' || line[0] == '\t' || line[0] == '\r')) line.remove_prefix(1);
    };
    skip();
    if (line.empty() || line[0] == '#') continue;
    glm::dvec3 point(0);
    bool good = true;
    for (int i = 0; i < 3 && good; ++i) {
      skip();
      if (i > 0 && !line.empty() && (line[0] == ',' || line[0] == ';')) line.remove_prefix(1);
      skip();
      const auto [next, fault] = std::from_chars(line.data(), line.data() + line.size(), point[i]);
      good = fault == std::errc() && std::isfinite(point[i]);
      line.remove_prefix(static_cast<std::size_t>(next - line.data()));
    }
    skip();
    if (good && line.empty()) {
      points.push_back(point);
    } else if (!heading) {
      lines.fail("expected three numbers x,y,z");
    }
    heading = false;
  }
  if (points.empty()) throw Error::in_file(path, 0, "holds no points; expected lines x,y,z in angstrom");
  return points;
}

namespace {

void write_text(const std::string& path, const std::string& text) {
  if (path.empty()) {
    fmt::print("{}", text);
  } else {
    write_atomically(path, [&](std::ostream& out) { out << text; });
  }
}

}  // namespace

void write_values(const std::string& path, std::span<const double> values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}\n", value);
  write_text(path, text);
}

void write_values_and_vectors(const std::string& path, std::span<const double> values,
                              std::span<const glm::dvec3> vectors) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{},{},{},{}\n", values[i], vectors[i].x, vectors[i].y, vectors[i].z);
  write_text(path, text);
}

void write_values_and_errors(const std::string& path, std::span<const glm::dvec2> values) {
  std::string text;
  for (const glm::dvec2& value : values) text += fmt::format("{},{:.3g}\n", value.x, value.y);
  write_text(path, text);
}

glm::dvec3 point_of(const Grid& grid, std::size_t index) {
  const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
  const std::size_t x = index % nx, y = index / nx % ny, z = index / nx / ny;
  return grid.point(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}

std::vector<std::size_t> sample_points(const Grid& grid, std::span<const glm::vec3> positions, std::size_t count) {
  std::mt19937 engine(1);
  std::uniform_int_distribution<std::size_t> any(0, grid.size() - 1);
  std::uniform_real_distribution<double> offset(-2, 2);
  std::vector<std::size_t> samples;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 1 && !positions.empty()) {
      const glm::dvec3 near(positions[engine() % positions.size()]);
      const glm::dvec3 point = near + glm::dvec3(offset(engine), offset(engine), offset(engine));
      const glm::ivec3 cell(glm::round(grid.coordinates(point)));
      if (glm::all(glm::greaterThanEqual(cell, glm::ivec3(0))) && glm::all(glm::lessThan(cell, grid.counts))) {
        samples.push_back(grid.index(cell.x, cell.y, cell.z));
        continue;
      }
    }
    samples.push_back(any(engine));
  }
  return samples;
}

nlohmann::ordered_json sampled_error(const Grid& grid, std::span<const float> values,
                                     std::span<const std::size_t> samples, std::span<const double> exact,
                                     const char* reference) {
  (void)grid;
  double squares = 0, exact_squares = 0, worst = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double difference = values[samples[i]] - exact[i];
    squares += difference * difference;
    exact_squares += exact[i] * exact[i];
    worst = std::max(worst, std::abs(difference));
  }
  const double n = static_cast<double>(std::max<std::size_t>(1, samples.size()));
  return {{"rms", std::sqrt(squares / n)},
          {"max", worst},
          {"relative", exact_squares > 0 ? std::sqrt(squares / exact_squares) : 0.0},
          {"points", samples.size()},
          {"reference", reference}};
}

Volume compute_reported(Run& run, const FieldRequest& request) {
  const FieldPlan plan = plan_field(request);
  run.report.grid(plan.grid);
  run.report.phase("plan");
  const LaunchRecord record;
  const DeviceVolume field = compute_on_device(request, run.job());
  run.report.kernels(record.entries());
  run.report.phase("compute");
  run.report.memory(plan.bytes, peak_memory(request.device));
  Volume volume{field.grid, field.host_values(run.job()), field.name, field.unit};
  if (field.sign < 0) {
    for (float& value : volume.values) value = -value;
  }
  run.report.unit = volume.unit;
  run.report.phase("transfer");
  return volume;
}

void in_tiles(std::size_t count, Job& job, const char* what,
              const std::function<void(std::size_t, std::size_t)>& body) {
  constexpr std::size_t tile = 512;
  parallel_for((count + tile - 1) / tile, job, what,
               [&](std::size_t i) { body(i * tile, std::min(count, (i + 1) * tile)); });
}

nlohmann::ordered_json range_of(std::span<const float> values) {
  if (values.empty()) return nlohmann::ordered_json::object();
  const auto [low, high] = value_range(values);
  return nlohmann::ordered_json{{"minimum", low}, {"maximum", high}};
}

}  // namespace isolume::cli
