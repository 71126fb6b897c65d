// The potential of a density on a grid: exact sums, or a mesh that is held against them.
#include "app/cli/quantum/density_potential_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "app/cli/compute/compute.h"
#include "app/documents/frames.h"
#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electron_density/mesh/density_mesh.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume::cli {
namespace {

constexpr std::size_t checked_points = 500;  // of exact sums, which differ by rounding alone
constexpr std::size_t checked_points_of_mesh = 2000;
constexpr double short_time = 5;                  // seconds
constexpr double finest = 1e-8, coarsest = 1e-3;  // hartree/e
constexpr int most_tries = 3;
constexpr double slowest_device = 0.05;  // of the speed of an H200

std::vector<glm::dvec3> in_bohr(const Grid& grid, std::span<const std::size_t> chosen) {
  std::vector<glm::dvec3> points;
  for (const std::size_t i : chosen) points.push_back(units::angstrom_in_bohr * point_of(grid, i));
  return points;
}

class PotentialMap {
 public:
  PotentialMap(Run& run, const DensityField& field, const DensityPotential& potential, double factor,
               const Molecule& molecule, const Grid& grid, std::size_t frame)
      : run_(run),
        potential_(potential),
        factor_(factor),
        vectors_(field.kind == "field"),
        tolerance_(field.tolerance),
        positions_(frame_at(molecule, frame).positions),
        grid_(grid),
        device_(run.device) {
    volume_.grid = grid;
    volume_.name = vectors_ ? "electric field of the density" : "potential of the density";
  }

  Volume of(const std::string& method) {
    run_.report.grid(grid_);
    if (method == "exact" || vectors_) return exact();
    if (method == "mesh") {
      if (!mesh())
        throw Error(
            fmt::format("--tolerance {:g} cannot be met: the relative error of the mesh is {:.2g} after {} "
                        "tries; --method exact has none, and takes about {:.0f} s",
                        tolerance_, relative_, tries_.size(), exact_seconds()));
      return volume_;
    }
    const double seconds = exact_seconds();
    if (seconds <= short_time) return exact();
    const DensityMeshPlan plan = mesh_plan(first_accuracy());
    const std::size_t bytes = mesh_bytes(plan);
    if (plan.work(grid_, device_) / (device_.is_cuda() ? slowest_device : thread_count()) > seconds) return exact();
    if (bytes > available_memory(device_)) {
      run_.say(fmt::format("note: a mesh would need {}; the potential is summed exactly", bytes_in_words(bytes)));
      return exact();
    }
    if (mesh(plan)) return volume_;
    run_.say(
        fmt::format("note: the relative error of the mesh is {:.2g} after {} tries; the potential is summed exactly",
                    relative_, tries_.size()));
    return exact();
  }

 private:
  /// Seconds that a grid takes exactly, by some of its points.
  double exact_seconds() {
    if (exact_seconds_) return *exact_seconds_;
    const Device device = device_;
    const auto chosen = sample_points(grid_, {}, std::min<std::size_t>(device.is_cuda() ? 16384 : 256, grid_.size()));
    const std::vector<glm::dvec3> points = in_bohr(grid_, chosen);
    std::vector<double> values(points.size());
    if (device.is_cuda()) potential_.at(std::span(points).first(1), std::span(values).first(1), {}, run_.job(), device);
    const auto begin = std::chrono::steady_clock::now();
    potential_.at(points, values, {}, run_.job(), device);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    exact_seconds_ = seconds.count() * static_cast<double>(grid_.size()) / static_cast<double>(points.size());
    return *exact_seconds_;
  }

  /// The exact sums at some points, factor and all, by a body that did not make the map.
  const std::vector<double>& checks(std::size_t count, Device device) {
    if (!chosen_.empty()) return exact_;
    chosen_ = sample_points(grid_, positions_, count);
    const std::vector<glm::dvec3> points = in_bohr(grid_, chosen_);
    exact_.resize(points.size());
    std::vector<glm::dvec3> slopes(vectors_ ? points.size() : 0);
    potential_.at(points, exact_, slopes, run_.job(), device);
    for (std::size_t i = 0; i < exact_.size(); ++i)
      exact_[i] = std::min(factor_ * (vectors_ ? glm::length(slopes[i]) : exact_[i]), 1e30);
    return exact_;
  }

  Volume exact() {
    run_.device = device_;
    const std::size_t bytes = grid_.size() * sizeof(float) + potential_.memory();
    require_memory(bytes, run_.device, "potential of the density");
    const double seconds = exact_seconds();
    run_.report.method["name"] = "McMurchie-Davidson, exact";
    run_.report.method["precision"] = "double";
    run_.report.device(run_.device);
    run_.report.result["predicted_seconds"] = seconds;
    if (seconds > short_time) run_.say(fmt::format("{} points, exact sums: about {:.0f} s", grid_.size(), seconds));
    DeviceArray<float> values(grid_.size(), run_.device, "values of the potential");
    run_.report.phase("plan");
    const LaunchRecord record;
    potential_.on_grid(grid_, vectors_, factor_, values.span(), run_.job());
    run_.report.kernels(record.entries());
    run_.report.memory(bytes, peak_memory(run_.device));
    run_.report.phase("compute");
    volume_.values = values.copy_to_host();
    run_.report.phase("transfer");
    // What is left is the rounding of the map to single precision.
    chosen_.clear();
    const std::vector<double>& expected = checks(checked_points, Device::cpu());
    run_.report.error =
        sampled_error(grid_, volume_.values, chosen_, expected, "the sum in double precision at sampled points");
    run_.report.phase("check");
    return volume_;
  }

  /// A part of the tolerance of the potential's size, so that most maps are within it at once.
  double first_accuracy() {
    double squares = 0;
    const std::vector<double>& expected = checks(checked_points_of_mesh, device_);
    for (const double value : expected) squares += std::min(value * value, 1e30);
    const double size = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, expected.size()))) / factor_;
    return std::clamp(0.1 * tolerance_ * size, finest, coarsest);
  }

  DensityMeshPlan mesh_plan(double accuracy) {
    require_memory(potential_.sources() * 256, Device::cpu(), "plan of a mesh");
    return plan_density_mesh(potential_.density(), potential_.centres(), potential_.charges(), grid_, accuracy, 0,
                             run_.job(), device_);
  }

  std::size_t mesh_bytes(const DensityMeshPlan& plan) const {
    return plan.memory(device_) + grid_.size() * sizeof(float) + (device_.is_cuda() ? potential_.memory() : 0);
  }

  bool mesh() {
    const DensityMeshPlan plan = mesh_plan(first_accuracy());
    return mesh(plan);
  }

  /// False where the tolerance is missed with the finest mesh.
  bool mesh(DensityMeshPlan plan) {
    run_.report.method["name"] = "atom-centred expansions and a mesh";
    run_.report.method["precision"] = "single";
    run_.device = device_;
    run_.report.device(device_);
    const LaunchRecord record;
    for (;;) {
      const std::size_t bytes = mesh_bytes(plan);
      require_memory(bytes, device_, "potential of the density on a mesh");
      run_.report.method["exponent"] = plan.exponent;
      run_.report.method["mesh_spacing"] = plan.step * units::bohr_in_angstrom;
      run_.report.method["mesh"] = {plan.padded.x, plan.padded.y, plan.padded.z};
      run_.report.method["sites"] = plan.sites.size();
      run_.report.phase("plan");
      const double accuracy = plan.accuracy;
      {
        DeviceArray<float> values(grid_.size(), device_, "values of the potential");
        const DensityPotentialMesh made(potential_.density(), std::move(plan), run_.job(), device_);
        made.on_grid(grid_, factor_, values.span(), run_.job());
        run_.report.memory(bytes, peak_memory(device_));
        run_.report.phase("compute");
        volume_.values = values.copy_to_host();
        run_.report.phase("transfer");
      }
      run_.report.error = sampled_error(grid_, volume_.values, chosen_, exact_, "exact sums at sampled points");
      relative_ = run_.report.error["relative"].get<double>();
      tries_.push_back({{"accuracy", accuracy}, {"relative", relative_}});
      run_.report.result["tries"] = tries_;
      run_.report.kernels(record.entries());
      run_.report.phase("check");
      if (relative_ <= tolerance_) return true;
      if (tries_.size() >= most_tries || accuracy <= finest) return false;
      run_.say(fmt::format("mesh: relative error {:.2g}; once more, finer", relative_));
      plan = mesh_plan(std::max(finest, 0.1 * accuracy));
    }
  }

  Run& run_;
  const DensityPotential& potential_;
  double factor_;
  bool vectors_;
  double tolerance_, relative_ = 0;
  std::vector<glm::vec3> positions_;
  const Grid& grid_;
  Device device_;  ///< that was asked for
  Volume volume_;
  std::optional<double> exact_seconds_;
  std::vector<std::size_t> chosen_;
  std::vector<double> exact_;
  nlohmann::ordered_json tries_ = nlohmann::ordered_json::array();
};

}  // namespace

Volume density_potential_map(Run& run, const DensityField& field, const DensityPotential& potential, double factor,
                             const Molecule& molecule, const Grid& grid, std::size_t frame) {
  return PotentialMap(run, field, potential, factor, molecule, grid, frame).of(field.method);
}

}  // namespace isolume::cli
