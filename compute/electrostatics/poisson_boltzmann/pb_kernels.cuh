// The kernels of the Poisson-Boltzmann solver on CUDA.
#pragma once

#include <cstddef>

#include "compute/electrostatics/poisson_boltzmann/pb_math.h"

namespace isolume {
namespace {

/// One grid of the hierarchy as kernels see it.
struct View {
  int nx, ny, nz;
  const float *cx, *cy, *cz, *kappa, *inverse;

  __host__ __device__ std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(nx) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(ny) * static_cast<std::size_t>(k));
  }
  __device__ std::size_t along_y() const { return static_cast<std::size_t>(nx); }
  __device__ std::size_t along_z() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
};

constexpr unsigned block_x = 32, block_y = 4, block_z = 2;

/// The thread's inner node; false where it has none.
__device__ __forceinline__ bool inner_node(const View& v, int& i, int& j, int& k) {
  i = static_cast<int>(blockIdx.x * block_x + threadIdx.x) + 1;
  j = static_cast<int>(blockIdx.y * block_y + threadIdx.y) + 1;
  k = static_cast<int>(blockIdx.z * block_z + threadIdx.z) + 1;
  return i < v.nx - 1 && j < v.ny - 1 && k < v.nz - 1;
}

__device__ __forceinline__ float neighbours(const View& v, std::size_t at, const float* u) {
  const std::size_t y = v.along_y(), z = v.along_z();
  return v.cx[at] * u[at + 1] + v.cx[at - 1] * u[at - 1] + v.cy[at] * u[at + y] + v.cy[at - y] * u[at - y] +
         v.cz[at] * u[at + z] + v.cz[at - z] * u[at - z];
}

/// One colour: threads along x are every other node.
__global__ void smooth_kernel(View v, int colour, const float* __restrict__ source, float* u) {
  const int j = static_cast<int>(blockIdx.y * block_y + threadIdx.y) + 1;
  const int k = static_cast<int>(blockIdx.z * block_z + threadIdx.z) + 1;
  const int i = 2 * static_cast<int>(blockIdx.x * block_x + threadIdx.x) + 2 - ((j + k + colour) & 1);
  if (i >= v.nx - 1 || j >= v.ny - 1 || k >= v.nz - 1) return;
  const std::size_t at = v.index(i, j, k);
  u[at] = (source[at] + neighbours(v, at, u)) * v.inverse[at];
}

/// All sweeps on the coarsest grid by one block: `sweeps` with one colour first, then as many with the other.
__global__ void coarsest_kernel(View v, int sweeps, const float* __restrict__ source, float* u) {
  const int count = v.nx * v.ny * v.nz;
  for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x)) u[n] = 0;
  __syncthreads();
  for (int half = 0; half < 4 * sweeps; ++half) {
    const int colour = half < 2 * sweeps ? half & 1 : 1 - (half & 1);
    for (int n = static_cast<int>(threadIdx.x); n < count; n += static_cast<int>(blockDim.x)) {
      const int i = n % v.nx, j = n / v.nx % v.ny, k = n / (v.nx * v.ny);
      if (i == 0 || j == 0 || k == 0 || i == v.nx - 1 || j == v.ny - 1 || k == v.nz - 1) continue;
      if ((i + j + k + colour) & 1) continue;
      const auto at = static_cast<std::size_t>(n);
      u[at] = (source[at] + neighbours(v, at, u)) * v.inverse[at];
    }
    __syncthreads();
  }
}

/// out = source - A u; source may be null for 0.
__global__ void residual_kernel(View v, const float* __restrict__ source, const float* __restrict__ u,
                                float* __restrict__ out) {
  int i, j, k;
  if (!inner_node(v, i, j, k)) return;
  const std::size_t at = v.index(i, j, k), y = v.along_y(), z = v.along_z();
  const float here = u[at];
  float sum = source ? source[at] : 0.0f;
  sum += v.cx[at] * (u[at + 1] - here) + v.cx[at - 1] * (u[at - 1] - here) + v.cy[at] * (u[at + y] - here) +
         v.cy[at - y] * (u[at - y] - here) + v.cz[at] * (u[at + z] - here) + v.cz[at - z] * (u[at - z] - here);
  out[at] = sum - v.kappa[at] * here;
}

/// The same of u in double precision, with the ions' term where there are any.
__global__ void exact_residual_kernel(View v, PbIons ions, bool nonlinear, const float* __restrict__ source,
                                      const double* __restrict__ u, float* __restrict__ out) {
  int i, j, k;
  if (!inner_node(v, i, j, k)) return;
  const std::size_t at = v.index(i, j, k), y = v.along_y(), z = v.along_z();
  const double here = u[at];
  double sum = static_cast<double>(source[at]);
  sum += static_cast<double>(v.cx[at]) * (u[at + 1] - here) + static_cast<double>(v.cx[at - 1]) * (u[at - 1] - here) +
         static_cast<double>(v.cy[at]) * (u[at + y] - here) + static_cast<double>(v.cy[at - y]) * (u[at - y] - here) +
         static_cast<double>(v.cz[at]) * (u[at + z] - here) + static_cast<double>(v.cz[at - z]) * (u[at - z] - here);
  const double kappa = static_cast<double>(v.kappa[at]);
  if (kappa != 0) {
    double slope = 0;
    sum -= kappa * (nonlinear ? pb_ion_term(ions, here, slope) : here);
  }
  out[at] = static_cast<float>(sum);
}

/// kappa times the derivative of the ions' term.
__global__ void slope_kernel(View v, PbIons ions, const double* __restrict__ u, float* __restrict__ out) {
  int i, j, k;
  if (!inner_node(v, i, j, k)) return;
  const std::size_t at = v.index(i, j, k);
  double slope = 0;
  if (v.kappa[at] != 0) pb_ion_term(ions, u[at], slope);
  out[at] = v.kappa[at] * static_cast<float>(slope);
}

__global__ void inverse_kernel(View v, float* __restrict__ out) {
  int i, j, k;
  if (!inner_node(v, i, j, k)) return;
  const std::size_t at = v.index(i, j, k), y = v.along_y(), z = v.along_z();
  out[at] = 1.0f / (v.cx[at] + v.cx[at - 1] + v.cy[at] + v.cy[at - y] + v.cz[at] + v.cz[at - z] + v.kappa[at]);
}

/// coarse source = 4 times the weighted mean of the fine residual.
__global__ void restrict_kernel(View fine, View coarse, const float* __restrict__ residual,
                                float* __restrict__ source) {
  int i, j, k;
  if (!inner_node(coarse, i, j, k)) return;
  float sum = 0;
  for (int c = -1; c <= 1; ++c) {
    for (int b = -1; b <= 1; ++b) {
      const float* row = residual + fine.index(2 * i, 2 * j + b, 2 * k + c);
      sum += static_cast<float>((2 - b * b) * (2 - c * c)) * (row[-1] + 2 * row[0] + row[1]);
    }
  }
  source[coarse.index(i, j, k)] = sum / 16;
}

/// fine u += the coarse one's, interpolated.
__global__ void prolong_kernel(View fine, View coarse, const float* __restrict__ from, float* __restrict__ u) {
  int i, j, k;
  if (!inner_node(fine, i, j, k)) return;
  float sum = 0;
  for (int c = 0; c <= (k & 1); ++c)
    for (int b = 0; b <= (j & 1); ++b)
      for (int a = 0; a <= (i & 1); ++a) sum += from[coarse.index(i / 2 + a, j / 2 + b, k / 2 + c)];
  u[fine.index(i, j, k)] += sum / static_cast<float>((1 + (i & 1)) * (1 + (j & 1)) * (1 + (k & 1)));
}

/// The coefficients with steps twice as long: in series along an edge, side by side across it.
__global__ void coarser_kernel(View fine, View coarse, float* __restrict__ cx, float* __restrict__ cy,
                               float* __restrict__ cz, float* __restrict__ kappa) {
  const int n[3] = {coarse.nx, coarse.ny, coarse.nz};
  const int most[3] = {fine.nx, fine.ny, fine.nz};
  const int place[3] = {static_cast<int>(blockIdx.x * block_x + threadIdx.x),
                        static_cast<int>(blockIdx.y * block_y + threadIdx.y),
                        static_cast<int>(blockIdx.z * block_z + threadIdx.z)};
  if (place[0] >= n[0] || place[1] >= n[1] || place[2] >= n[2]) return;
  const std::size_t at = coarse.index(place[0], place[1], place[2]);
  const float* from[3] = {fine.cx, fine.cy, fine.cz};
  float* to[3] = {cx, cy, cz};
  for (int axis = 0; axis < 3; ++axis) {
    float sum = 0, total = 0;
    if (place[axis] + 1 < n[axis]) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int a = -1; a <= 1; ++a) {
        for (int b = -1; b <= 1; ++b) {
          int p[3] = {2 * place[0], 2 * place[1], 2 * place[2]};
          p[u] += a;
          p[v] += b;
          if (p[u] < 0 || p[u] >= most[u] || p[v] < 0 || p[v] >= most[v]) continue;
          const float w = (a == 0 ? 2.0f : 1.0f) * (b == 0 ? 2.0f : 1.0f);
          const float one = from[axis][fine.index(p[0], p[1], p[2])];
          ++p[axis];
          const float two = from[axis][fine.index(p[0], p[1], p[2])];
          sum += w * 2 * one * two / (one + two);
          total += w;
        }
      }
      sum /= total;
    }
    to[axis][at] = sum;
  }
  float sum = 0;
  if (place[0] > 0 && place[1] > 0 && place[2] > 0 && place[0] < n[0] - 1 && place[1] < n[1] - 1 &&
      place[2] < n[2] - 1) {
    for (int m = 0; m < 27; ++m) {
      const int x = m % 3 - 1, y = m / 3 % 3 - 1, z = m / 9 - 1;
      sum += static_cast<float>((2 - x * x) * (2 - y * y) * (2 - z * z)) / 64 *
             fine.kappa[fine.index(2 * place[0] + x, 2 * place[1] + y, 2 * place[2] + z)];
    }
  }
  kappa[at] = 4 * sum;
}

constexpr unsigned sum_threads = 256, sum_blocks = 512;

/// Parts of the sum of a[i] b[i], one a block.
__global__ void __launch_bounds__(sum_threads) dot_kernel(const float* __restrict__ a, const float* __restrict__ b,
                                                          std::size_t count, double* __restrict__ parts) {
  __shared__ double sums[sum_threads];
  double sum = 0;
  for (std::size_t n = blockIdx.x * sum_threads + threadIdx.x; n < count; n += sum_threads * gridDim.x)
    sum += static_cast<double>(a[n]) * static_cast<double>(b[n]);
  sums[threadIdx.x] = sum;
  for (unsigned half = sum_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = sums[0];
}

/// u on the faces, 0 inside.
__global__ void only_faces_kernel(View v, const double* __restrict__ u, double* __restrict__ out) {
  const int i = static_cast<int>(blockIdx.x * block_x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * block_y + threadIdx.y);
  const int k = static_cast<int>(blockIdx.z * block_z + threadIdx.z);
  if (i >= v.nx || j >= v.ny || k >= v.nz) return;
  const std::size_t at = v.index(i, j, k);
  const bool face = i == 0 || j == 0 || k == 0 || i == v.nx - 1 || j == v.ny - 1 || k == v.nz - 1;
  out[at] = face ? u[at] : 0;
}

__global__ void fill_kernel(float* a, std::size_t count) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) a[n] = 0;
}
__global__ void add_kernel(float* __restrict__ a, float scale, const float* __restrict__ b, std::size_t count) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) a[n] += scale * b[n];
}
__global__ void turn_kernel(float* __restrict__ a, float scale, const float* __restrict__ b, std::size_t count) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) a[n] = b[n] + scale * a[n];
}
__global__ void move_kernel(double* __restrict__ u, double step, const float* __restrict__ change, std::size_t count) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n < count) u[n] += step * static_cast<double>(change[n]);
}

}  // namespace
}  // namespace isolume
