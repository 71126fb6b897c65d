// What `isolume compute orbital` makes of one orbital: its grid or its plane, values, error and file.
#include "app/cli/compute/orbital_output.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "app/cli/slice_option.h"
#include "app/documents/frames.h"
#include "app/fields/slice_field.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/orbitals/enclosed_probability.h"
#include "compute/orbitals/orbital.h"
#include "compute/schedule/layer_map.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t samples = 1000;

/// The grid that the options ask for; nothing for the one that suits the orbital.
std::optional<Grid> grid_of(const OrbitalCommand& options, const Molecule& molecule,
                            const std::vector<ChosenOrbital>& all, const ChosenOrbital& chosen) {
  if (const auto like = grid_like(options.grid)) return like;
  const Orbitals& orbitals = *chosen.orbitals;
  const auto covering = [&](double spacing) {
    if (options.margin < 0) return orbital_grid(orbitals, chosen.which, spacing, options.cutoff);
    // One grid for all frames: around the atoms of every one of them.
    glm::dvec3 lower(1e300), upper(-1e300);
    for (const ChosenOrbital& other : all) {
      for (const glm::vec3& position : frame_at(molecule, other.frame).positions) {
        lower = glm::min(lower, glm::dvec3(position));
        upper = glm::max(upper, glm::dvec3(position));
      }
    }
    return Grid::covering(lower - options.margin, upper + options.margin, spacing);
  };
  if (options.grid.spacing > 0) return covering(options.grid.spacing);
  if (options.points == 0 && options.margin < 0) return std::nullopt;
  const double points = options.points > 0 ? static_cast<double>(options.points) : 1e6;
  const glm::dvec3 edges = glm::dvec3(covering(1).counts - 1);
  double spacing = std::cbrt(edges.x * edges.y * edges.z / points);
  // A grid has a point more than steps along each edge: a few turns find the finest within the budget.
  for (int i = 0; i < 20 && static_cast<double>(covering(spacing).size()) > points; ++i) spacing *= 1.01;
  return covering(spacing);
}

FieldRequest request_of(const Run& run, const OrbitalCommand& options, const std::shared_ptr<const Molecule>& molecule,
                        const ChosenOrbital& chosen) {
  FieldRequest request;
  request.field.kind = Field::Kind::orbital;
  request.field.orbital = std::to_string(chosen.number);
  request.field.spin = options.choice.spin;
  request.molecule = molecule;
  request.frame = chosen.frame;
  request.device = run.device;
  request.preview = orbital_accuracy(options.accuracy) == OrbitalAccuracy::preview;
  return request;
}

/// The worst error at sampled points is the report's.
void report_error(Run& run, const Grid& grid, std::span<const float> values, const ChosenOrbital& chosen, int sign,
                  const Frame& frame) {
  const auto sampled = sample_points(grid, frame.positions, samples);
  std::vector<glm::dvec3> points;
  for (const std::size_t i : sampled) points.push_back(point_of(grid, i));
  std::vector<double> exact(points.size());
  orbital_reference(*chosen.orbitals, chosen.which, points, exact);
  for (double& value : exact) value *= sign;
  const auto error = sampled_error(grid, values, sampled, exact, "double precision at sampled points");
  if (run.report.error.is_null() || run.report.error["max"] < error["max"]) run.report.error = error;
}

/// How long an orbital takes on one GPU, roughly: 10^12 functions at points a second, of which a tenth count.
double rough_seconds(const Orbitals& orbitals, const Grid& grid) {
  return 0.1 * static_cast<double>(grid.size()) * static_cast<double>(orbitals.basis->function_count()) / 1e12;
}

/// The grid on several devices, in layers; the bits of a value do not depend on which of them made it.
Volume shared_orbital(Run& run, const OrbitalCommand& options, const ChosenOrbital& chosen, const Grid& grid,
                      std::span<const Device> devices) {
  const Orbitals& orbitals = *chosen.orbitals;
  Volume volume{grid, std::vector<float>(grid.size()), orbital_title(chosen), "bohr^-3/2"};
  OrbitalOptions how;
  how.accuracy = orbital_accuracy(options.accuracy);
  LayerMap map;
  map.what = "orbital";
  map.grid = grid;
  map.make = [&](const Grid& layers, Span<float> out, Job& job) {
    orbital(orbitals, chosen.which, layers, out, job, how);
  };
  map.memory = [&](const Grid& layers, Device device) { return orbital_memory(orbitals, layers, device); };
  map.exact = [&](glm::dvec3 point) {
    double value = 0;
    orbital_reference(orbitals, chosen.which, std::span(&point, 1), std::span(&value, 1));
    return value;
  };
  map.tolerance = 1e-2;
  map.floor = 1e-3;  // bohr^-3/2: an orbital is exact to a part of its largest value, wherever it is small
  run.report.grid(grid);
  run.report.phase("plan");
  const LaunchRecord record;
  run.worked(map_in_layers(map, devices, volume.values, run.job()).workers);
  run.report.kernels(record.entries());
  run.report.memory(orbital_memory(orbitals, grid, run.device), peak_memory(run.device));
  run.report.unit = volume.unit;
  run.report.phase("compute");
  return volume;
}

}  // namespace

double enclosed_fraction(double given) {
  const double fraction = given > 1 ? given / 100 : given;
  if (given != 0 && !(fraction > 0 && fraction < 1))
    throw Error(fmt::format("--enclosed {}: expected a part between 0 and 1, or a percentage between 1 and 100", given),
                Error::Kind::usage);
  return fraction;
}

bool is_table(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  return extension == ".csv" || extension == ".txt" || extension == ".dat";
}

std::string orbital_file_name(const OrbitalCommand& options, const ChosenOrbital& chosen, bool several_orbitals,
                              bool several_frames) {
  const fs::path path(options.grid.out);
  std::string stem = path.filename().string(), extension;
  if (stem.ends_with(".gz")) {
    extension = ".gz";
    stem.resize(stem.size() - 3);
  }
  const std::size_t point = stem.rfind('.');
  extension = (point == std::string::npos ? "" : stem.substr(point)) + extension;
  stem = stem.substr(0, point);
  if (several_orbitals) stem += "_" + chosen.asked;
  if (several_frames) stem += fmt::format("_{:04}", chosen.frame);
  return (path.parent_path() / (stem + extension)).string();
}

Volume compute_orbital_volume(Run& run, const OrbitalCommand& options, const std::shared_ptr<const Molecule>& molecule,
                              const std::vector<ChosenOrbital>& all, const ChosenOrbital& chosen,
                              nlohmann::ordered_json& entry) {
  FieldRequest request = request_of(run, options, molecule, chosen);
  request.grid = grid_of(options, *molecule, all, chosen);
  const Grid grid = request.grid ? *request.grid : plan_field(request).grid;
  const std::vector<Device> devices = run.devices_for(rough_seconds(*chosen.orbitals, grid));
  Volume volume =
      devices.size() > 1 ? shared_orbital(run, options, chosen, grid, devices) : compute_reported(run, request);
  report_error(run, volume.grid, volume.values, chosen, 1, frame_at(*molecule, chosen.frame));
  run.report.phase("check");
  double norm = 0;
  for (float& value : volume.values) {
    value *= static_cast<float>(chosen.sign);
    norm += static_cast<double>(value) * value;
  }
  const double cell = std::abs(glm::determinant(volume.grid.step)) * std::pow(units::angstrom_in_bohr, 3);
  entry.update(range_of(volume.values));
  entry["norm_on_grid"] = norm * cell;
  if (const double fraction = enclosed_fraction(options.enclosed); fraction > 0) {
    entry["enclosed"] = fraction;
    entry["isovalue"] = enclosed_probability_isovalue(volume.values, fraction);
  }
  run.report.phase("compute");
  return volume;
}

void write_orbital_slice(Run& run, const OrbitalCommand& options, const std::shared_ptr<const Molecule>& molecule,
                         const ChosenOrbital& chosen, const std::string& path, nlohmann::ordered_json& entry) {
  FieldRequest request = request_of(run, options, molecule, chosen);
  request.field.slice = parse_slice(options.slice);
  request.field.spacing = options.grid.spacing;
  request.field.paint_range = options.range;
  request.field.enclosed = enclosed_fraction(options.enclosed);
  if (options.choice.follow) {  // as a scene says it, with the phase
    request.field.orbital = chosen.asked;
    request.field.follow = true;
    request.field.follow_from = static_cast<std::uint32_t>(*options.choice.from);
  }
  const LaunchRecord record;
  const Slice slice = compute_slice(request, run.job());
  const std::string plane = describe(request.field.slice);
  if (slice.grid.size() == 0) throw Error(fmt::format("{}: {} passes the orbital by", path, plane), Error::Kind::usage);
  run.report.kernels(record.entries());
  run.report.grid(slice.grid);
  run.report.memory(slice.predicted_bytes, peak_memory(request.device));
  run.report.unit = slice.legend.unit;
  run.report.phase("compute");
  const std::vector<float>& values = slice.mesh.scalars.front().values;
  report_error(run, slice.grid, values, chosen, chosen.sign, frame_at(*molecule, chosen.frame));
  run.report.phase("check");
  entry.update(range_of(values));
  entry["slice"] = {{"plane", plane}, {"lower", slice.legend.lower}, {"upper", slice.legend.upper}};
  entry["file"] = path;
  nlohmann::ordered_json made{{"version", ISOLUME_VERSION}, {"result", entry}};
  made["result"]["file"] = std::filesystem::path(path).filename().string();
  write_mesh(path, slice.mesh, fmt::format("{}, {}, computed by Isolume", orbital_title(chosen), plane),
             made.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  run.report.phase("write");
  run.say(fmt::format("{}: {}, {}, {} points on {}, colours from {:g} to {:g} {}", path, orbital_title(chosen), plane,
                      slice.grid.size(), to_string(request.device), slice.legend.lower, slice.legend.upper,
                      slice.legend.unit));
}

}  // namespace isolume::cli
