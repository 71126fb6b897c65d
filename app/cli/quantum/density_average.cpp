// isolume compute density --average: the mean of a density of frames' orbitals, or of a field of it.
#include "app/cli/quantum/density_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/cli/over_time/field_average.h"
#include "app/cli/quantum/density_field.h"
#include "app/cli/quantum/density_formula.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
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

/// The field that is averaged, of the orbitals of a frame.
class OneDensity {
 public:
  OneDensity(const DensityAverage& options, const Orbitals& orbitals) : options_(options), orbitals_(orbitals) {
    if (!options.measure) return;
    if (orbitals.electron_count() == 0)
      throw Error(options.name + ": no orbital of a frame is occupied", Error::Kind::usage);
    evaluator_.emplace(orbitals, options.measure->spins);
  }

  std::size_t memory(const Grid& grid, Device device) const {
    return evaluator_ ? measure_memory(*evaluator_, *options_.measure, grid, device) : density_memory(orbitals_);
  }
  void map(const Grid& grid, Span<float> values, Job& job) const {
    if (!evaluator_) return electron_density(orbitals_, options_.kind, grid, values, job);
    measure_on_grid(*evaluator_, *options_.measure, grid, values, job);
  }
  Json error(const Volume& volume, const Frame& frame) const {
    if (!evaluator_) return error_by_formula(DensityFormula(orbitals_, options_.kind), std::nullopt, volume, frame);
    return measure_error(*options_.measure, *evaluator_, volume, frame.positions, options_.most());
  }
  void at(const std::vector<glm::dvec3>& points, std::span<double> values, Device device, Job& job) const {
    if (!evaluator_) {
      const DensityFormula density(orbitals_, options_.kind);
      return in_tiles(points.size(), job, "density at points", [&](std::size_t begin, std::size_t end) {
        density(std::span(points).subspan(begin, end - begin), values.subspan(begin, end - begin));
      });
    }
    std::vector<glm::dvec3> places = points;
    for (glm::dvec3& place : places) place *= units::angstrom_in_bohr;
    std::vector<DensityDerivatives> alpha(points.size()), beta(points.size());
    evaluator_->at(places, options_.measure->order, alpha, beta, job, device);
    for (std::size_t i = 0; i < points.size(); ++i)
      values[i] = std::min(measure_value(options_.measure->measure, alpha[i], beta[i]), options_.most());
  }

 private:
  const DensityAverage& options_;
  const Orbitals& orbitals_;
  std::optional<SpinEvaluator> evaluator_;
};

class DensityOfFrames final : public FieldOfFrames {
 public:
  DensityOfFrames(Run& run, const DensityAverage& options, const Molecule& molecule)
      : FieldOfFrames(molecule, options.average, options.grid.frame.value_or(0)), run_(run), options_(options) {}

  FrameOrbitals orbitals_of(std::size_t index) const {
    if (index >= molecule().orbitals.size())  // else those of the last one would count once more
      throw Error(fmt::format("frame {} has no orbitals: the files have those of {}", index,
                              counted(molecule().orbitals.size(), "frame")),
                  Error::Kind::input);
    FrameOrbitals result{options_.orbitals(index), whole_frame(molecule(), index), 0};
    const FrameMotion found = alignment().motion(result.frame, index);
    result.rmsd = found.rmsd;
    if (found.motion.none()) return result;
    result.orbitals = moved(result.orbitals, found.motion);
    move_positions(result.frame, found.motion);
    return result;
  }

  Grid plan(const std::vector<glm::dvec3>* points) override {
    run_.report.phase("read");
    run_.report.method = method();
    if (points) return {};
    const auto like = grid_like(options_.grid);
    const Grid grid = like ? *like
                           : density_grid(whole_frame(molecule(), alignment().reference()).positions, options_.margin,
                                          options_.grid.spacing);
    run_.report.grid(grid);
    return grid;
  }

  AveragePart part() const override {
    AveragePart part;
    part.name = "mean " + options_.name;
    part.unit = options_.measure ? options_.measure->unit : "bohr^-3";
    part.comment = alignment().text();
    part.provenance = {{"computation", "average density"},
                       {"method", method()},
                       {"alignment", alignment().text()},
                       {"atoms", fingerprint(molecule(), whole_frame(molecule(), alignment().reference()))}};
    return part;
  }

  Json method() const { return {{"name", options_.name}, {"precision", "double"}}; }

  void on_grid(const Grid& grid, Averager& averager) override {
    const std::span<const std::size_t> left = averager.left();
    const std::size_t map_bytes = grid.size() * sizeof(float);
    std::optional<DeviceArray<float>> map;
    bool on_device = false;
    Json worst;
    const LaunchRecord record;
    for (std::size_t i = 0; i < left.size(); ++i) {
      run_.job().check();
      const FrameOrbitals frame = orbitals_of(left[i]);
      const OneDensity density(options_, frame.orbitals);
      const std::size_t bytes = map_bytes + density.memory(grid, run_.device);
      if (i == 0) {
        require_memory(bytes, run_.device, options_.name);
        // Where the device has room for the statistics, nothing of a frame leaves it.
        on_device = !options_.has_most() && averager.use_device(run_.device, bytes) && run_.device.is_cuda();
        if (options_.has_most()) averager.use_device(Device::cpu(), 0);
        map.emplace(grid.size(), run_.device, "values of the density");
      }
      JobPart part(run_.job());
      density.map(grid, map->span(), part);
      run_.report.memory(bytes, peak_memory(run_.device));
      const bool checked = i == 0 || i + 1 == left.size();
      Volume volume;
      if (checked || !on_device) volume.values = map->copy_to_host();
      if (options_.has_most())
        for (float& value : volume.values) value = std::min(value, static_cast<float>(options_.most()));
      if (on_device) {
        averager.add(Span<const float>(map->span()), 1, frame.rmsd);
      } else {
        averager.add(std::span<const float>(volume.values), frame.rmsd);
      }
      if (!checked) continue;
      volume.grid = grid;
      const Json error = density.error(volume, frame.frame);
      if (worst.is_null() || error["relative"] > worst["relative"]) worst = error;
    }
    if (left.empty()) averager.use_device(Device::cpu(), 0);
    run_.report.kernels(record.entries());
    if (!worst.is_null()) run_.report.error = worst;
    note_values(grid, averager);
  }

  void at_points(const std::vector<glm::dvec3>& points, Averager& averager) override {
    const Device device = options_.measure ? run_.device : Device::cpu();
    run_.report.device(device);
    averager.use_device(Device::cpu(), 0);
    std::vector<double> values(points.size());
    for (const std::size_t index : averager.left()) {
      const FrameOrbitals frame = orbitals_of(index);
      JobPart part(run_.job());
      OneDensity(options_, frame.orbitals).at(points, values, device, part);
      averager.add(std::span<const double>(values), frame.rmsd);
    }
  }

 private:
  // The range of the mean and, of a density, its integral over the grid.
  void note_values(const Grid& grid, const Averager& averager) const {
    std::vector<float> means(grid.size());
    averager.statistics().fill(means, {}, run_.job());
    run_.report.result.update(range_of(means));
    if (options_.measure) return;
    double sum = 0;
    for (const float value : means) sum += static_cast<double>(value);
    run_.report.result["electrons_on_grid"] =
        sum * std::abs(glm::determinant(grid.step)) * std::pow(units::angstrom_in_bohr, 3);
  }

  Run& run_;
  const DensityAverage& options_;
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
  DensityOfFrames density(run, options, molecule);
  FieldAverage average{options.average, options.grid.out, std::nullopt,
                       "--average takes several frames with orbitals: a file of several, or a file for each"};
  if (!options.grid.at.empty()) {
    average.points = read_points(options.grid.at);
    run.report.input(options.grid.at);
  }
  average_field(run, average, density);
  run.report.phase("write");
}

}  // namespace isolume::cli
