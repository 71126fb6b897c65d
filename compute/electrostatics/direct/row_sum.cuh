// The sum of a function of distance over all charges at all points of grids: the loop of the Debye-Hückel sum on
// CUDA. A thread has neighbouring points of a row, a block a part of the charges.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "compute/base/cuda_tuning.h"
#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/base/launch.cuh"
#include "compute/electrostatics/direct/row_grid.cuh"

namespace isolume {

/// What a launch does: blocks of runs from `first_block` on, and which part of the charges each has.
struct RowSlice {
  std::uint64_t first_block;
  std::uint32_t charges;
  std::uint32_t per_part;
  std::uint32_t blocks;
};

/// Sums in two floats: total + rest, rest being what rounding took from total (Kahan).
struct KahanSum {
  float total = 0;
  float rest = 0;
  __device__ __forceinline__ void add(float value) {
    const float y = value - rest;
    const float t = total + y;
    rest = (t - total) - y;
    total = t;
  }
  __device__ __forceinline__ double value() const { return static_cast<double>(total) - static_cast<double>(rest); }
};

/// Where a thread's points are, relative to its block's first one.
struct RunPoints {
  float high_x, low_x;  ///< x in two floats: differences to near charges are then exact, however long the row is
  float y, z, step;
};

/// Adds the charges that are in shared memory to the sums of a run. Only near ones can be on a point.
template <bool on_points, class Pair>
__device__ __forceinline__ void add_stage(const RunPoints& at, const float4* near_part, const float* rest_x, int count,
                                          const Pair& pair, float* sum) {
// A power of two: of other numbers nvcc 13.0 makes a loop without its remainder.
#pragma unroll 4
  for (int n = 0; n < count; ++n) {
    const float4 c = near_part[n];
    const float dx0 = (at.high_x - c.x) + (at.low_x - rest_x[n]);
    const float dy = at.y - c.y;
    const float dz = at.z - c.z;
    const float d2 = fmaf(dy, dy, dz * dz);
    if constexpr (on_points) {
#pragma unroll
      for (int m = 0; m < Pair::run; ++m) {
        const float dx = fmaf(static_cast<float>(m), at.step, dx0);
        const float r2 = fmaf(dx, dx, d2);
        if (r2 >= pair.coincident2) sum[m] += Pair::one(r2, c.w);
      }
    } else {
      Pair::add(dx0, at.step, d2, c.w, sum);
    }
  }
}

constexpr int row_blocks_at_once =
    blocks_at_once(blocks_wanted::row_sum, row_threads, (sizeof(float4) + sizeof(float)) * row_stage);

/// Pair::add(dx0, step, d2, charge, sum) adds what a charge gives to the points of a run, m-th at the squared distance
/// d2 + (dx0 + m step)^2, Pair::one(r2, charge) is that at one; nearer than the root of pair.coincident2 it does not
/// act.
template <class Pair>
__global__ void __launch_bounds__(row_threads, row_blocks_at_once)
    row_sum_kernel(RowGrids grids, const float4* __restrict__ charges, RowSlice slice, Pair pair,
                   float* __restrict__ totals, float* __restrict__ out) {
  constexpr int run = Pair::run;
  __shared__ float4 near_part[row_stage];  // relative to the block's first point, and the charge
  __shared__ float rest_x[row_stage];      // what rounding took from x
  const std::uint64_t block = slice.first_block + blockIdx.x;
  const RowGrid& g = grid_of(grids, block);
  const std::uint64_t first = (block - g.first_block) * row_threads;
  const std::uint64_t mine = first + threadIdx.x < g.runs ? first + threadIdx.x : g.runs - 1;
  const bool idle = first + (threadIdx.x & ~31u) >= g.runs;  // the whole warp
  const auto point_of = [&](RunPlace place, double* at) {
    const auto row = static_cast<std::uint32_t>(place.row);
    const auto ny = static_cast<std::uint32_t>(g.ny);
    row_point(g, place.i * run, row % ny, row / ny, at);
  };
  const RunPlace place = run_place(g, mine);
  double corner[3];
  double point[3];
  point_of(run_place(g, first), corner);
  point_of(place, point);
  const BlockBox box = block_box(g, run, first, corner, 2 * sqrt(static_cast<double>(pair.coincident2)));
  RunPoints at;
  at.high_x = static_cast<float>(point[0] - corner[0]);
  at.low_x = static_cast<float>(point[0] - corner[0] - static_cast<double>(at.high_x));
  at.y = static_cast<float>(point[1] - corner[1]);
  at.z = static_cast<float>(point[2] - corner[2]);
  at.step = static_cast<float>(g.ax);
  // Kept in registers: else they are converted from double precision again for every charge.
  asm volatile("" : "+f"(at.high_x), "+f"(at.low_x), "+f"(at.y), "+f"(at.z), "+f"(at.step));
  KahanSum total[run];
  const std::uint32_t begin = blockIdx.y * slice.per_part;
  const std::uint32_t end = min(begin + slice.per_part, slice.charges);
  for (std::uint32_t base = begin; base < end; base += row_stage) {
    bool may_be_on_points = false;
    __syncthreads();
#pragma unroll
    for (int s = 0; s < row_stage; s += row_threads) {
      const std::uint32_t n = base + s + threadIdx.x;
      if (n >= end) continue;
      const float4 c = charges[n];
      float near_at[3];
#pragma unroll
      for (int axis = 0; axis < 3; ++axis) {
        const double relative =
            g.turn[axis][0] * c.x + g.turn[axis][1] * c.y + g.turn[axis][2] * c.z - (g.offset[axis] + corner[axis]);
        near_at[axis] = static_cast<float>(relative);
        if (axis == 0) rest_x[s + threadIdx.x] = static_cast<float>(relative - static_cast<double>(near_at[0]));
      }
      near_part[s + threadIdx.x] = make_float4(near_at[0], near_at[1], near_at[2], c.w);
      may_be_on_points = may_be_on_points || (fabsf(near_at[0] - box.middle[0]) <= box.half[0] &&
                                              fabsf(near_at[1] - box.middle[1]) <= box.half[1] &&
                                              fabsf(near_at[2] - box.middle[2]) <= box.half[2]);
    }
    const bool on_points = __syncthreads_or(may_be_on_points);
    if (idle) continue;
    const int count = static_cast<int>(min(static_cast<std::uint32_t>(row_stage), end - base));
    float sum[run] = {};
    if (on_points) {
      add_stage<true>(at, near_part, rest_x, count, pair, sum);
    } else {
      add_stage<false>(at, near_part, rest_x, count, pair, sum);
    }
#pragma unroll
    for (int m = 0; m < run; ++m) total[m].add(sum[m]);
  }
  if (totals) {
    // [part][point of the run][thread]
    const std::uint64_t threads = static_cast<std::uint64_t>(slice.blocks) * row_threads;
    float* to = totals + static_cast<std::uint64_t>(blockIdx.y) * run * threads +
                static_cast<std::uint64_t>(blockIdx.x) * row_threads + threadIdx.x;
#pragma unroll
    for (int m = 0; m < run; ++m) to[m * threads] = static_cast<float>(total[m].value());
    return;
  }
  if (first + threadIdx.x >= g.runs) return;
  float* to = out + value_place(g, place, run);
#pragma unroll
  for (int m = 0; m < run; ++m) {
    if (place.i * run + m < g.nx) to[m * g.stride[0]] = static_cast<float>(pair.scale * total[m].value());
  }
}

/// Adds up the parts, in order.
template <int run>
__global__ void row_total_kernel(RowGrids grids, RowSlice slice, int parts, double scale,
                                 const float* __restrict__ totals, float* __restrict__ out) {
  const std::uint64_t block = slice.first_block + blockIdx.x;
  const RowGrid& g = grid_of(grids, block);
  const std::uint64_t mine = (block - g.first_block) * row_threads + threadIdx.x;
  if (mine >= g.runs) return;
  const RunPlace place = run_place(g, mine);
  const std::uint64_t threads = static_cast<std::uint64_t>(slice.blocks) * row_threads;
  // blockIdx.y is the point of the run.
  const int m = static_cast<int>(blockIdx.y);
  const float* from = totals + static_cast<std::uint64_t>(m) * threads +
                      static_cast<std::uint64_t>(blockIdx.x) * row_threads + threadIdx.x;
  if (place.i * run + m >= g.nx) return;
  double sum = 0;
  for (int part = 0; part < parts; ++part) {
    sum += static_cast<double>(from[static_cast<std::uint64_t>(part) * run * threads]);
  }
  out[value_place(g, place, run) + m * g.stride[0]] = static_cast<float>(scale * sum);
}

/// Multiprocessors of a device.
inline int multiprocessors_of(Device device) {
  static std::array<std::atomic<int>, 64> known;
  std::atomic<int>& entry = known[static_cast<std::size_t>(std::clamp(device.index, 0, 63))];
  int count = entry.load(std::memory_order_relaxed);
  if (count == 0) {
    CudaProperties properties;
    cuda_check(cuda_api().properties(device.index, &properties), "properties");
    entry.store(count = std::max(1, properties.multiprocessors), std::memory_order_relaxed);
  }
  return count;
}

/// In how many parts, about `wanted`, `blocks` (in full ones) end at the same time on all multiprocessors.
inline std::uint32_t even_parts(double blocks, std::uint32_t wanted, std::uint32_t most, std::uint32_t charges,
                                int multiprocessors) {
  constexpr double begin = 12;  // what a block takes to begin and to end, in charges
  std::uint32_t best = std::min(wanted, most);
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t parts = std::max(1u, wanted / 2); parts <= std::min(most, wanted); ++parts) {
    const double each = std::ceil(static_cast<double>(charges) / parts) + begin;
    const double time = std::ceil(blocks * parts / multiprocessors - 1e-3) * each;
    if (time < least) best = parts, least = time;
  }
  return best;
}

/// The sum on several grids, one after the other in `out`; every length is multiplied by `unit` first. Launches last
/// some tens of milliseconds, by the rate that the device has shown.
template <class Pair>
void row_sum(std::span<const Grid> grids, const DeviceArray<float4>& charges, const Pair& pair, double unit, float* out,
             Stream& stream, Job& job, const char* what) {
  constexpr double launch_seconds = 0.035;
  static std::array<std::atomic<double>, 64> rates;  // evaluations a second, by device
  std::atomic<double>& rate = rates[static_cast<std::size_t>(std::clamp(stream.device().index, 0, 63))];
  const int multiprocessors = multiprocessors_of(stream.device());
  const std::vector<RowBlock> all = row_blocks(grids, Pair::run);
  for (std::size_t at = 0; at < all.size(); at += most_row_grids) {
    RowGrids list{};
    std::uint64_t blocks = 0;
    std::uint64_t warps = 0;
    for (std::size_t n = at; n < std::min(all.size(), at + most_row_grids); ++n) {
      const RowBlock& block = all[n];
      RowGrid& g = list.grid[list.count++];
      const RowFrame& frame = block.frame;
      const glm::dvec3 offset = frame.turn * frame.origin;
      for (int r = 0; r < 3; ++r) {
        g.offset[r] = unit * offset[r];
        for (int c = 0; c < 3; ++c) g.turn[r][c] = unit * frame.turn[c][r];
        g.stride[r] = block.stride[r];
      }
      g.ax = unit * frame.ax;
      g.bx = unit * frame.bx;
      g.by = unit * frame.by;
      g.cx = unit * frame.cx;
      g.cy = unit * frame.cy;
      g.cz = unit * frame.cz;
      g.nx = block.counts.x;
      g.ny = block.counts.y;
      g.runs_x = static_cast<std::uint32_t>((block.counts.x + Pair::run - 1) / Pair::run);
      g.runs = static_cast<std::uint64_t>(g.runs_x) * static_cast<std::uint64_t>(block.counts.y) *
               static_cast<std::uint64_t>(block.counts.z);
      g.first_block = static_cast<std::uint32_t>(blocks);
      g.first_value = block.first_value;
      blocks += (g.runs + row_threads - 1) / row_threads;
      warps += (g.runs + 31) / 32;
    }
    const double full = static_cast<double>(warps) * 32 / row_threads / static_cast<double>(blocks);
    const auto count = static_cast<std::uint32_t>(charges.size());
    const double per_block = static_cast<double>(row_threads) * Pair::run * std::max<double>(count, 1);
    DeviceArray<float> totals;
    for (std::uint64_t begin = 0; begin < blocks;) {
      const double known = rate.load(std::memory_order_relaxed);
      // Equal launches where the rate is known; a short one first where it is not.
      const double left = static_cast<double>(blocks - begin);
      double wanted = known > 0 ? left / std::ceil(left * per_block / (known * launch_seconds)) : 5e9 / per_block;
      wanted = std::min(std::max(std::ceil(wanted), 1.0), left);
      const auto now = static_cast<std::uint32_t>(std::min(wanted, 1e6));
      const std::size_t part_bytes = std::size_t{now} * row_threads * Pair::run * sizeof(float);
      const std::size_t most_parts = std::min<std::size_t>(count / row_stage, row_sum_budget() / part_bytes);
      const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(1, most_parts));
      const auto wanted_parts = static_cast<std::uint32_t>(std::clamp<std::size_t>(row_blocks_wanted / now, 1, most));
      auto parts = even_parts(full * now, wanted_parts, most, count, multiprocessors);
      const std::uint32_t per_part = std::max(1u, (count + parts - 1) / parts);
      parts = count == 0 ? 1 : (count + per_part - 1) / per_part;
      const RowSlice slice{begin, count, per_part, now};
      if (parts > 1) {
        const std::size_t size = static_cast<std::size_t>(parts) * now * row_threads * Pair::run;
        if (totals.size() < size) totals = DeviceArray<float>(size, stream, what);
      }
      const auto start = std::chrono::steady_clock::now();
      launch(what, stream, row_sum_kernel<Pair>, {now, parts, 1}, {row_threads, 1, 1}, list, charges.data(), slice,
             pair, parts > 1 ? totals.data() : nullptr, out);
      if (parts > 1) {
        launch(what, stream, row_total_kernel<Pair::run>, {now, Pair::run, 1}, {row_threads, 1, 1}, list, slice,
               static_cast<int>(parts), pair.scale, totals.data(), out);
      }
      stream.synchronize(what);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (now * per_block > 1e8) rate.store(now * per_block / seconds, std::memory_order_relaxed);
      begin += now;
      job.progress((static_cast<double>(at) + list.count * static_cast<double>(begin) / static_cast<double>(blocks)) /
                       static_cast<double>(all.size()),
                   what);
      job.check();
    }
  }
}

}  // namespace isolume
