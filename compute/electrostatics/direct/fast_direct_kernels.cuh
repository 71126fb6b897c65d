// The kernels of the fast direct sum: charges of a tile's lists at its nodes or points, and polynomials handed down.
#pragma once

#include "compute/electrostatics/direct/fast_direct_stage.cuh"

namespace isolume {

/// sums[item][(c p + b) p + a]: the charges of an item at the nodes of its tile. Groups of p^2 threads, each with a row
/// of p nodes, share the charges.
template <int p>
__global__ void __launch_bounds__(fast_threads)
    far_kernel(const float4* __restrict__ charges, const ChargeRange* __restrict__ ranges,
               const DeviceTile* __restrict__ tiles, const FastItem* __restrict__ items, FastFrame f,
               float* __restrict__ sums) {
  constexpr int rows = p * p;
  constexpr int groups = fast_threads / rows;
  __shared__ RangeStage stage;
  const FastItem item = items[blockIdx.x];
  const DeviceTile tile = tiles[item.tile];
  const double mi = tile_middle(tile, 0);
  const double mj = tile_middle(tile, 1);
  const double mk = tile_middle(tile, 2);
  const double corner[3] = {mi * f.ax + mj * f.bx + mk * f.cx, mj * f.by + mk * f.cy, mk * f.cz};
  const int group = static_cast<int>(threadIdx.x) / rows;
  const int row = static_cast<int>(threadIdx.x) % rows;
  const float j = node_at(row % p, p) * tile_half(tile, 1);
  const float k = node_at(row / p, p) * tile_half(tile, 2);
  const float y = j * static_cast<float>(f.by) + k * static_cast<float>(f.cy);
  const float z = k * static_cast<float>(f.cz);
  float x[p];
#pragma unroll
  for (int a = 0; a < p; ++a) {
    x[a] = node_at(a, p) * tile_half(tile, 0) * static_cast<float>(f.ax) + j * static_cast<float>(f.bx) +
           k * static_cast<float>(f.cx);
  }
  float total[p] = {};
  std::uint32_t range = item.range;
  for (std::uint32_t at = item.begin; at < item.end; at += fast_threads) {
    const int count = stage.fill(charges, ranges + tile.ranges_first, tile.ranges, item, at, range, f, corner);
    float sum[p] = {};
    if (group < groups) {
#pragma unroll 2
      for (int n = group; n < count; n += groups) {
        const float4 c = stage.charge[n];
        const float dy = y - c.y;
        const float dz = z - c.z;
        const float d2 = fmaf(dy, dy, dz * dz);
#pragma unroll
        for (int a = 0; a < p; ++a) {
          const float dx = x[a] - c.x;
          sum[a] = fmaf(c.w, fast_rsqrt(fmaf(dx, dx, d2)), sum[a]);
        }
      }
    }
#pragma unroll
    for (int a = 0; a < p; ++a) total[a] += sum[a];
  }
  // The groups' sums, through the memory that the charges were in.
  __syncthreads();
  float* shared = reinterpret_cast<float*>(&stage);
  static_assert(sizeof(RangeStage) >= groups * rows * p * sizeof(float));
  if (group < groups) {
#pragma unroll
    for (int a = 0; a < p; ++a) shared[(group * rows + row) * p + a] = total[a];
  }
  __syncthreads();
  for (int n = static_cast<int>(threadIdx.x); n < rows * p; n += fast_threads) {
    float sum = 0;
    for (int g = 0; g < groups; ++g) sum += shared[g * rows * p + n];
    sums[static_cast<std::size_t>(blockIdx.x) * (rows * p) + n] = sum;
  }
}

/// Values at the nodes of tiles [first, ...) of a level: the sums of their items, and what the larger tile's polynomial
/// is there.
template <int p>
__global__ void __launch_bounds__(128) down_kernel(const DeviceTile* __restrict__ tiles, std::uint32_t first,
                                                   const float* __restrict__ sums, float* values) {
  constexpr int size = p * p * p;
  __shared__ float a_part[size];
  __shared__ float b_part[size];
  __shared__ float w[3][p][p];  // [axis][own node][node of the larger tile]
  const std::uint32_t own = first + blockIdx.x;
  const DeviceTile tile = tiles[own];
  const int thread = static_cast<int>(threadIdx.x);
  if (tile.parent >= 0) {
    const DeviceTile up = tiles[tile.parent];
    for (int n = thread; n < 3 * p * p; n += 128) {
      const int axis = n / (p * p);
      const int k = n / p % p;
      const float t = (tile_middle(tile, axis) - tile_middle(up, axis) + node_at(k, p) * tile_half(tile, axis)) /
                      tile_half(up, axis);
      w[axis][k][n % p] = node_weight(n % p, p, t);
    }
    for (int n = thread; n < size; n += 128) a_part[n] = values[static_cast<std::size_t>(tile.parent) * size + n];
    __syncthreads();
    for (int n = thread; n < size; n += 128) {
      float sum = 0;
      for (int a = 0; a < p; ++a) sum = fmaf(w[0][n % p][a], a_part[n / p * p + a], sum);
      b_part[n] = sum;
    }
    __syncthreads();
    for (int n = thread; n < size; n += 128) {
      float sum = 0;
      for (int b = 0; b < p; ++b) sum = fmaf(w[1][n / p % p][b], b_part[(n / (p * p) * p + b) * p + n % p], sum);
      a_part[n] = sum;
    }
    __syncthreads();
    for (int n = thread; n < size; n += 128) {
      float sum = 0;
      for (int c = 0; c < p; ++c) sum = fmaf(w[2][n / (p * p)][c], a_part[c * p * p + n % (p * p)], sum);
      b_part[n] = sum;
    }
    __syncthreads();
  } else {
    for (int n = thread; n < size; n += 128) b_part[n] = 0;
    __syncthreads();
  }
  for (int n = thread; n < size; n += 128) {
    float sum = b_part[n];
    for (std::uint32_t i = 0; i < tile.items; ++i)
      sum += sums[static_cast<std::size_t>(tile.first_item + i) * size + n];
    values[static_cast<std::size_t>(own) * size + n] = sum;
  }
}

/// sums[item][m][row]: the charges of an item at the 16 x 16 x 16 points of its tile, a row of them a thread.
inline __global__ void __launch_bounds__(fast_threads)
    near_points_kernel(const float4* __restrict__ charges, const ChargeRange* __restrict__ ranges,
                       const DeviceTile* __restrict__ tiles, const FastItem* __restrict__ items,
                       std::uint32_t first_item, FastFrame f, float* __restrict__ sums) {
  constexpr int run = FastDirectPlan::leaf;
  __shared__ RangeStage stage;
  const FastItem item = items[first_item + blockIdx.x];
  const DeviceTile tile = tiles[item.tile];
  const double i0 = tile.first[0];
  const double j0 = tile.first[1];
  const double k0 = tile.first[2];
  const double corner[3] = {i0 * f.ax + j0 * f.bx + k0 * f.cx, j0 * f.by + k0 * f.cy, k0 * f.cz};
  const int j = static_cast<int>(threadIdx.x) % run;
  const int k = static_cast<int>(threadIdx.x) / run;
  const double point[3] = {j * f.bx + k * f.cx, j * f.by + k * f.cy, k * f.cz};
  float high[3];
  float low[3];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    high[c] = static_cast<float>(point[c]);
    low[c] = static_cast<float>(point[c] - static_cast<double>(high[c]));
  }
  const auto step = static_cast<float>(f.ax);
  float total[run] = {};
  std::uint32_t range = item.range;
  for (std::uint32_t at = item.begin; at < item.end; at += fast_threads) {
    const int count = stage.fill(charges, ranges + tile.ranges_first, tile.ranges, item, at, range, f, corner);
    float sum[run] = {};
    if (j < tile.count[1] && k < tile.count[2]) {
#pragma unroll 2
      for (int n = 0; n < count; ++n) {
        const float4 c = stage.charge[n];
        const float4 r = stage.rest[n];
        const float dx0 = (high[0] - c.x) + (low[0] - r.x);
        const float dy = (high[1] - c.y) + (low[1] - r.y);
        const float dz = (high[2] - c.z) + (low[2] - r.z);
        const float d2 = fmaf(dy, dy, dz * dz);
        if (d2 >= static_cast<float>(coincidence * coincidence)) {
#pragma unroll
          for (int m = 0; m < run; ++m) {
            const float dx = fmaf(static_cast<float>(m), step, dx0);
            sum[m] = fmaf(c.w, fast_rsqrt(fmaf(dx, dx, d2)), sum[m]);
          }
        } else {
          for (int m = 0; m < run; ++m) {
            const float dx = fmaf(static_cast<float>(m), step, dx0);
            const float r2 = fmaf(dx, dx, d2);
            const float more = r2 < static_cast<float>(coincidence * coincidence) ? 0.0f : c.w * fast_rsqrt(r2);
#pragma unroll
            for (int i = 0; i < run; ++i) sum[i] += i == m ? more : 0.0f;
          }
        }
      }
    }
#pragma unroll
    for (int m = 0; m < run; ++m) total[m] += sum[m];
  }
  float* to = sums + static_cast<std::size_t>(blockIdx.x) * (run * fast_threads) + threadIdx.x;
#pragma unroll
  for (int m = 0; m < run; ++m) to[m * fast_threads] = total[m];
}

/// The map on tiles [first, ...): the sums of their items (the first of which is number first_item) and the polynomial.
template <int p>
__global__ void __launch_bounds__(fast_threads)
    points_of_tiles_kernel(const DeviceTile* __restrict__ tiles, std::uint32_t first, std::uint32_t first_item,
                           const float* __restrict__ sums, const float* __restrict__ values, std::uint32_t value_first,
                           float scale, int nx, int ny, float* __restrict__ out) {
  constexpr int run = FastDirectPlan::leaf;
  constexpr int size = p * p * p;
  __shared__ float nodes[size];
  __shared__ float w[3][run][p];
  const DeviceTile tile = tiles[first + blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x);
  for (int n = thread; n < size; n += fast_threads) {
    nodes[n] = values[static_cast<std::size_t>(value_first + first + blockIdx.x) * size + n];
  }
  for (int n = thread; n < 3 * run * p; n += fast_threads) {
    const int axis = n / (run * p);
    const int i = n / p % run;
    const float t = (tile.first[axis] + i - tile_middle(tile, axis)) / tile_half(tile, axis);
    w[axis][i][n % p] = node_weight(n % p, p, t);
  }
  __syncthreads();
  const int j = thread % run;
  const int k = thread / run;
  if (j >= tile.count[1] || k >= tile.count[2]) return;
  float row[p] = {};
  for (int c = 0; c < p; ++c) {
    for (int b = 0; b < p; ++b) {
      const float weight = w[2][k][c] * w[1][j][b];
#pragma unroll
      for (int a = 0; a < p; ++a) row[a] = fmaf(weight, nodes[(c * p + b) * p + a], row[a]);
    }
  }
  float* to = out + (static_cast<std::size_t>(tile.first[2] + k) * ny + tile.first[1] + j) * nx + tile.first[0];
  for (int m = 0; m < run; ++m) {
    if (m >= tile.count[0]) break;
    float sum = 0;
#pragma unroll
    for (int a = 0; a < p; ++a) sum = fmaf(w[0][m][a], row[a], sum);
    for (std::uint32_t i = 0; i < tile.items; ++i) {
      sum += sums[(static_cast<std::size_t>(tile.first_item - first_item + i) * run + m) * fast_threads + thread];
    }
    to[m] = scale * sum;
  }
}

}  // namespace isolume
