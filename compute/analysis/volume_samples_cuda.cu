// Values of a volume at some points, their squares, and their magnitude near a surface, on CUDA.
#include <algorithm>

#include "compute/analysis/volume_samples.h"
#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"

namespace isolume {
namespace {

__global__ void gather_kernel(const float* __restrict__ values, const std::uint64_t* __restrict__ points,
                              std::uint32_t count, float* __restrict__ out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = values[points[i]];
}

constexpr unsigned square_threads = 256;

/// The sum of squares of every gridDim.x * square_threads-th value, one sum a block; the same in every run.
__global__ void squares_kernel(const float* __restrict__ values, std::uint64_t count, double* __restrict__ sums) {
  __shared__ double shared[square_threads];
  double sum = 0;
  const std::uint64_t stride = std::uint64_t{gridDim.x} * square_threads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * square_threads + threadIdx.x; i < count; i += stride) {
    const double value = values[i];
    sum += value * value;
  }
  shared[threadIdx.x] = sum;
  for (unsigned half = square_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x] += shared[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

__device__ bool inside(float v, float isovalue, SurfaceSide side) {
  return (side == SurfaceSide::above ? v : side == SurfaceSide::below ? -v : fabsf(v)) > isovalue;
}

__global__ void magnitude_kernel(const float* __restrict__ shape, const float* __restrict__ values, int nx, int ny,
                                 int nz, float isovalue, SurfaceSide side, std::uint32_t* bins) {
  const std::uint64_t at = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t plane = static_cast<std::uint64_t>(nx) * static_cast<std::uint64_t>(ny);
  if (at >= plane * static_cast<std::uint64_t>(nz)) return;
  const bool own = inside(shape[at], isovalue, side);
  const auto add = [&](bool exists, std::uint64_t stride) {
    if (!exists || own == inside(shape[at + stride], isovalue, side)) return;
    const float size = fabsf(0.5f * (values[at] + values[at + stride]));
    if (size == size) atomicAdd(bins + (__float_as_uint(size) >> magnitude_shift), 1u);
  };
  add(static_cast<int>(at % nx) + 1 < nx, 1);
  add(static_cast<int>(at / nx % ny) + 1 < ny, nx);
  add(static_cast<int>(at / plane) + 1 < nz, plane);
}

}  // namespace

std::vector<float> values_at_cuda(Span<const float> values, std::span<const std::size_t> points) {
  const char* what = "values at points";
  const Stream stream(values.device);
  const std::vector<std::uint64_t> indices(points.begin(), points.end());
  const auto list = DeviceArray<std::uint64_t>::from_host(indices, stream, what);
  DeviceArray<float> out(points.size(), stream, what);
  launch(what, stream, gather_kernel, blocks_for(points.size()), {256, 1, 1}, values.data, list.data(),
         static_cast<std::uint32_t>(points.size()), out.data());
  return out.copy_to_host();
}

std::vector<double> sums_of_squares_cuda(Span<const float> values) {
  const char* what = "mean square";
  const Stream stream(values.device);
  const std::size_t blocks = std::min<std::size_t>(512, (values.size + square_threads - 1) / square_threads);
  DeviceArray<double> sums(blocks, stream, what);
  launch(what, stream, squares_kernel, {static_cast<unsigned>(blocks), 1, 1}, {square_threads, 1, 1}, values.data,
         std::uint64_t{values.size}, sums.data());
  return sums.copy_to_host();
}

std::vector<std::uint32_t> magnitudes_at_surface_cuda(const Grid& grid, Span<const float> shape, float isovalue,
                                                      SurfaceSide side, Span<const float> values) {
  const char* what = "values at the surface";
  const Stream stream(values.device);
  DeviceArray<std::uint32_t> bins(magnitude_bins, stream, what);
  cuda_check(cuda_api().set_bytes(bins.data(), 0, bins.size() * sizeof(std::uint32_t), stream.handle()), what);
  launch(what, stream, magnitude_kernel, blocks_for(grid.size()), {256, 1, 1}, shape.data, values.data, grid.counts.x,
         grid.counts.y, grid.counts.z, isovalue, side, bins.data());
  return bins.copy_to_host();
}

}  // namespace isolume
