// The multigrid cycle of the Poisson-Boltzmann solver on CUDA.
//
// The cycle is a preconditioner: its coefficients may be rounded, so they are of half precision, which is half of the
// memory traffic. A sweep from u = 0 over the even nodes is u = source / diagonal, which costs less to repeat than to
// store. Two sweeps down and two up: with one of each, conjugate gradients take half as many steps again. Of the four
// half sweeps the two in the middle go too far on purpose, which takes one step in nine away.
#pragma once

#include <cuda_fp16.h>

#include "compute/electrostatics/poisson_boltzmann/pb_kernels.cuh"

namespace isolume {
namespace {

/// One grid of the hierarchy with its coefficients rounded, all divided by `unit`.
template <class Edges>
struct CycleLevelOf {
  int nx, ny, nz;
  float unit;
  NodeOrder order;
  Edges cx, cy, cz;       ///< in the nodes' order
  const __half* inverse;  ///< of the diagonal; 0 on the faces; in `order`

  __host__ __device__ std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(nx) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(ny) * static_cast<std::size_t>(k));
  }
  __host__ __device__ std::size_t size() const { return index(0, 0, nz); }
  __device__ std::size_t along_y() const { return static_cast<std::size_t>(nx); }
  __device__ std::size_t along_z() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
  __device__ bool inner(int i, int j, int k) const {
    return i > 0 && j > 0 && k > 0 && i < nx - 1 && j < ny - 1 && k < nz - 1;
  }
};

using CycleLevel = CycleLevelOf<const __half*>;
using CompactCycleLevel = CycleLevelOf<EdgeCodes>;

__device__ __forceinline__ float edge(const __half* edges, std::size_t at) {
  return __half2float(edges[at]);
}
__device__ __forceinline__ float edge(const EdgeCodes& edges, std::size_t at) {
  return edges[at];
}

/// The coefficients of a level, rounded; where `cx` is null only the inverse of the diagonal.
template <class V>
__global__ void round_kernel(V v, float unit, NodeOrder order, __half* __restrict__ cx, __half* __restrict__ cy,
                             __half* __restrict__ cz, __half* __restrict__ inverse) {
  const int i = static_cast<int>(blockIdx.x * block_x + threadIdx.x);
  const int j = static_cast<int>(blockIdx.y * block_y + threadIdx.y);
  const int k = static_cast<int>(blockIdx.z * block_z + threadIdx.z);
  if (i >= v.nx || j >= v.ny || k >= v.nz) return;
  const std::size_t at = v.index(i, j, k), y = v.along_y(), z = v.along_z();
  if (cx != nullptr) {
    cx[at] = __float2half(v.cx[at] / unit);
    cy[at] = __float2half(v.cy[at] / unit);
    cz[at] = __float2half(v.cz[at] / unit);
  }
  float one = 0;
  if (i > 0 && j > 0 && k > 0 && i < v.nx - 1 && j < v.ny - 1 && k < v.nz - 1)
    one = unit / (v.cx[at] + v.cx[at - 1] + v.cy[at] + v.cy[at - y] + v.cz[at] + v.cz[at - z] + v.kappa[at]);
  inverse[order(at)] = __float2half(one);
}

/// Sum of coefficient times value of the six neighbours; value(its index).
template <class Level, class Value>
__device__ __forceinline__ float neighbours(const Level& v, std::size_t at, const Value& value) {
  const std::size_t y = v.along_y(), z = v.along_z();
  return edge(v.cx, at) * value(at + 1) + edge(v.cx, at - 1) * value(at - 1) + edge(v.cy, at) * value(at + y) +
         edge(v.cy, at - y) * value(at - y) + edge(v.cz, at) * value(at + z) + edge(v.cz, at - z) * value(at - z);
}

/// u of an even node after a sweep over the even nodes from 0, times unit.
template <class Level>
__device__ __forceinline__ float first_sweep(const Level& v, const float* source, std::size_t at) {
  return source[at >> 1] * __half2float(v.inverse[at >> 1]);
}

constexpr float too_far = 1.15f;  ///< how far the half sweeps in the middle go

/// u of an odd node once the even ones were swept from 0.
template <class Level>
__device__ __forceinline__ void down_odd(const Level& v, const float* source, float* u, std::size_t at) {
  const std::size_t to = (at >> 1) + v.order.half;
  const float sum = neighbours(v, at, [&](std::size_t near) { return first_sweep(v, source, near); });
  u[to] = too_far * (source[to] + sum) * (__half2float(v.inverse[to]) / v.unit);
}

/// u of an even node after that.
template <class Level>
__device__ __forceinline__ void down_even(const Level& v, const float* source, float* u, std::size_t at) {
  const std::size_t to = at >> 1;
  const float sum = neighbours(v, at, [&](std::size_t near) { return u[(near >> 1) + v.order.half]; });
  u[to] = (source[to] + too_far * v.unit * sum) * (__half2float(v.inverse[to]) / v.unit);
}

/// The residual of an even node after the sweeps, over unit; at odd nodes it is 0.
template <class Level>
__device__ __forceinline__ float even_residual(const Level& v, const float* source, const float* u, std::size_t at) {
  return neighbours(v, at, [&](std::size_t near) { return u[(near >> 1) + v.order.half]; }) + source[at >> 1] / v.unit -
         u[at >> 1] / __half2float(v.inverse[at >> 1]);
}

/// Source of a coarser inner node: 4 times the weighted mean of the residual; even_residual(steps along x, y and z).
template <class Residual>
__device__ __forceinline__ float restricted(float unit, const Residual& residual) {
  float sum = 0;
#pragma unroll
  for (int c = -1; c <= 1; ++c) {
#pragma unroll
    for (int b = -1; b <= 1; ++b) {
#pragma unroll
      for (int a = -1; a <= 1; ++a)
        if (((a + b + c) & 1) == 0)
          sum += static_cast<float>((2 - a * a) * (2 - b * b) * (2 - c * c)) * residual(a, b, c);
    }
  }
  return sum * unit / 16;
}

/// The coarser grid's u at a node of the finer one.
__device__ __forceinline__ float prolonged(const CycleLevel& coarse, const float* u, int i, int j, int k) {
  float sum = 0;
  for (int c = 0; c <= (k & 1); ++c)
    for (int b = 0; b <= (j & 1); ++b)
      for (int a = 0; a <= (i & 1); ++a) sum += u[coarse.order(coarse.index(i / 2 + a, j / 2 + b, k / 2 + c))];
  return sum / static_cast<float>((1 + (i & 1)) * (1 + (j & 1)) * (1 + (k & 1)));
}

/// u of an even node with the coarser grid's change; odd nodes follow from these.
template <class Level>
__device__ __forceinline__ void up_change(const Level& fine, const CycleLevel& coarse, const float* change, float* u,
                                          int i, int j, int k) {
  u[fine.index(i, j, k) >> 1] += prolonged(coarse, change, i, j, k);
}

/// u of a node from the other colour's; with `far` of 1 whatever it was.
template <class Level>
__device__ __forceinline__ void sweep(const Level& v, const float* source, float* u, std::size_t at, float far) {
  const std::size_t other = (at & 1) != 0 ? 0 : v.order.half, to = v.order(at);
  const float sum = neighbours(v, at, [&](std::size_t near) { return u[(near >> 1) + other]; });
  const float value = (source[to] + v.unit * sum) * (__half2float(v.inverse[to]) / v.unit);
  u[to] = far == 1 ? value : u[to] + far * (value - u[to]);
}

/// The half sweeps up: of which colour, and how far.
struct HalfSweep {
  int colour;
  float far;
};
constexpr int half_sweeps_up = 4;
__host__ __device__ constexpr HalfSweep half_sweep_up(int n) {
  return {n % 2 == 0 ? 1 : 0, n == 1 || n == 2 ? too_far : 1.0f};
}

/// The thread's inner node of one colour, 1 for those with an odd sum of coordinates.
template <class Level>
__device__ __forceinline__ bool node_of_colour(const Level& v, int colour, int& i, int& j, int& k) {
  j = static_cast<int>(blockIdx.y * block_y + threadIdx.y) + 1;
  k = static_cast<int>(blockIdx.z * block_z + threadIdx.z) + 1;
  i = 2 * static_cast<int>(blockIdx.x * block_x + threadIdx.x) + 1 + ((1 + j + k + colour) & 1);
  return i < v.nx - 1 && j < v.ny - 1 && k < v.nz - 1;
}

template <class Level>
__global__ void down_odd_kernel(Level v, const float* __restrict__ source, float* __restrict__ u) {
  int i, j, k;
  if (node_of_colour(v, 1, i, j, k)) down_odd(v, source, u, v.index(i, j, k));
}

template <class Level>
__global__ void down_even_kernel(Level v, const float* __restrict__ source, float* u) {
  int i, j, k;
  if (node_of_colour(v, 0, i, j, k)) down_even(v, source, u, v.index(i, j, k));
}

/// Residuals of a block are computed once, each is of up to eight coarser nodes.
template <class Level>
__global__ void __launch_bounds__(block_x* block_y* block_z)
    down_source_kernel(Level fine, CycleLevel coarse, const float* __restrict__ from, const float* __restrict__ u,
                       float* __restrict__ source) {
  constexpr int side_x = 2 * block_x + 1, side_y = 2 * block_y + 1, side_z = 2 * block_z + 1;
  constexpr int evens = (side_x + 1) / 2;  // of a row, or one fewer
  __shared__ float tile[side_z][side_y][side_x];
  // The tile's first fine node.
  const int x = 2 * static_cast<int>(blockIdx.x * block_x) + 1, y = 2 * static_cast<int>(blockIdx.y * block_y) + 1,
            z = 2 * static_cast<int>(blockIdx.z * block_z) + 1;
  const int thread = static_cast<int>(threadIdx.x + block_x * (threadIdx.y + block_y * threadIdx.z));
  constexpr int threads = static_cast<int>(block_x * block_y * block_z);
  for (int n = thread; n < evens * side_y * side_z; n += threads) {
    const int j = n / evens % side_y, k = n / (evens * side_y);
    const int i = 2 * (n % evens) + ((x + y + z + j + k) & 1);
    if (i >= side_x) continue;
    tile[k][j][i] = fine.inner(x + i, y + j, z + k) ? even_residual(fine, from, u, fine.index(x + i, y + j, z + k)) : 0;
  }
  __syncthreads();
  const int i = static_cast<int>(blockIdx.x * block_x + threadIdx.x) + 1;
  const int j = static_cast<int>(blockIdx.y * block_y + threadIdx.y) + 1;
  const int k = static_cast<int>(blockIdx.z * block_z + threadIdx.z) + 1;
  if (!coarse.inner(i, j, k)) return;
  const int at_x = 2 * static_cast<int>(threadIdx.x) + 1, at_y = 2 * static_cast<int>(threadIdx.y) + 1,
            at_z = 2 * static_cast<int>(threadIdx.z) + 1;
  source[coarse.order(coarse.index(i, j, k))] =
      restricted(fine.unit, [&](int a, int b, int c) { return tile[at_z + c][at_y + b][at_x + a]; });
}

template <class Level>
__global__ void up_change_kernel(Level fine, CycleLevel coarse, const float* __restrict__ change,
                                 float* __restrict__ u) {
  int i, j, k;
  if (node_of_colour(fine, 0, i, j, k)) up_change(fine, coarse, change, u, i, j, k);
}

template <class Level>
__global__ void sweep_kernel(Level v, HalfSweep half, const float* __restrict__ source, float* u) {
  int i, j, k;
  if (node_of_colour(v, half.colour, i, j, k)) sweep(v, source, u, v.index(i, j, k), half.far);
}

/// The coarser grids of the hierarchy that one block works through, in its shared memory.
struct SmallLevels {
  static constexpr int most = 12;
  static constexpr int nodes = 5900;  ///< of all of them together, at most
  int count = 0;
  CycleLevel level[most];
  const float* source = nullptr;  ///< of the first
  float* u = nullptr;             ///< of the first: the result
};

constexpr unsigned small_threads = 1024;

/// Calls visit(i, j, k) for the inner nodes, or those of a colour of a grid of odd counts.
template <class Visit>
__device__ void small_nodes(const CycleLevel& v, int colour, const Visit& visit) {
  const int count = v.nx * v.ny * v.nz, stride = colour == 2 ? 1 : 2;
  for (int n = stride * static_cast<int>(threadIdx.x) + (colour & 1); n < count;
       n += stride * static_cast<int>(small_threads)) {
    const int i = n % v.nx, j = n / v.nx % v.ny, k = n / (v.nx * v.ny);
    if (v.inner(i, j, k)) visit(i, j, k);
  }
  __syncthreads();
}

/// Calls visit(index) for the nodes of a colour but those of the first and the last layer. On the other faces the
/// inverse diagonal is 0, and so is what follows from it.
template <class Visit>
__device__ void small_sweep(const CycleLevel& v, int colour, const Visit& visit) {
  const int layer = v.nx * v.ny, end = layer * (v.nz - 1);
  for (int at = layer + ((layer + colour) & 1) + 2 * static_cast<int>(threadIdx.x); at < end;
       at += 2 * static_cast<int>(small_threads))
    visit(static_cast<std::size_t>(at));
  __syncthreads();
}

/// As many sweeps with one colour first as with the other, from 0: half sweep `half` of 4 * sweeps is of this colour.
__device__ __forceinline__ int colour_of(int half, int sweeps) {
  return half < 2 * sweeps ? half & 1 : 1 - (half & 1);
}

/// u of the coarsest grid. With few inner nodes by one warp, which need not wait for the others after every sweep.
__device__ void solve_coarsest(const CycleLevel& v, const float* source, float* u) {
  constexpr int most_inner = 32, most = 256;
  __shared__ float values[most];
  const int count = v.nx * v.ny * v.nz, thread = static_cast<int>(threadIdx.x);
  const int inner_x = v.nx - 2, inner_y = v.ny - 2, inner = inner_x * inner_y * (v.nz - 2);
  const int sweeps = inner == 1 ? 1 : 24;
  if (inner > most_inner || count > most) {
    for (int n = thread; n < count; n += static_cast<int>(small_threads)) u[n] = 0;
    __syncthreads();
    for (int half = 0; half < 4 * sweeps; ++half) {
      const int colour = colour_of(half, sweeps);
      small_nodes(v, 2, [&](int i, int j, int k) {
        if (((i + j + k + colour) & 1) != 0) return;
        const std::size_t at = v.index(i, j, k);
        const float sum = neighbours(v, at, [&](std::size_t near) { return u[near]; });
        u[at] = (source[at] + v.unit * sum) * (__half2float(v.inverse[at]) / v.unit);
      });
    }
    return;
  }
  if (thread < 32) {
    for (int n = thread; n < count; n += 32) values[n] = 0;
    __syncwarp();
    const bool has_node = thread < inner;
    const int i = thread % inner_x + 1, j = thread / inner_x % inner_y + 1, k = thread / (inner_x * inner_y) + 1;
    const int y = v.nx, z = v.nx * v.ny, at = has_node ? i + y * j + z * k : 0;
    const int own_colour = (i + j + k) & 1;
    float c[6] = {}, right = 0, inverse = 0;
    if (has_node) {
      const std::size_t n = static_cast<std::size_t>(at), ny = v.along_y(), nz = v.along_z();
      const __half halves[6] = {v.cx[n], v.cx[n - 1], v.cy[n], v.cy[n - ny], v.cz[n], v.cz[n - nz]};
      for (int m = 0; m < 6; ++m) c[m] = __half2float(halves[m]);
      right = source[n];
      inverse = __half2float(v.inverse[n]) / v.unit;
    }
    for (int half = 0; half < 4 * sweeps; ++half) {
      if (has_node && colour_of(half, sweeps) == own_colour) {
        const float sum = c[0] * values[at + 1] + c[1] * values[at - 1] + c[2] * values[at + y] +
                          c[3] * values[at - y] + c[4] * values[at + z] + c[5] * values[at - z];
        values[at] = (right + v.unit * sum) * inverse;
      }
      __syncwarp();
    }
    for (int n = thread; n < count; n += 32) u[n] = values[n];
  }
  __syncthreads();
}

__global__ void __launch_bounds__(small_threads) small_levels_kernel(SmallLevels levels) {
  __shared__ float all_u[SmallLevels::nodes], all_source[SmallLevels::nodes];
  const int last = levels.count - 1, thread = static_cast<int>(threadIdx.x);
  if (last == 0) return solve_coarsest(levels.level[0], levels.source, levels.u);  // of whatever size
  int total = 0;
  for (int l = 0; l <= last; ++l) total += static_cast<int>(levels.level[l].size());
  const int first_size = static_cast<int>(levels.level[0].size());
  for (int n = thread; n < total; n += static_cast<int>(small_threads)) {
    all_u[n] = 0;
    all_source[n] = n < first_size ? levels.source[n] : 0;
  }
  __syncthreads();
  int begin = 0;
  for (int l = 0; l < last; ++l) {
    const CycleLevel& v = levels.level[l];
    const CycleLevel& coarse = levels.level[l + 1];
    const float* const source = all_source + begin;
    float* const u = all_u + begin;
    begin += static_cast<int>(v.size());
    small_sweep(v, 1, [&](std::size_t at) { down_odd(v, source, u, at); });
    small_sweep(v, 0, [&](std::size_t at) { down_even(v, source, u, at); });
    small_sweep(v, 1, [&](std::size_t at) { sweep(v, source, u, at, 1); });
    small_nodes(coarse, 2, [&](int i, int j, int k) {
      all_source[static_cast<std::size_t>(begin) + coarse.order(coarse.index(i, j, k))] = restricted(
          v.unit,
          [&](int a, int b, int c) { return even_residual(v, source, u, v.index(2 * i + a, 2 * j + b, 2 * k + c)); });
    });
  }
  solve_coarsest(levels.level[last], all_source + begin, all_u + begin);
  for (int l = last - 1; l >= 0; --l) {
    const CycleLevel& v = levels.level[l];
    const float* const change = all_u + begin;
    begin -= static_cast<int>(v.size());
    const float* const source = all_source + begin;
    float* const u = all_u + begin;
    small_nodes(v, 0, [&](int i, int j, int k) { up_change(v, levels.level[l + 1], change, u, i, j, k); });
    for (int n = 0; n < half_sweeps_up; ++n) {
      const HalfSweep half = half_sweep_up(n);
      small_sweep(v, half.colour, [&](std::size_t at) { sweep(v, source, u, at, half.far); });
    }
  }
  for (int n = thread; n < first_size; n += static_cast<int>(small_threads)) levels.u[n] = all_u[n];
}

}  // namespace
}  // namespace isolume
