// Multilevel summation: checks, and the choice of the body.
#include "compute/electrostatics/msm/msm.h"

#include <fmt/core.h>

#include <algorithm>
#include <future>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/msm/msm_bodies.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "compute/electrostatics/pairs/near_sum_cpu.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {

void check_options(const MsmOptions& options) {
  const auto fail = [](const std::string& message) { throw Error("MSM: " + message, Error::Kind::usage); };
  if (!(options.cutoff > 0) || !std::isfinite(options.cutoff)) {
    fail(fmt::format("a cutoff of {} angstrom; expected more than 0", options.cutoff));
  }
  if (!(options.spacing > 0) || !std::isfinite(options.spacing)) {
    fail(fmt::format("a lattice spacing of {} angstrom; expected more than 0", options.spacing));
  }
  if (!(options.cutoff >= options.spacing) || options.cutoff > 64 * options.spacing) {
    fail(fmt::format("a cutoff of {} angstrom with a lattice spacing of {}; expected 1 to 64 times the spacing",
                     options.cutoff, options.spacing));
  }
  if (options.degree != 3 && options.degree != 5 && options.degree != 7) {
    fail(fmt::format("interpolation of degree {}; expected 3, 5 or 7", options.degree));
  }
  if (options.smoothing < 2 || options.smoothing > 4) {
    fail(fmt::format("smoothing of order {}; expected 2, 3 or 4", options.smoothing));
  }
  if (options.levels < 0 || options.levels > 16) {
    fail(fmt::format("{} levels; expected 1 to 16, or 0 for a choice", options.levels));
  }
  const bool any = options.periodic[0] || options.periodic[1] || options.periodic[2];
  if (!any) return;
  if (!options.cell.exists()) fail("periodicity was asked for and there is no cell");
  const double product = options.cell.lengths().x * options.cell.lengths().y * options.cell.lengths().z;
  if (!std::isfinite(product) || !(options.cell.volume() > 1e-3 * product)) {
    fail("the cell is too flat for periodicity");
  }
}

/// Bytes apart from the map, which is made `layers` at a time.
std::size_t plan_memory(const MsmPlan& plan, std::size_t charges, Device device, int layers) {
  std::size_t bytes = charges * (device.is_cuda() ? 96 : 160) + (std::size_t{8} << 20);
  std::size_t transforms = 0;
  for (const MsmLevel& level : plan.levels) {
    const std::size_t padded = static_cast<std::size_t>(level.padded.x + 2) * static_cast<std::size_t>(level.padded.y) *
                               static_cast<std::size_t>(level.padded.z);
    bytes += level.size() * 12;
    if (level.fft) {
      bytes += padded * 2;
      transforms = std::max(transforms, padded * (device.is_cuda() ? 8 : 12));
    }
  }
  bytes += transforms;
  if (device.is_cuda()) {
    // The map's columns: interpolated along x and y, not yet along z.
    const glm::ivec3 n = plan.levels.front().counts;
    const auto nx = static_cast<std::size_t>(plan.grid.counts.x);
    const auto ny = static_cast<std::size_t>(plan.grid.counts.y);
    const double per_layer = plan.separable ? plan.map_step[2].z : 1.0;
    const double wanted = std::ceil(std::abs(per_layer) * layers) + plan.basis.taps() + 1;
    const auto nodes = static_cast<std::size_t>(plan.periodic[2] ? wanted : std::min(wanted, n.z + 1.0));
    bytes += plan.separable ? nx * nodes * (ny + static_cast<std::size_t>(n.y)) * 4
                            : nx * ny * static_cast<std::size_t>(layers + 4) * 4;
  }
  return bytes;
}

}  // namespace

MsmOptions MsmOptions::published() {
  MsmOptions options;
  options.cutoff = 12;
  options.spacing = 2;
  options.degree = 3;
  options.smoothing = 2;
  return options;
}

MsmField::MsmField(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options, Device device,
                   Job& job) {
  reset(charges, grid, options, device, job);
}

void MsmField::reset(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options, Device device,
                     Job& job) {
  check_options(options);
  check_grid(grid, "MSM");
  check_charges(charges);
  if (charges.empty()) throw Error("MSM: there are no charges", Error::Kind::usage);
  job.check();
  // What is kept is put back only when it has been renewed: an error on the way leaves nothing half done.
  std::unique_ptr<MsmPlan> plan = std::move(plan_);
  std::unique_ptr<MsmFieldBody> body = std::move(body_);
  charges_ = charges;
  device_ = device;
  if (grid.size() == 0) return;
  const Grid solid = solid_grid(grid, "MSM");
  if (body && body->can_renew() && plan->serves(charges, solid, options, device) && body->renew(charges, job)) {
    plan_ = std::move(plan);
    body_ = std::move(body);
    return;
  }
  body.reset();
  plan_ = std::make_unique<MsmPlan>(charges, solid, options, device);
  // What follows asks for the memory of the map's part; a layer is the least.
  require_memory(plan_memory(*plan_, charges.size(), device, 1), device, "MSM");
  body_ = device.is_cuda() ? msm_field_cuda(charges, *plan_, device, job) : msm_field_cpu(charges, *plan_, job);
}

MsmField::MsmField() = default;
MsmField::~MsmField() = default;
MsmField::MsmField(MsmField&&) noexcept = default;
MsmField& MsmField::operator=(MsmField&&) noexcept = default;

Span<const PointCharge> MsmField::charges_on_device() const {
  return body_ ? body_->charges_on_device() : Span<const PointCharge>();
}

bool MsmField::keeps_memory() const {
  return body_ && body_->can_renew();
}

void MsmField::map(int first, int layers, Span<float> potential, Job& job) {
  if (!body_) return;
  const glm::ivec3 n = plan_->grid.counts;
  if (first < 0 || layers < 0 || first > n.z - layers) {
    throw Error(fmt::format("MSM: layers {} to {} of a map with {}", first, first + layers, n.z), Error::Kind::usage);
  }
  const std::size_t size =
      static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(layers);
  if (potential.size != size || potential.device != device_) {
    throw Error(fmt::format("MSM: {} values on {} for {} points on {}", potential.size, to_string(potential.device),
                            size, to_string(device_)),
                Error::Kind::usage);
  }
  if (layers == 0) return;
  body_->map(first, layers, potential, job);
  job.progress(1, "MSM");
}

// Slabs of layers travel while the next are computed.
void MsmField::map_to_host(int first, int layers, int at_a_time, std::span<float> potential, Job& job,
                           const std::function<void(int)>& done) {
  if (!body_) return;
  const glm::ivec3 n = plan_->grid.counts;
  const std::size_t plane = static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y);
  if (first < 0 || layers < 0 || first + layers > n.z || potential.size() != plane * static_cast<std::size_t>(layers)) {
    throw Error(fmt::format("MSM: {} values for layers {} to {} of {} x {} x {} points", potential.size(), first,
                            first + layers, n.x, n.y, n.z),
                Error::Kind::usage);
  }
  at_a_time = std::clamp(at_a_time, 1, std::max(1, layers));
  const auto size_of = [&](int count) { return plane * static_cast<std::size_t>(count); };
  const auto map_part = [&](int at, int count, float* to) {
    JobPart part(job, static_cast<double>(at) / layers, static_cast<double>(at + count) / layers);
    map(first + at, count, Span<float>(to, size_of(count), device_), part);
    job.check();
  };
  if (!device_.is_cuda()) {
    // Parts that end where the map's tiles do: none is made twice. They lie where they are made, whatever their size.
    constexpr int rows = NearTile::rows;
    for (int at = 0, count = 0; at < layers; at += count) {
      const int end = (first + at + at_a_time + rows - 1) / rows * rows - first;
      count = std::min(end, layers) - at;
      map_part(at, count, potential.data() + size_of(at));
      if (done) done(count);
    }
    return;
  }
  DeviceArray<float> slabs[2];
  for (int i = 0; i < std::min(2, (layers + at_a_time - 1) / at_a_time); ++i) {
    slabs[i] = DeviceArray<float>(size_of(at_a_time), device_, "MSM: map");
  }
  std::shared_future<void> copies[2];  // declared after what they read: waited for before that is freed
  int next = 0;
  for (int at = 0; at < layers; at += at_a_time, next = 1 - next) {
    const int count = std::min(at_a_time, layers - at);
    if (copies[next].valid()) copies[next].get();
    float* const from = slabs[next].data();
    map_part(at, count, from);
    float* const to = potential.data() + size_of(at);
    const std::size_t bytes = size_of(count) * sizeof(float);
    // One at a time: two copies would share the bus.
    copies[next] = std::async(std::launch::async, [=, device = device_, before = copies[1 - next]] {
                     if (before.valid()) before.get();
                     copy_memory(to, Device::cpu(), from, device, bytes);
                   }).share();
    if (done) done(count);
  }
  for (const std::shared_future<void>& copy : copies) {
    if (copy.valid()) copy.get();
  }
}

std::size_t MsmField::memory(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                             Device device, int layers) {
  check_options(options);
  check_grid(grid, "MSM");
  if (grid.size() == 0) return 0;
  return plan_memory(MsmPlan(charges, solid_grid(grid, "MSM"), options, device), charges.size(), device, layers);
}

void msm_potential(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                   Span<float> potential, Job& job) {
  check_grid(grid, "MSM");
  check_values(grid, potential, "MSM");
  JobPart lattices(job, 0, 0.3);
  MsmField field(charges, grid, options, potential.device, lattices);
  JobPart map(job, 0.3, 1);
  field.map(0, grid.counts.z, potential, map);
}

std::size_t msm_potential_memory(std::span<const PointCharge> charges, const Grid& grid, const MsmOptions& options,
                                 Device device) {
  return MsmField::memory(charges, grid, options, device, grid.counts.z);
}

std::string describe(const MsmOptions& options) {
  std::string text = fmt::format("a = {:.4g} A, h = {:.4g} A, p = {}, Taylor {}", options.cutoff, options.spacing,
                                 options.degree, options.smoothing);
  if (options.basis == MsmBasisKind::bspline) text += ", B-splines";
  if (options.levels > 0) text += fmt::format(", {} level{}", options.levels, options.levels == 1 ? "" : "s");
  if (options.lattice == MsmLattice::fft) text += ", lattices by FFT";
  if (options.lattice == MsmLattice::direct) text += ", lattices directly";
  std::string axes;
  for (std::size_t i = 0; i < 3; ++i) {
    if (options.periodic[i]) axes += axes.empty() ? std::string(1, "abc"[i]) : fmt::format(", {}", "abc"[i]);
  }
  if (!axes.empty()) text += ", periodic along " + axes;
  return text;
}

}  // namespace isolume
