// The direct sum split by groups of charges, on CUDA: blocks of charges of one group for groups of points.
#include <algorithm>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/over_time/group_potential_bodies.h"

namespace isolume {
namespace {

constexpr int block_size = 128;
constexpr int warps = block_size / 32;
constexpr unsigned points_at_once = 4;
constexpr std::uint32_t slice_size = 512;  // charges of a block

/// Charges first to last - 1 of one group.
struct Slice {
  std::uint32_t first, last;
};

/// The sum over a block in its first thread, in the same order in every run.
__device__ double block_sum(double value, double* shared) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  double sum = 0;
  for (int w = 0; w < warps; ++w) sum += shared[w];
  return sum;
}

/// parts[slice][point] has the potential and the field of e / angstrom.
__global__ void __launch_bounds__(block_size)
    slice_kernel(const float4* __restrict__ charges, const Slice* __restrict__ slices,
                 const double3* __restrict__ points, unsigned point_count, double* __restrict__ parts) {
  __shared__ double shared[warps];
  const Slice slice = slices[blockIdx.x];
  const unsigned begin = blockIdx.y * points_at_once;
  double3 at[points_at_once];
  double sums[points_at_once][4] = {};
#pragma unroll
  for (unsigned p = 0; p < points_at_once; ++p) at[p] = points[min(begin + p, point_count - 1)];
  for (std::uint32_t i = slice.first + threadIdx.x; i < slice.last; i += block_size) {
    const float4 c = charges[i];
#pragma unroll
    for (unsigned p = 0; p < points_at_once; ++p) {
      const double dx = at[p].x - c.x, dy = at[p].y - c.y, dz = at[p].z - c.z;
      const double squared = dx * dx + dy * dy + dz * dz;
      if (!(squared > group_nearest * group_nearest)) continue;
      const double inverse = rsqrt(squared), part = c.w * inverse, along = part * inverse * inverse;
      sums[p][0] += part;
      sums[p][1] += along * dx;
      sums[p][2] += along * dy;
      sums[p][3] += along * dz;
    }
  }
#pragma unroll
  for (unsigned p = 0; p < points_at_once; ++p)
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      const double sum = block_sum(sums[p][n], shared);
      if (threadIdx.x == 0 && begin + p < point_count)
        parts[(std::size_t{blockIdx.x} * point_count + begin + p) * 4 + n] = sum;
    }
}

/// The slices of each group, in their order; `slices_of` has where those of each begin.
__global__ void group_kernel(const double* __restrict__ parts, const std::uint32_t* __restrict__ slices_of,
                             unsigned groups, unsigned point_count, double scale, double* __restrict__ shares) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= std::uint64_t{groups} * point_count * 4) return;
  const unsigned n = i % 4, g = i / 4 % groups, point = static_cast<unsigned>(i / 4 / groups);
  double sum = 0;
  for (std::uint32_t s = slices_of[g]; s < slices_of[g + 1]; ++s)
    sum += parts[(std::size_t{s} * point_count + point) * 4 + n];
  shares[i] = scale * sum;
}

}  // namespace

void group_potentials_cuda(std::span<const ChargedSphere> charges, const ChargeGroups& groups, double scale,
                           std::span<const glm::dvec3> points, std::span<GroupShare> shares, Device device, Job& job) {
  static_assert(sizeof(glm::dvec3) == sizeof(double3) && sizeof(GroupShare) == 4 * sizeof(double));
  const char* what = "shares of groups";
  if (shares.empty()) return;
  job.check();
  std::vector<float4> packed;
  packed.reserve(charges.size());
  for (const std::uint32_t i : groups.order) {
    const ChargedSphere& c = charges[i];
    packed.push_back({c.position.x, c.position.y, c.position.z, c.charge});
  }
  std::vector<Slice> slices;
  std::vector<std::uint32_t> slices_of{0};
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::uint32_t first = groups.starts[g]; first < groups.starts[g + 1]; first += slice_size)
      slices.push_back({first, std::min(first + slice_size, groups.starts[g + 1])});
    slices_of.push_back(static_cast<std::uint32_t>(slices.size()));
  }
  Stream stream(device);
  const auto sources = DeviceArray<float4>::from_host(packed, stream, what);
  const auto parts_of = DeviceArray<Slice>::from_host(slices, stream, what);
  const auto begins = DeviceArray<std::uint32_t>::from_host(slices_of, stream, what);
  // As many points at a time as 64 MiB of parts hold, and as one launch takes.
  const std::size_t run = std::clamp<std::size_t>((std::size_t{1} << 21) / std::max<std::size_t>(1, slices.size()),
                                                  points_at_once, std::size_t{1} << 16);
  const std::size_t largest = std::min(run, points.size());
  DeviceArray<double3> places(largest, stream, what);
  DeviceArray<double> parts(slices.size() * largest * 4, stream, what), sums(groups.size() * largest * 4, stream, what);
  for (std::size_t begin = 0; begin < points.size(); begin += run) {
    job.check();
    const std::size_t count = std::min(run, points.size() - begin);
    copy_memory(places.data(), device, points.data() + begin, Device::cpu(), count * sizeof(double3), stream.handle());
    launch("shares of groups: sums", stream, slice_kernel,
           CudaDim{static_cast<unsigned>(slices.size()),
                   static_cast<unsigned>((count + points_at_once - 1) / points_at_once), 1},
           CudaDim{block_size, 1, 1}, sources.data(), parts_of.data(), places.data(), static_cast<unsigned>(count),
           parts.data());
    launch("shares of groups: totals", stream, group_kernel, blocks_for(groups.size() * count * 4), {256, 1, 1},
           parts.data(), begins.data(), static_cast<unsigned>(groups.size()), static_cast<unsigned>(count), scale,
           sums.data());
    copy_memory(shares.data() + begin * groups.size(), Device::cpu(), sums.data(), device,
                groups.size() * count * 4 * sizeof(double), stream.handle());
  }
}

}  // namespace isolume
