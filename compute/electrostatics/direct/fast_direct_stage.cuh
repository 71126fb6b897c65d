// What the kernels of the fast direct sum share: tiles, their lists of charges, and charges in shared memory.
#pragma once

#include <cstdint>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/direct/fast_direct_plan.h"

namespace isolume {

/// Rows of points as in RowFrame, and the turn into that frame.
struct FastFrame {
  double turn[3][3];  // [row][column]
  double offset[3];   // turn * origin
  double ax, bx, by, cx, cy, cz;
};

/// A part of a tile's list: its charges number begin to end, from the list's range number `range` on.
struct FastItem {
  std::uint32_t tile;
  std::uint32_t begin, end;
  std::uint32_t range;
};

/// A tile on the device; items [first_item, first_item + items) hold its sums.
struct DeviceTile {
  std::int32_t first[3];
  std::int32_t count[3];
  std::int32_t parent;
  std::uint32_t ranges_first, ranges;
  std::uint32_t first_item, items;
};

constexpr int fast_threads = 256;
constexpr int most_order = 10;

__device__ inline float tile_middle(const DeviceTile& t, int axis) {
  return t.first[axis] + 0.5f * (t.count[axis] - 1);
}
__device__ inline float tile_half(const DeviceTile& t, int axis) {
  return t.count[axis] > 1 ? 0.5f * (t.count[axis] - 1) : 0.5f;
}
__device__ inline float node_at(int k, int p) {
  return -cospif((2 * k + 1) / (2.0f * p));
}
/// The Lagrange polynomial of node k at t.
__device__ inline float node_weight(int k, int p, float t) {
  const float x = node_at(k, p);
  float a0 = 1;
  float a1 = x;
  float b0 = 1;
  float b1 = t;
  float sum = 0.5f;
  for (int j = 1; j < p; ++j) {
    sum = fmaf(a1, b1, sum);
    const float a2 = 2 * x * a1 - a0;
    const float b2 = 2 * t * b1 - b0;
    a0 = a1;
    a1 = a2;
    b0 = b1;
    b1 = b2;
  }
  return 2 * sum / p;
}

/// The charges of an item in shared memory, 256 at a time, relative to `corner` of the row frame.
struct RangeStage {
  std::uint32_t begin[fast_threads];
  std::uint32_t before[fast_threads];
  float4 charge[fast_threads];
  float4 rest[fast_threads];  // what rounding took from the coordinates
  std::uint32_t next;

  /// Fills the stage with charges number `at` on and returns their count; `range` moves along.
  __device__ int fill(const float4* charges, const ChargeRange* ranges, std::uint32_t range_count, const FastItem& item,
                      std::uint32_t at, std::uint32_t& range, const FastFrame& f, const double* corner) {
    const std::uint32_t own = range + threadIdx.x;
    __syncthreads();
    begin[threadIdx.x] = own < range_count ? ranges[own].begin : 0;
    before[threadIdx.x] = own < range_count ? ranges[own].before : 0xffffffffu;
    __syncthreads();
    const std::uint32_t mine = at + threadIdx.x;
    // The last range that begins at or before it.
    int low = 0;
#pragma unroll
    for (int step = fast_threads / 2; step > 0; step /= 2) {
      if (before[low + step] <= mine) low += step;
    }
    if (threadIdx.x == fast_threads - 1) next = range + low;
    if (mine < item.end) {
      const float4 c = charges[begin[low] + (mine - before[low])];
      float high[3];
      float left[3];
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        const double r =
            f.turn[axis][0] * c.x + f.turn[axis][1] * c.y + f.turn[axis][2] * c.z - (f.offset[axis] + corner[axis]);
        high[axis] = static_cast<float>(r);
        left[axis] = static_cast<float>(r - static_cast<double>(high[axis]));
      }
      charge[threadIdx.x] = make_float4(high[0], high[1], high[2], c.w);
      rest[threadIdx.x] = make_float4(left[0], left[1], left[2], 0);
    }
    __syncthreads();
    range = next;
    return static_cast<int>(min(static_cast<std::uint32_t>(fast_threads), item.end - at));
  }
};

}  // namespace isolume
