// Conjugate gradients of the Poisson-Boltzmann solver on CUDA: what they multiply by stays on the device.
#pragma once

#include "compute/electrostatics/poisson_boltzmann/pb_kernels.cuh"

namespace isolume {
namespace {

/// What one step hands to the next, in the memory of the device.
struct GradientNumbers {
  double along;      ///< residual times its cycle
  double curvature;  ///< direction times A direction; not above 0: no step was taken
  double squares;    ///< of the residual, summed
  float turn, step;  ///< how much of the old direction stays, how far to go along the new one
};

constexpr unsigned sum_threads = 256, sum_blocks = 1056;
constexpr CudaDim apply_block{32, 8, 1};

/// Adds up `mine` of all threads of all blocks, always in the same order; the last block calls finish(sum) once.
/// `parts` has room for one number a block, `counter` is 0 before and after.
template <class Finish>
__device__ void sum_all(double mine, double* parts, unsigned* counter, const Finish& finish) {
  __shared__ double sums[sum_threads / 32];
  __shared__ bool last;
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
  // Of the block; whole in the first thread.
  const auto reduce = [&](double value) {
    for (int half = 16; half > 0; half /= 2) value += __shfl_down_sync(~0u, value, half);
    if (thread % 32 == 0) sums[thread / 32] = value;
    __syncthreads();
    if (thread == 0)
      for (unsigned warp = 1; warp < sum_threads / 32; ++warp) value += sums[warp];
    return value;
  };
  const double whole = reduce(mine);
  if (thread == 0) {
    parts[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z)] = whole;
    __threadfence();
    last = atomicAdd(counter, 1u) == blocks - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  double sum = 0;
  for (unsigned n = thread; n < blocks; n += sum_threads) sum += static_cast<const volatile double*>(parts)[n];
  sum = reduce(sum);
  if (thread != 0) return;
  *counter = 0;
  finish(sum);
}

/// numbers->squares = a a.
__global__ void __launch_bounds__(sum_threads)
    squares_kernel(const float* __restrict__ a, std::size_t count, double* parts, unsigned* counter,
                   GradientNumbers* numbers) {
  double sum = 0;
  for (std::size_t n = std::size_t{blockIdx.x} * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x)
    sum += static_cast<double>(a[n]) * static_cast<double>(a[n]);
  sum_all(sum, parts, counter, [&](double all) { numbers->squares = all; });
}

/// numbers->along = residual cycle, and how much of the old direction stays.
__global__ void __launch_bounds__(sum_threads)
    along_kernel(const float* __restrict__ residual, const float* __restrict__ cycle, std::size_t count, double* parts,
                 unsigned* counter, GradientNumbers* numbers) {
  double sum = 0;
  for (std::size_t n = std::size_t{blockIdx.x} * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x)
    sum += static_cast<double>(residual[n]) * static_cast<double>(cycle[n]);
  sum_all(sum, parts, counter, [&](double all) {
    numbers->turn = numbers->along == 0 ? 0.0f : static_cast<float>(all / numbers->along);
    numbers->along = all;
  });
}

__global__ void turn_kernel(float* __restrict__ direction, const float* __restrict__ cycle, std::size_t count,
                            const GradientNumbers* __restrict__ numbers) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) direction[n] = cycle[n] + numbers->turn * direction[n];
}

/// image = A direction, and how far to go. A thread goes through `layers` layers along z.
__global__ void __launch_bounds__(sum_threads)
    apply_kernel(View v, NodeOrder order, int layers, const float* __restrict__ direction, float* __restrict__ image,
                 double* parts, unsigned* counter, GradientNumbers* numbers) {
  const int i = static_cast<int>(blockIdx.x * apply_block.x + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * apply_block.y + threadIdx.y) + 1;
  const int first = static_cast<int>(blockIdx.z) * layers + 1;
  double sum = 0;
  if (i < v.nx - 1 && j < v.ny - 1 && first < v.nz - 1) {
    const int end = min(first + layers, v.nz - 1);
    const std::size_t y = v.along_y(), z = v.along_z();
    std::size_t at = v.index(i, j, first);
    float below = direction[order(at - z)], here = direction[order(at)], lower = v.cz[at - z];
    for (int k = first; k < end; ++k, at += z) {
      const float above = direction[order(at + z)], upper = v.cz[at];
      const float value =
          v.cx[at] * (here - direction[order(at + 1)]) + v.cx[at - 1] * (here - direction[order(at - 1)]) +
          v.cy[at] * (here - direction[order(at + y)]) + v.cy[at - y] * (here - direction[order(at - y)]) +
          upper * (here - above) + lower * (here - below) + v.kappa[at] * here;
      image[order(at)] = value;
      sum += static_cast<double>(here) * static_cast<double>(value);
      below = here;
      here = above;
      lower = upper;
    }
  }
  sum_all(sum, parts, counter, [&](double all) {
    numbers->curvature = all;
    numbers->step = all > 0 ? static_cast<float>(numbers->along / all) : 0.0f;
  });
}

/// change += step direction, residual -= step image, and the residual's squares.
__global__ void __launch_bounds__(sum_threads)
    advance_kernel(const float* __restrict__ direction, const float* __restrict__ image, float* __restrict__ change,
                   float* __restrict__ residual, std::size_t count, double* parts, unsigned* counter,
                   GradientNumbers* numbers) {
  const float step = numbers->step;
  double sum = 0;
  for (std::size_t n = std::size_t{blockIdx.x} * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x) {
    change[n] += step * direction[n];
    const float left = residual[n] - step * image[n];
    residual[n] = left;
    sum += static_cast<double>(left) * static_cast<double>(left);
  }
  sum_all(sum, parts, counter, [&](double all) { numbers->squares = all; });
}

}  // namespace
}  // namespace isolume
