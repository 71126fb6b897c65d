// One frame added to running statistics, on CUDA.
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/over_time/running_statistics_bodies.h"

namespace isolume {
namespace {

/// The levels as a parameter of the kernel, with what the host has divided for them.
struct Levels {
  BlockSums level[most_lengths];
  double part[most_lengths];  // of the new block in the mean
  int count;
};
static_assert(sizeof(Levels) <= 3000, "parameters of a kernel have 4 KiB");

template <typename Value>
__global__ void add_frame_kernel(const Value* __restrict__ values, double factor, Levels levels, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double carried = factor * static_cast<double>(values[i]);
  for (int l = 0; l < levels.count; ++l) {
    const BlockSums& level = levels.level[l];
    if (level.blocks == 0) {
      level.mean[i] = carried;
      level.squares[i] = 0;
    } else {
      const double before = level.mean[i], from = carried - before;
      const double mean = before + from * levels.part[l];
      level.mean[i] = mean;
      level.squares[i] += from * (carried - mean);
    }
    if (l + 1 < levels.count) {
      carried = 0.5 * (level.waiting[i] + carried);
    } else {
      level.waiting[i] = carried;
    }
  }
}

__global__ void doubles_at_kernel(const double* __restrict__ values, const std::uint64_t* __restrict__ points,
                                  std::uint32_t count, double* __restrict__ out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = values[points[i]];
}

template <typename Value>
void add_frame(Span<const Value> values, double factor, std::span<const BlockSums> given) {
  const char* what = "statistics over frames";
  Levels levels{};
  levels.count = static_cast<int>(given.size());
  for (std::size_t l = 0; l < given.size(); ++l) {
    levels.level[l] = given[l];
    levels.part[l] = 1.0 / static_cast<double>(given[l].blocks + 1);
  }
  Stream stream(values.device);
  launch(what, stream, add_frame_kernel<Value>, blocks_for(values.size), {256, 1, 1}, values.data, factor, levels,
         std::uint64_t{values.size});
  stream.synchronize(what);
}

}  // namespace

void add_frame_cuda(Span<const float> values, double factor, std::span<const BlockSums> levels) {
  add_frame(values, factor, levels);
}

void add_frame_cuda(Span<const double> values, double factor, std::span<const BlockSums> levels) {
  add_frame(values, factor, levels);
}

std::vector<double> doubles_at_cuda(Span<const double> values, std::span<const std::size_t> points) {
  const char* what = "statistics at points";
  const Stream stream(values.device);
  const std::vector<std::uint64_t> indices(points.begin(), points.end());
  const auto list = DeviceArray<std::uint64_t>::from_host(indices, stream, what);
  DeviceArray<double> out(points.size(), stream, what);
  launch(what, stream, doubles_at_kernel, blocks_for(points.size()), {256, 1, 1}, values.data, list.data(),
         static_cast<std::uint32_t>(points.size()), out.data());
  return out.copy_to_host();
}

}  // namespace isolume
