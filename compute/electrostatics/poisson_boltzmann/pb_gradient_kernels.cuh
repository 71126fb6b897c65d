// Conjugate gradients of the Poisson-Boltzmann solver on CUDA: what they multiply by stays on the device.
#pragma once

#include "compute/electrostatics/poisson_boltzmann/pb_kernels.cuh"

namespace isolume {
namespace {

/// What one step hands to the next, in the memory of the device.
struct GradientNumbers {
  double along;       ///< residual times its cycle
  double curvature;   ///< direction times A direction; not above 0: no step was taken
  double squares;     ///< of the residual, summed
  double start;       ///< the same of the solution that is 0 inside
  double turn, step;  ///< how much of the old direction stays, how far to go along the new one
};

constexpr unsigned sum_threads = 256, sum_blocks = 1056;
constexpr CudaDim apply_block{32, 8, 1};

/// Adds up `mine` of all threads of all blocks, always in the same order; the last block calls finish(sums) once.
/// `parts` has room for `terms` numbers a block, `counter` is 0 before and after.
template <int terms, class Finish>
__device__ void sum_all(const double (&mine)[terms], double* parts, unsigned* counter, const Finish& finish) {
  __shared__ double sums[terms][sum_threads / 32];
  __shared__ bool last;
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
  // Of the block; whole in the first thread.
  const auto reduce = [&](double(&value)[terms]) {
#pragma unroll
    for (int m = 0; m < terms; ++m) {
      for (int half = 16; half > 0; half /= 2) value[m] += __shfl_down_sync(~0u, value[m], half);
      if (thread % 32 == 0) sums[m][thread / 32] = value[m];
    }
    __syncthreads();
    if (thread != 0) return;
#pragma unroll
    for (int m = 0; m < terms; ++m)
      for (unsigned warp = 1; warp < sum_threads / 32; ++warp) value[m] += sums[m][warp];
  };
  double whole[terms];
#pragma unroll
  for (int m = 0; m < terms; ++m) whole[m] = mine[m];
  reduce(whole);
  if (thread == 0) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
#pragma unroll
    for (int m = 0; m < terms; ++m) parts[terms * block + m] = whole[m];
    __threadfence();
    last = atomicAdd(counter, 1u) == blocks - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  double all[terms] = {};
  for (unsigned n = thread; n < blocks; n += sum_threads)
#pragma unroll
    for (int m = 0; m < terms; ++m) all[m] += static_cast<const volatile double*>(parts)[terms * n + m];
  reduce(all);
  if (thread != 0) return;
  *counter = 0;
  finish(all);
}

/// *to = a a.
__global__ void __launch_bounds__(sum_threads)
    squares_kernel(const float* __restrict__ a, std::size_t count, double* parts, unsigned* counter, double* to) {
  double sum[1] = {};
  for (std::size_t n = std::size_t{blockIdx.x} * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x)
    sum[0] += static_cast<double>(a[n]) * static_cast<double>(a[n]);
  sum_all(sum, parts, counter, [&](const double* all) { *to = all[0]; });
}

/// image = A cycle, and both numbers of the step: the direction's own product with A follows from the cycle's
/// (Chronopoulos, Gear, J. Comput. Appl. Math. 25, 153 (1989)), so that one pass is enough. A thread goes through
/// `layers` layers along z.
__global__ void __launch_bounds__(sum_threads)
    apply_kernel(View v, NodeOrder order, int layers, const float* __restrict__ residual,
                 const float* __restrict__ cycle, float* __restrict__ image, double* parts, unsigned* counter,
                 GradientNumbers* numbers) {
  const int i = static_cast<int>(blockIdx.x * apply_block.x + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * apply_block.y + threadIdx.y) + 1;
  const int first = static_cast<int>(blockIdx.z) * layers + 1;
  double sums[2] = {};
  if (i < v.nx - 1 && j < v.ny - 1 && first < v.nz - 1) {
    const int end = min(first + layers, v.nz - 1);
    const std::size_t y = v.along_y(), z = v.along_z();
    std::size_t at = v.index(i, j, first);
    float below = cycle[order(at - z)], here = cycle[order(at)], lower = v.cz[at - z];
    for (int k = first; k < end; ++k, at += z) {
      const float above = cycle[order(at + z)], upper = v.cz[at];
      const float value = v.cx[at] * (here - cycle[order(at + 1)]) + v.cx[at - 1] * (here - cycle[order(at - 1)]) +
                          v.cy[at] * (here - cycle[order(at + y)]) + v.cy[at - y] * (here - cycle[order(at - y)]) +
                          upper * (here - above) + lower * (here - below) + v.kappa[at] * here;
      image[order(at)] = value;
      sums[0] += static_cast<double>(residual[order(at)]) * static_cast<double>(here);
      sums[1] += static_cast<double>(here) * static_cast<double>(value);
      below = here;
      here = above;
      lower = upper;
    }
  }
  sum_all(sums, parts, counter, [&](const double* all) {
    const bool first_step = numbers->along == 0 || numbers->step == 0;
    numbers->turn = first_step ? 0.0 : all[0] / numbers->along;
    numbers->curvature = all[1] - (first_step ? 0.0 : numbers->turn * all[0] / numbers->step);
    numbers->along = all[0];
    numbers->step = numbers->curvature > 0 ? all[0] / numbers->curvature : 0.0;
  });
}

/// One step: direction = cycle + turn direction, the same of their products with A, change += step direction,
/// residual -= step moved, and the residual's squares. Arrays are aligned to 16 bytes.
__global__ void __launch_bounds__(sum_threads)
    advance_kernel(const float* __restrict__ cycle, const float* __restrict__ image, float* __restrict__ direction,
                   float* __restrict__ moved, float* __restrict__ change, float* __restrict__ residual,
                   std::size_t count, double* parts, unsigned* counter, GradientNumbers* numbers) {
  const auto turn = static_cast<float>(numbers->turn), step = static_cast<float>(numbers->step);
  double sum[1] = {};
  const auto node = [&](float z, float w, float& p, float& s, float& x, float& r) {
    p = z + turn * p;
    s = w + turn * s;
    x += step * p;
    r -= step * s;
    sum[0] += static_cast<double>(r) * static_cast<double>(r);
  };
  const std::size_t thread = std::size_t{blockIdx.x} * sum_threads + threadIdx.x, threads = sum_threads * gridDim.x;
  for (std::size_t n = thread; n < count / 4; n += threads) {
    const float4 z = reinterpret_cast<const float4*>(cycle)[n], w = reinterpret_cast<const float4*>(image)[n];
    float4 p = reinterpret_cast<float4*>(direction)[n], s = reinterpret_cast<float4*>(moved)[n];
    float4 x = reinterpret_cast<float4*>(change)[n], r = reinterpret_cast<float4*>(residual)[n];
    node(z.x, w.x, p.x, s.x, x.x, r.x);
    node(z.y, w.y, p.y, s.y, x.y, r.y);
    node(z.z, w.z, p.z, s.z, x.z, r.z);
    node(z.w, w.w, p.w, s.w, x.w, r.w);
    reinterpret_cast<float4*>(direction)[n] = p;
    reinterpret_cast<float4*>(moved)[n] = s;
    reinterpret_cast<float4*>(change)[n] = x;
    reinterpret_cast<float4*>(residual)[n] = r;
  }
  for (std::size_t n = count / 4 * 4 + thread; n < count; n += threads)
    node(cycle[n], image[n], direction[n], moved[n], change[n], residual[n]);
  sum_all(sum, parts, counter, [&](const double* all) { numbers->squares = all[0]; });
}

// A step that keeps three arrays instead of six, for grids that memory is short for: the direction's product with A
// takes the place of the residual's cycle, and u moves at once.

/// How much of the old direction stays.
__global__ void __launch_bounds__(sum_threads)
    turn_kernel(const float* __restrict__ residual, const float* __restrict__ cycle, std::size_t count, double* parts,
                unsigned* counter, GradientNumbers* numbers) {
  double sum[1] = {};
  for (std::size_t n = std::size_t{blockIdx.x} * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x)
    sum[0] += static_cast<double>(residual[n]) * static_cast<double>(cycle[n]);
  sum_all(sum, parts, counter, [&](const double* all) {
    numbers->turn = numbers->along == 0 ? 0.0 : all[0] / numbers->along;
    numbers->along = all[0];
  });
}

/// direction = cycle + turn direction.
__global__ void direction_kernel(const float* __restrict__ cycle, std::size_t count, float* __restrict__ direction,
                                 const GradientNumbers* __restrict__ numbers) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) direction[n] = fmaf(static_cast<float>(numbers->turn), direction[n], cycle[n]);
}

/// image = A direction, and how far to go. Blocks and layers as of apply_kernel.
template <class V>
__global__ void __launch_bounds__(sum_threads)
    image_kernel(V v, NodeOrder order, int layers, const float* __restrict__ direction, float* __restrict__ image,
                 double* parts, unsigned* counter, GradientNumbers* numbers) {
  const int i = static_cast<int>(blockIdx.x * apply_block.x + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * apply_block.y + threadIdx.y) + 1;
  const int first = static_cast<int>(blockIdx.z) * layers + 1;
  double sums[1] = {};
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
      sums[0] += static_cast<double>(here) * static_cast<double>(value);
      below = here;
      here = above;
      lower = upper;
    }
  }
  sum_all(sums, parts, counter, [&](const double* all) {
    numbers->curvature = all[0];
    numbers->step = all[0] > 0 ? numbers->along / all[0] : 0.0;
  });
}

/// u += step direction, residual -= step image, and the residual's squares. On the faces all three are 0.
__global__ void __launch_bounds__(sum_threads)
    go_kernel(const float* __restrict__ direction, const float* __restrict__ image, NodeOrder order, std::size_t count,
              double* __restrict__ u, float* __restrict__ residual, double* parts, unsigned* counter,
              GradientNumbers* numbers) {
  const double step = numbers->step;
  const auto single = static_cast<float>(step);
  double sum[1] = {};
  for (std::size_t n = std::size_t{blockIdx.x} * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x) {
    const std::size_t at = order(n);
    u[n] += step * static_cast<double>(direction[at]);
    const float left = residual[at] - single * image[at];
    residual[at] = left;
    sum[0] += static_cast<double>(left) * static_cast<double>(left);
  }
  sum_all(sum, parts, counter, [&](const double* all) { numbers->squares = all[0]; });
}

}  // namespace
}  // namespace isolume
