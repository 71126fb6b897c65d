// Maps of the electrostatic potential in host memory: their charges, the parameters for an accuracy, and the map, whole
// or in slabs where a device does not have the memory for all of it, on one device or several.
#include "compute/electrostatics/potential_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::size_t plane_of(const Grid& grid) {
  return static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
}

Grid layers_of(Grid grid, int first, int count) {
  grid.origin = grid.point(0, 0, first);
  grid.counts.z = count;
  return grid;
}

// The solution of an equation is made whole, on one device.
bool in_layers(const PotentialOptions& options) {
  return method_of(options) != PotentialMethod::pb;
}

// Layers [begin, end) of a map on one device.
class DeviceShare {
 public:
  DeviceShare(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options, Device device,
              int begin, int end)
      : spheres_(spheres),
        grid_(grid),
        options_(options),
        msm_(std::get_if<MsmMethod>(&options)),
        device_(device),
        begin_(begin),
        end_(end) {
    if (msm_) charges_ = point_charges_of(spheres, charge_divisor(options));
    layers_ = end - begin;
    // Parts travel to the host while the next are computed.
    const std::size_t part = std::size_t{64} << 20;
    if (travels()) layers_ = std::max(1, std::min(layers_, static_cast<int>(part / (plane_of(grid) * sizeof(float)))));
    wanted_ = layers_;
    // The most layers whose bytes are there.
    const std::size_t available = available_memory(device);
    while (layers_ > 1 && in_layers(options) && bytes() > available) layers_ = (layers_ + 1) / 2;
    require_memory(bytes(), device, "electrostatic potential");
  }

  int slabs() const { return layers_ > 0 ? slabs_of(layers_) : 0; }
  bool short_of_memory() const { return layers_ < wanted_; }

  std::size_t bytes() const {
    const Grid part = layers_of(grid_, begin_, layers_);
    if (msm_ == nullptr) return potential_memory(spheres_, part, options_, device_);
    const std::size_t slabs = travels() && slabs_of(layers_) > 1 ? 2 : 1;
    return slabs * part.size() * sizeof(float) + MsmField::memory(charges_, grid_, msm_->msm, device_, layers_);
  }

  /// Calls done(layers) after each slab; the job's progress is that of the share.
  template <class Done>
  void compute(std::span<float> values, Job& job, PotentialRoom* room, const Done& done) {
    const std::size_t plane = plane_of(grid_);
    if (msm_ != nullptr) {
      constexpr double lattices = 0.3;  // of the progress
      MsmField msm(charges_, grid_, msm_->msm, device_, JobPart(job, 0, lattices));
      return msm.map_to_host(
          begin_, end_ - begin_, layers_,
          values.subspan(plane * static_cast<std::size_t>(begin_), plane * static_cast<std::size_t>(end_ - begin_)),
          JobPart(job, lattices, 1), done);
    }
    DeviceArray<float> slab(device_.is_cuda() ? plane * static_cast<std::size_t>(layers_) : 0, device_,
                            "potential map");
    for (int first = begin_; first < end_; first += layers_) {
      const int count = std::min(layers_, end_ - first);
      float* to = values.data() + plane * static_cast<std::size_t>(first);
      const std::size_t size = plane * static_cast<std::size_t>(count);
      const Span<float> out =
          device_.is_cuda() ? Span<float>(slab.data(), size, device_) : Span<float>(to, size, device_);
      const auto part_of = [&](int layer) { return static_cast<double>(layer - begin_) / (end_ - begin_); };
      JobPart part(job, part_of(first), part_of(first + count));
      potential(spheres_, layers_of(grid_, first, count), options_, out, part, room);
      if (device_.is_cuda()) copy_memory(to, Device::cpu(), slab.data(), device_, size * sizeof(float));
      job.check();
      done(count);
    }
  }

 private:
  bool travels() const { return msm_ != nullptr && device_.is_cuda(); }
  int slabs_of(int layers) const { return (end_ - begin_ + layers - 1) / layers; }

  std::span<const ChargedSphere> spheres_;
  const Grid& grid_;
  const PotentialOptions& options_;
  const MsmMethod* msm_;
  Device device_;
  int begin_, end_;
  int layers_ = 0, wanted_ = 0;  // at a time
  std::vector<PointCharge> charges_;
};

}  // namespace

std::vector<PointCharge> point_charges_of(std::span<const ChargedSphere> spheres, double divisor) {
  std::vector<PointCharge> charges;
  point_charges_of(spheres, divisor, charges);
  return charges;
}

void point_charges_of(std::span<const ChargedSphere> spheres, double divisor, std::vector<PointCharge>& charges) {
  constexpr std::size_t block = std::size_t{1} << 13;
  charges.resize(spheres.size());
  Job job;
  parallel_for((spheres.size() + block - 1) / block, job, "charges", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(spheres.size(), (b + 1) * block); ++i)
      charges[i] = {spheres[i].position, static_cast<float>(static_cast<double>(spheres[i].charge) / divisor)};
  });
}

double choose_parameters(double accuracy, std::span<const ChargedSphere> charges, const Grid& grid, Device device,
                         PotentialOptions& options) {
  if (auto* const mesh = std::get_if<SpmeMethod>(&options)) {
    const SpmePlanned planned = plan_spme(accuracy, charges.size(), mesh->cell, device, mesh->fixed_cutoff).front();
    mesh->spme = planned.options;
    return planned.expected_error;
  }
  auto* const multilevel = std::get_if<MsmMethod>(&options);
  if (multilevel == nullptr)
    throw Error(fmt::format("{} has no parameters that follow from an accuracy", name(method_of(options))),
                Error::Kind::usage);
  const MsmPlanned planned = plan_msm(accuracy, point_charges_of(charges), grid, device, multilevel->msm);
  multilevel->msm = planned.options;
  return planned.expected_error;
}

MapError to_accuracy(double target, double planned_for, int most, std::span<const ChargedSphere> charges,
                     const Grid& grid, Device device, PotentialOptions& options,
                     const std::function<MapError(const AccuracyTry&)>& compute) {
  AccuracyTry attempt;
  attempt.planned_for = planned_for;
  for (;; ++attempt.number) {
    attempt.before = compute(attempt);
    const bool done = !has_accuracy(options) || attempt.before.relative <= target;
    if (done || attempt.number >= most || attempt.planned_for <= finest_accuracy) return attempt.before;
    attempt.planned_for = std::max(finest_accuracy, attempt.planned_for / 3);
    attempt.expected_error = choose_parameters(attempt.planned_for, charges, grid, device, options);
  }
}

SlabReport potential_map_in_slabs(std::span<const ChargedSphere> spheres, const Grid& grid,
                                  const PotentialOptions& options, std::span<const Device> devices,
                                  std::span<float> values, Job& job, PotentialRoom* room) {
  if (values.size() != grid.size() || devices.empty())
    throw Error(fmt::format("potential map: {} values for {} points", values.size(), grid.size()), Error::Kind::usage);
  SlabReport report;
  report.slabs = 0;
  if (grid.size() == 0) return report;
  const int n = grid.counts.z;
  const int shares = in_layers(options) ? std::min(n, static_cast<int>(devices.size())) : 1;
  std::vector<DeviceShare> work;
  for (int i = 0; i < shares; ++i) {
    work.emplace_back(spheres, grid, options, devices[static_cast<std::size_t>(i)], n * i / shares,
                      n * (i + 1) / shares);
    report.slabs += work.back().slabs();
    report.bytes = std::max(report.bytes, work.back().bytes());
    report.short_of_memory = report.short_of_memory || work.back().short_of_memory();
  }
  if (shares == 1) {
    work.front().compute(values, job, room, [](int) {});
    return report;
  }
  std::mutex mutex;
  int done = 0;
  const auto count = [&](int layers) {
    const std::lock_guard lock(mutex);
    done += layers;
    job.progress(static_cast<double>(done) / n, "potential map");
    job.check();
  };
  std::vector<std::exception_ptr> failed(work.size());
  LaunchRecord* record = LaunchRecord::current();
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < work.size(); ++i) {
      threads.emplace_back([&, i] {
        const LaunchRecord::Join join(record);
        try {
          JobPart part(job);  // the devices' own steps are not in order
          work[i].compute(values, part, nullptr, count);
        } catch (...) {
          failed[i] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& fault : failed) {
    if (fault) std::rethrow_exception(fault);
  }
  return report;
}

}  // namespace isolume
