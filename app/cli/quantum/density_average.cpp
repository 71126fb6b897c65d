// isolume compute density --average: the mean density of frames' orbitals and its standard error.
#include "app/cli/quantum/density_average.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "app/cli/over_time/averager.h"
#include "app/cli/quantum/density_formula.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/over_time/frame_alignment.h"
#include "formats/bytes/left_out.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The orbitals of one frame in the frame of the reference.
struct FrameOrbitals {
  Orbitals orbitals;
  Frame frame;
  double rmsd = 0;
};

class DensityOfFrames {
 public:
  DensityOfFrames(Run& run, const DensityAverage& options, const Molecule& molecule)
      : run_(run),
        options_(options),
        molecule_(molecule),
        alignment_(molecule, options.average.align, options.grid.frame.value_or(0)) {}

  FrameOrbitals orbitals_of(std::size_t index) const {
    if (index >= molecule_.orbitals.size())  // else those of the last one would count once more
      throw Error(fmt::format("frame {} has no orbitals: the files have those of {}", index,
                              counted(molecule_.orbitals.size(), "frame")),
                  Error::Kind::input);
    FrameOrbitals result{options_.orbitals(index), whole_frame(molecule_, index), 0};
    const FrameMotion found = alignment_.motion(result.frame, index);
    result.rmsd = found.rmsd;
    if (found.motion.none()) return result;
    result.orbitals = moved(result.orbitals, found.motion);
    move_positions(result.frame, found.motion);
    return result;
  }

  Grid grid() const {
    if (const auto like = grid_like(options_.grid)) return *like;
    const Frame frame = whole_frame(molecule_, alignment_.reference());
    return density_grid(frame.positions, options_.margin, options_.grid.spacing);
  }

  AveragePart part(const std::vector<glm::dvec3>& points, const Grid& grid) const {
    AveragePart part;
    part.name = "mean " + options_.name;
    part.unit = "bohr^-3";
    part.comment = alignment_.text();
    part.provenance = {{"computation", "average density"},
                       {"method", method()},
                       {"alignment", alignment_.text()},
                       {"atoms", fingerprint(molecule_, whole_frame(molecule_, alignment_.reference()))}};
    part.points = points;
    if (points.empty()) part.grid = grid;
    return part;
  }

  Json method() const { return {{"name", options_.name}, {"precision", "double"}}; }

  void on_grid(const Grid& grid, Averager& averager) {
    const std::span<const std::size_t> left = averager.left();
    const std::size_t map_bytes = grid.size() * sizeof(float);
    std::optional<DeviceArray<float>> map;
    bool on_device = false;
    Json worst;
    const LaunchRecord record;
    for (std::size_t i = 0; i < left.size(); ++i) {
      run_.job().check();
      const FrameOrbitals frame = orbitals_of(left[i]);
      const std::size_t bytes = map_bytes + density_memory(frame.orbitals);
      if (i == 0) {
        require_memory(bytes, run_.device, options_.name);
        // Where the device has room for the statistics, nothing of a frame leaves it.
        on_device = averager.use_device(run_.device, bytes) && run_.device.is_cuda();
        map.emplace(grid.size(), run_.device, "values of the density");
      }
      JobPart part(run_.job());
      electron_density(frame.orbitals, options_.kind, grid, map->span(), part);
      run_.report.memory(bytes, peak_memory(run_.device));
      const bool checked = i == 0 || i + 1 == left.size();
      Volume volume;
      if (checked || !on_device) volume.values = map->copy_to_host();
      if (on_device) {
        averager.add(Span<const float>(map->span()), 1, frame.rmsd);
      } else {
        averager.add(std::span<const float>(volume.values), frame.rmsd);
      }
      if (!checked) continue;
      volume.grid = grid;
      const Json error =
          error_by_formula(DensityFormula(frame.orbitals, options_.kind), std::nullopt, volume, frame.frame);
      if (worst.is_null() || error["relative"] > worst["relative"]) worst = error;
    }
    if (left.empty()) averager.use_device(Device::cpu(), 0);
    run_.report.kernels(record.entries());
    if (!worst.is_null()) run_.report.error = worst;
    note_electrons(grid, averager);
  }

  void at_points(const std::vector<glm::dvec3>& points, Averager& averager) {
    run_.report.device(Device::cpu());
    averager.use_device(Device::cpu(), 0);
    std::vector<double> values(points.size());
    for (const std::size_t index : averager.left()) {
      const FrameOrbitals frame = orbitals_of(index);
      const DensityFormula density(frame.orbitals, options_.kind);
      JobPart part(run_.job());
      in_tiles(points.size(), part, "density at points", [&](std::size_t begin, std::size_t end) {
        density(std::span(points).subspan(begin, end - begin), std::span(values).subspan(begin, end - begin));
      });
      averager.add(std::span<const double>(values), frame.rmsd);
    }
  }

  const FrameAlignment& alignment() const { return alignment_; }

 private:
  // The integral of the mean over the grid.
  void note_electrons(const Grid& grid, const Averager& averager) const {
    std::vector<float> means(grid.size());
    averager.statistics().fill(means, {}, run_.job());
    double sum = 0;
    for (const float value : means) sum += static_cast<double>(value);
    run_.report.result["electrons_on_grid"] =
        sum * std::abs(glm::determinant(grid.step)) * std::pow(units::angstrom_in_bohr, 3);
    run_.report.result.update(range_of(means));
  }

  Run& run_;
  const DensityAverage& options_;
  const Molecule& molecule_;
  FrameAlignment alignment_;
};

}  // namespace

Grid density_grid(std::span<const glm::vec3> positions, double margin, double spacing) {
  glm::dvec3 lower(1e300), upper(-1e300);
  for (const glm::vec3& position : positions) {
    lower = glm::min(lower, glm::dvec3(position));
    upper = glm::max(upper, glm::dvec3(position));
  }
  if (lower.x > upper.x) throw Error("a density needs atoms with positions", Error::Kind::usage);
  const glm::dvec3 edges = upper - lower + 2 * margin;
  const double chosen = spacing > 0 ? spacing : std::ceil(std::cbrt(edges.x * edges.y * edges.z / 2e5) * 100) / 100;
  return Grid::covering(lower - margin, upper + margin, chosen);
}

void average_density(Run& run, const DensityAverage& options, const Molecule& molecule) {
  require_same_atoms(molecule, "an average over frames");
  const std::size_t count = molecule.frame_count();
  const std::vector<std::size_t> frames =
      parse_frames(options.average.frames.empty() ? ":" : options.average.frames, count);
  if (count < 2)
    throw Error("--average takes several frames with orbitals: a file of several, or a file for each",
                Error::Kind::usage);
  DensityOfFrames over(run, options, molecule);
  run.report.phase("read");
  run.report.method = over.method();
  const bool at = !options.grid.at.empty();
  std::vector<glm::dvec3> points;
  Grid grid;
  if (at) {
    points = read_points(options.grid.at);
    run.report.input(options.grid.at);
  } else {
    grid = over.grid();
    run.report.grid(grid);
  }
  run.report.phase("plan");
  Averager averager(run, options.average, over.part(points, grid), frames);
  if (at) {
    over.at_points(points, averager);
  } else {
    over.on_grid(grid, averager);
  }
  averager.finish({options.grid.out, options.average.error_out, options.average.convergence, options.average.faded_out},
                  over.alignment(), &molecule, over.alignment().reference());
  run.report.phase("write");
}

}  // namespace isolume::cli
