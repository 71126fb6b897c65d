// Maps of the electrostatic potential by any of the methods and the bytes that they take: whole, or in host memory in
// slabs where a device has not the memory for all of it, and on several devices.
#include "compute/electrostatics/potential_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/electrostatics/everything_cutoff.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<glm::dvec3> corners(const Grid& grid) {
  std::vector<glm::dvec3> points;
  for (int c = 0; c < 8; ++c)
    points.push_back(
        grid.point(c & 1 ? grid.counts.x - 1 : 0, c & 2 ? grid.counts.y - 1 : 0, c & 4 ? grid.counts.z - 1 : 0));
  return points;
}

/// The cutoff sum that a cutoff method, or the direct sum in a dielectric that depends on the distance, comes to.
CutoffOptions cutoff_of(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options) {
  if (const auto* const cutoff = std::get_if<CutoffOptions>(&options)) return *cutoff;
  return cutoff_of_everything(spheres, dielectric_of(options), corners(grid));
}

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

std::size_t potential_memory(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
                             Device device) {
  check_options(method);
  const std::size_t map = grid.size() * sizeof(float);
  switch (method_of(method)) {
    case PotentialMethod::automatic:
      break;
    case PotentialMethod::direct:
      if (is_fast_direct(method))
        return map + fast_direct_memory(charges.size(), grid, {std::get<DirectOptions>(method).accuracy}, device);
      if (!has_sigmoidal_dielectric(method)) return map + direct_potential_memory(charges.size(), grid, device);
      [[fallthrough]];
    case PotentialMethod::cutoff:
      return map + cutoff_potential_memory(charges.size(), grid, cutoff_of(charges, grid, method), device);
    case PotentialMethod::msm:
      return map + msm_potential_memory(point_charges_of(charges), grid, std::get<MsmMethod>(method).msm, device);
    case PotentialMethod::debye_hueckel:
      return map + 2 * charges.size() * sizeof(ChargedSphere);
    case PotentialMethod::spme: {
      const auto& [spme, cell, dielectric, fixed] = std::get<SpmeMethod>(method);
      return map + spme_memory(charges.size(), complete_spme(spme, cell), cell, device);
    }
    case PotentialMethod::hcp:
      return map + hcp_memory(*std::get<HcpMethod>(method).parts, std::get<HcpMethod>(method).hcp);
    case PotentialMethod::pb:
      return map + poisson_boltzmann_memory(charges.size(), grid, std::get<PoissonBoltzmannOptions>(method), device);
    case PotentialMethod::gb:
      break;
  }
  return map;
}

void PotentialRoom::end_frame() {
  constexpr std::size_t most = std::size_t{64} << 20;
  if (!msm.keeps_memory()) msm = {};
  if (charges.capacity() * sizeof(PointCharge) > most) charges = {};
  if (start.solution.capacity() * sizeof(double) > 4 * most) start = {};
  if (start.device_solution.size() * sizeof(double) > 16 * most) start = {};
}

void potential(std::span<const ChargedSphere> charges, const Grid& grid, const PotentialOptions& method,
               Span<float> out, Job& job, PotentialRoom* room) {
  check_options(method);
  PotentialRoom own;
  std::vector<PointCharge>& points = (room ? room : &own)->charges;
  point_charges_of(charges, charge_divisor(method), points);
  switch (method_of(method)) {
    case PotentialMethod::automatic:
      break;
    case PotentialMethod::direct:
      if (is_fast_direct(method))
        return fast_direct_potential(points, grid, {std::get<DirectOptions>(method).accuracy}, out, job);
      if (!has_sigmoidal_dielectric(method)) return direct_potential(points, grid, out, job);
      [[fallthrough]];
    case PotentialMethod::cutoff: {
      CutoffOptions cutoff = cutoff_of(charges, grid, method);
      if (!has_sigmoidal_dielectric(method)) cutoff.dielectric = {};  // the charges are divided already
      return cutoff_potential(points, grid, cutoff, out, job);
    }
    case PotentialMethod::msm: {
      const MsmOptions& msm = std::get<MsmMethod>(method).msm;
      if (!room || !out.device.is_cuda()) return msm_potential(points, grid, msm, out, job);
      room->msm.reset(points, grid, msm, out.device, job);
      return room->msm.map(0, grid.counts.z, out, job);
    }
    case PotentialMethod::debye_hueckel:
      return debye_hueckel_potential(charges, grid, std::get<DebyeHueckelOptions>(method), out, job);
    case PotentialMethod::spme: {
      const auto& [spme, cell, dielectric, fixed] = std::get<SpmeMethod>(method);
      return spme_potential(points, grid, cell, spme, SpmeMap::full, out, job);
    }
    case PotentialMethod::hcp: {
      HcpOptions hcp = std::get<HcpMethod>(method).hcp;
      if (!has_sigmoidal_dielectric(method)) hcp.dielectric = {};  // the charges are divided already
      return hcp_potential(points, *std::get<HcpMethod>(method).parts, grid, hcp, out, job);
    }
    case PotentialMethod::pb:
      (room ? room : &own)->solved = poisson_boltzmann(charges, grid, std::get<PoissonBoltzmannOptions>(method), out,
                                                       job, room ? &room->start : nullptr);
      return;
    case PotentialMethod::gb:
      throw Error("gb has energies; it makes no maps of the potential", Error::Kind::usage);
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
