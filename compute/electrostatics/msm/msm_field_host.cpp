// Multilevel summation into host memory: slabs of layers travel while the next are computed.
#include <fmt/core.h>

#include <algorithm>
#include <future>

#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "compute/electrostatics/pairs/near_sum_cpu.h"
#include "molecule/base/error.h"

namespace isolume {

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

}  // namespace isolume
