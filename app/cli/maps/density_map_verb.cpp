// isolume compute density-map: the map of a model at a resolution.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/compute/compute.h"
#include "app/cli/maps/map_model.h"
#include "app/documents/frames.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/density_maps/map_windows.h"
#include "formats/write/write.h"
#include "molecule/base/error.h"

namespace isolume::cli {
namespace {

struct Options {
  ModelOptions model;
  std::size_t frame = 0;
  double spacing = 0;
  std::string like, out;
};

const char* unit_of(const ModelOptions& model) {
  if (model.convention == "vmd") return model.weights == "mass" ? "Da" : model.weights == "one" ? "1" : "e";
  return model.weights == "mass" ? "Da/angstrom^3" : model.weights == "one" ? "angstrom^-3" : "e/angstrom^3";
}

/// Against the sum in double precision without a cutoff, at points that are half near atoms.
nlohmann::ordered_json measured(const Volume& volume, std::span<const MapAtom> atoms,
                                std::span<const glm::vec3> positions, Job& job) {
  const std::size_t most = std::clamp<std::size_t>(100'000'000 / std::max<std::size_t>(1, atoms.size()), 20, 500);
  const auto chosen = sample_points(volume.grid, positions, most);
  std::vector<glm::dvec3> points;
  for (const std::size_t i : chosen) points.push_back(point_of(volume.grid, i));
  std::vector<double> exact(points.size());
  constexpr std::size_t few = 8;
  parallel_for((points.size() + few - 1) / few, job, "measuring the error", [&](std::size_t b) {
    const std::size_t count = std::min(few, points.size() - b * few);
    density_map_reference(atoms, std::span(points).subspan(b * few, count), std::span(exact).subspan(b * few, count));
  });
  return sampled_error(volume.grid, volume.values, chosen, exact, "double precision without a cutoff, sampled points");
}

void run_density_map(const Common& common, const Options& o) {
  check_output(o.out, "mrc map ccp4 dx cube cub vdb");
  if (o.spacing > 0 && !o.like.empty()) throw Error("--spacing and --like exclude each other", Error::Kind::usage);
  Run run(common);
  const auto molecule = read_model(run, o.model);
  check_frame(*molecule, o.frame);
  const Frame frame = frame_at(*molecule, o.frame);
  const auto chosen = model_atoms(o.model, *molecule->topology, frame);
  const auto positions = positions_of(frame, chosen);
  const auto atoms = map_atoms(*molecule->topology, frame.positions, chosen, o.model.resolution,
                               map_convention(o.model), map_weights(o.model));
  Volume volume;
  if (o.like.empty()) {
    const double spacing = o.spacing > 0 ? o.spacing : o.model.resolution / 3;
    volume.grid = density_map_grid(atoms, spacing);
    check_resolution(o.model.resolution, volume.grid, "the grid of --spacing");
  } else {
    volume.grid = read_map(run, o.like)->grid;
    check_resolution(o.model.resolution, volume.grid, o.like);
    check_meeting(run, volume.grid, positions, o.like);
  }
  run.report.phase("read");
  run.report.grid(volume.grid);
  volume.name = fmt::format("model at {:g} angstrom", o.model.resolution);
  volume.unit = unit_of(o.model);
  const std::size_t bytes = volume.grid.size() * sizeof(float) + density_map_memory(atoms, volume.grid, run.device);
  require_memory(bytes, run.device, "density map");
  DeviceArray<float> values(volume.grid.size(), run.device, "density map");
  run.report.phase("plan");
  const LaunchRecord record;
  density_map(atoms, volume.grid, values.span(), run.job());
  run.report.phase("compute");
  run.report.kernels(record.entries());
  run.report.memory(bytes, peak_memory(run.device));
  volume.values = values.copy_to_host();
  run.report.phase("transfer");
  run.report.error = measured(volume, atoms, positions, run.job());
  run.report.phase("check");
  run.report.method = describe(o.model, atoms.size());
  run.report.method["name"] = "sum of Gaussians";
  run.report.method["frame"] = o.frame;
  run.report.unit = volume.unit;
  double sum = 0;
  for (const float value : volume.values) sum += static_cast<double>(value);
  run.report.result = range_of(volume.values);
  run.report.result["integral"] = sum * std::abs(glm::determinant(volume.grid.step));
  write_volume(o.out, volume, molecule.get(), o.frame,
               fmt::format("{}, {}, computed by Isolume", volume.name, o.model.convention));
  run.report.phase("write");
  run.say(fmt::format("{}: {}, {} x {} x {} points on {}, largest {:.4g} {}", o.out, volume.name, volume.grid.counts.x,
                      volume.grid.counts.y, volume.grid.counts.z, to_string(run.device),
                      run.report.result["maximum"].get<double>(), volume.unit));
  run.finish();
}

}  // namespace

void add_compute_density_map(Commands& commands, Verb parent) {
  auto options = std::make_shared<Options>();
  const Verb command = commands.add(
      parent, "density-map", "the density map of a model at a resolution, as electron microscopy sees it",
      "isolume compute density-map model.pdb --resolution 6 --like emd.mrc --out model.mrc\n"
      "  isolume compute density-map run.psf run.dcd --frame 10 --resolution 8 --spacing 2 --out frame10.dx",
      [&commands, options] { run_density_map(commands.common, *options); });
  add_model_options(command, options->model);
  command.option("--frame", options->frame, "which frame, from 0");
  command.option("--spacing", options->spacing, "angstrom between grid points (default: a third of the resolution)")
      .range(1e-3, 1e3)
      .type_name("A");
  command.option("--grid,--like", options->like, "compute on the grid of this map").type_name("FILE");
  command.option("--out", options->out, "mrc, map, ccp4, dx, cube or vdb").type_name("FILE").required().writes();
}

}  // namespace isolume::cli
