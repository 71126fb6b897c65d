// isolume compute potential --average: the mean potential over frames and its standard error.
#include "app/cli/compute/potential_average.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/over_time/field_average.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/potential_map.h"
#include "compute/over_time/frame_pipeline.h"
#include "molecule/base/error.h"
#include "molecule/far_positions.h"

namespace isolume::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t error_points = 2000;

/// The charges of one frame in the frame of the reference, and the cell as it is turned.
struct FrameCharges {
  std::size_t frame = 0;
  double rmsd = 0;
  std::vector<ChargedSphere> spheres;
  Cell cell;
};

class PotentialOfFrames final : public FieldOfFrames {
 public:
  PotentialOfFrames(Run& run, const PotentialAverage& options, PotentialWork& work)
      : FieldOfFrames(*work.molecule, options.average, work.frame), run_(run), options_(options), work_(work) {}

  FrameCharges charges_of(std::size_t index) const {
    const Frame frame = whole_frame(*work_.molecule, index);
    const auto [motion, rmsd] = alignment().motion(frame, index);
    FrameCharges result{index, rmsd, work_.charges.spheres, frame.cell};
    const glm::dmat3 turn = glm::mat3_cast(motion.rotation);
    for (std::size_t i = 0; i < result.spheres.size(); ++i) {
      const glm::dvec3 place = turn * precise_position(frame, work_.charges.atoms[i]) + motion.translation;
      result.spheres[i].position = glm::vec3(place - work_.charges.origin);
    }
    result.cell.vectors = turn * frame.cell.vectors;
    return result;
  }

  PotentialOptions options_of(const FrameCharges& charges) const {
    PotentialOptions potential = work_.potential;
    if (is_periodic(potential)) {
      if (!charges.cell.exists())
        throw Error(fmt::format("frame {} has no cell, which --periodic needs", charges.frame), Error::Kind::input);
      set_cell(potential, charges.cell);
    }
    return potential;
  }

  Grid plan(const std::vector<glm::dvec3>* points) override {
    Grid grid;
    if (points) {
      grid = Grid{points->front() - work_.charges.origin, glm::dmat3(1.0), glm::ivec3(1)};
    } else {
      grid = potential_grid_of(options_.map, options_.grid, work_, work_.potential);
      require_memory(grid.size() * 2 * sizeof(float), Device::cpu(), "the maps of a frame and of the mean");
    }
    if (chooses_parameters(options_.method))
      run_.report.result["expected_relative_error"] =
          choose_parameters(chosen_accuracy(options_.method), work_.charges.spheres,
                            points ? grid : seen_from(grid, work_.charges.origin), run_.device, work_.potential);
    run_.report.method = method_json(options_.method, work_);
    return grid;
  }

  AveragePart part() const override {
    AveragePart part;
    part.name = "mean electrostatic potential";
    part.unit = options_.method.unit;
    part.comment = fmt::format("{}, {}", describe(work_.potential), alignment().text());
    Json method = method_json(options_.method, work_);
    method.erase("frame");
    if (chooses_parameters(options_.method)) {
      // They follow the speed of the machine; parts of one average share the accuracy that they are chosen for.
      for (const char* key : {"cutoff", "lattice_spacing", "degree", "smoothing", "basis", "alpha", "order", "mesh"})
        method.erase(key);
      method["accuracy"] = chosen_accuracy(options_.method);
    }
    part.provenance = {{"computation", "average potential"},
                       {"method", method},
                       {"selection", work_.selection},
                       {"alignment", alignment().text()},
                       {"atoms", fingerprint(*work_.molecule, whole_frame(*work_.molecule, work_.frame))}};
    return part;
  }

  void on_grid(const Grid& grid, Averager& averager) override {
    const Grid near = seen_from(grid, work_.charges.origin);
    const std::span<const std::size_t> left = averager.left();
    MapError worst;
    const double seconds = rough_map_seconds(work_.charges.spheres.size(), near, work_.potential);
    const std::vector<Device> devices = run_.devices_for(seconds);
    const Device device = devices.front();
    // Where one device makes the whole map and has room for the statistics, nothing of a frame leaves it.
    const std::size_t map_bytes =
        device.is_cuda() ? potential_memory(work_.charges.spheres, near, work_.potential, device) : 0;
    const bool on_device = averager.use_device(devices.size() == 1 ? device : Device::cpu(), map_bytes) &&
                           device.is_cuda() && devices.size() == 1;
    std::vector<float> values(on_device ? 0 : grid.size());
    DeviceArray<float> map(on_device ? grid.size() : 0, device, "potential map");
    if (on_device) run_.report.memory(map_bytes, peak_memory(device));
    const auto make = [&](std::size_t i) { return charges_of(left[i]); };
    const auto take = [&](std::size_t i, const FrameCharges& charges) {
      const PotentialOptions potential = options_of(charges);
      JobPart part(run_.job());
      if (on_device) {
        isolume::potential(charges.spheres, near, potential, map.span(), part, &work_.room);
      } else {
        map_in_slabs(charges, near, potential, devices, values, i == 0);
      }
      const Span<const float> made = on_device ? Span<const float>(map.span()) : Span<const float>(values);
      if (i == 0 || i + 1 == left.size()) {
        const MapError error = measured_error(charges.spheres, near, potential, made, part, error_points, &work_.room);
        if (error.points > 0 && error.relative >= worst.relative) worst = error;
      }
      averager.add(made, work_.factor, charges.rmsd);
    };
    in_order(left.size(), 3, run_.job(), make, take);
    if (worst.points > 0) run_.report.error = error_json(worst, work_);
    run_.report.method = method_json(options_.method, work_);  // pb: what its last solution was like
  }

  void at_points(const std::vector<glm::dvec3>& points, Averager& averager) override {
    averager.use_device(Device::cpu(), 0);
    std::vector<glm::dvec3> near = points;
    for (glm::dvec3& point : near) point -= work_.charges.origin;
    const std::span<const std::size_t> left = averager.left();
    // Sums over pairs are made for several frames at once; the others take all threads, or the device.
    const PotentialMethod method = method_of(work_.potential);
    const bool pairs = method == PotentialMethod::direct || method == PotentialMethod::cutoff ||
                       method == PotentialMethod::debye_hueckel;
    const Device device = std::holds_alternative<MsmMethod>(work_.potential) ? run_.device : Device::cpu();
    run_.report.device(device);
    struct Values {
      FrameCharges charges;
      std::vector<double> values;
    };
    const auto compute = [&](Values& found) {
      JobPart part(run_.job());
      found.values.resize(near.size());
      potential_at(found.charges.spheres, options_of(found.charges), near, found.values, {}, device, part);
      for (double& value : found.values) value *= work_.factor;
    };
    const auto make = [&](std::size_t i) {
      Values found{charges_of(left[i]), {}};
      if (pairs) compute(found);
      return found;
    };
    const auto take = [&](std::size_t i, Values&& found) {
      if (!pairs) compute(found);
      averager.add(std::span<const double>(found.values), found.charges.rmsd);
      if (method == PotentialMethod::direct || method == PotentialMethod::debye_hueckel || i > 0) return;
      std::vector<double> volts = found.values;
      for (double& value : volts) value /= work_.factor;
      JobPart part(run_.job());
      run_.report.error =
          error_json(measured_error_at(found.charges.spheres, options_of(found.charges), near, volts, part), work_);
    };
    in_order(left.size(), 4 * static_cast<std::size_t>(std::max(1, thread_count())), run_.job(), make, take);
  }

 private:
  void map_in_slabs(const FrameCharges& charges, const Grid& near, const PotentialOptions& potential,
                    std::span<const Device> devices, std::span<float> values, bool first) {
    JobPart part(run_.job());
    const SlabReport slabs =
        potential_map_in_slabs(charges.spheres, near, potential, devices, values, part, &work_.room);
    run_.report.workers(slabs.workers);
    if (first) run_.report.memory(slabs.bytes, peak_memory(run_.device));
  }

  Run& run_;
  const PotentialAverage& options_;
  PotentialWork& work_;
};

}  // namespace

void average_potential(Run& run, const PotentialAverage& options, PotentialWork& work) {
  PotentialOfFrames potential(run, options, work);
  FieldAverage average{options.average, options.grid.out, std::nullopt,
                       "--average takes a trajectory with charges of its own, and here there is one frame"};
  if (!options.grid.at.empty()) {
    average.points = read_points(options.grid.at);
    run.report.input(options.grid.at);
  }
  average_field(run, average, potential);
}

}  // namespace isolume::cli
