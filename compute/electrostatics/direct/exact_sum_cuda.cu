// The direct Coulomb sum at points in double precision on CUDA: blocks of charges for groups of points.
#include <algorithm>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/direct/exact_sum.h"

namespace isolume {

namespace {

constexpr int block_size = 128;
constexpr int group = 4;                             // points of a thread
constexpr std::size_t slice = std::size_t{1} << 12;  // charges of a block

/// sums[slice][point], to be added up: a block's share of the charges at `group` points.
__global__ void __launch_bounds__(block_size)
    exact_kernel(const float4* __restrict__ charges, std::size_t charge_count, const double3* __restrict__ points,
                 unsigned point_count, double* __restrict__ sums) {
  __shared__ double parts[block_size / 32][group];
  const unsigned first = blockIdx.x * group;
  double3 at[group];
  double sum[group] = {};
#pragma unroll
  for (unsigned p = 0; p < group; ++p) at[p] = points[min(first + p, point_count - 1)];
  const std::size_t end = min(charge_count, (blockIdx.y + std::size_t{1}) * slice);
  for (std::size_t i = blockIdx.y * slice + threadIdx.x; i < end; i += block_size) {
    const float4 c = charges[i];
#pragma unroll
    for (int p = 0; p < group; ++p) {
      const double dx = at[p].x - c.x, dy = at[p].y - c.y, dz = at[p].z - c.z;
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= coincidence * coincidence) sum[p] += c.w * rsqrt(r2);
    }
  }
#pragma unroll
  for (int p = 0; p < group; ++p) {
    for (int step = 16; step > 0; step /= 2) sum[p] += __shfl_down_sync(0xffffffffu, sum[p], step);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32][p] = sum[p];
  }
  __syncthreads();
  if (threadIdx.x >= group || first + threadIdx.x >= point_count) return;
  double total = 0;
  for (int w = 0; w < block_size / 32; ++w) total += parts[w][threadIdx.x];
  sums[blockIdx.y * std::size_t{point_count} + first + threadIdx.x] = total;
}

/// The slices' sums, in their order, into those of the first.
__global__ void __launch_bounds__(block_size)
    exact_total_kernel(double* __restrict__ sums, unsigned point_count, unsigned slices) {
  const unsigned point = blockIdx.x * block_size + threadIdx.x;
  if (point >= point_count) return;
  double total = sums[point];
  for (unsigned s = 1; s < slices; ++s) total += sums[s * std::size_t{point_count} + point];
  sums[point] = total;
}

}  // namespace

void exact_sum_cuda(std::span<const PointCharge> charges, std::span<const glm::dvec3> points, std::span<double> sums,
                    Device device, Job& job, Span<const PointCharge> there) {
  static_assert(sizeof(PointCharge) == sizeof(float4) && sizeof(glm::dvec3) == sizeof(double3));
  if (charges.empty()) return std::fill(sums.begin(), sums.end(), 0.0);
  Stream stream(device);
  DeviceArray<float4> sent;
  if (there.empty()) {
    sent = DeviceArray<float4>::from_host({reinterpret_cast<const float4*>(charges.data()), charges.size()}, stream,
                                          "exact potential");
  }
  const float4* sources = there.empty() ? sent.data() : reinterpret_cast<const float4*>(there.data);
  const std::size_t slices = (charges.size() + slice - 1) / slice;
  if (slices > 65535) throw Error("exact potential: more than 268 million charges");
  // A launch is short also where a device is slow in double precision.
  const std::size_t run =
      std::clamp<std::size_t>((std::size_t{1} << 31) / charges.size() / group * group, group, std::size_t{1} << 16);
  const std::size_t largest = std::min(run, points.size());
  DeviceArray<double3> places(largest, stream, "exact potential");
  DeviceArray<double> partial(largest * slices, stream, "exact potential");
  for (std::size_t begin = 0; begin < points.size(); begin += run) {
    job.check();
    const std::size_t count = std::min(run, points.size() - begin);
    copy_memory(places.data(), device, points.data() + begin, Device::cpu(), count * sizeof(double3), stream.handle());
    launch("exact potential: sums", stream, exact_kernel,
           CudaDim{static_cast<unsigned>((count + group - 1) / group), static_cast<unsigned>(slices), 1},
           CudaDim{block_size, 1, 1}, sources, charges.size(), places.data(), count, partial.data());
    launch("exact potential: totals", stream, exact_total_kernel, blocks_for(count, block_size),
           CudaDim{block_size, 1, 1}, partial.data(), count, slices);
    copy_memory(sums.data() + begin, Device::cpu(), partial.data(), device, count * sizeof(double), stream.handle());
  }
}

}  // namespace isolume
