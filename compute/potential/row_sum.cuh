// The sum of a function of distance over all charges at all points of grids: the loop of the Debye-Hückel sum on
// CUDA. A thread has neighbouring points of a row, a block a part of the charges.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>

#include "compute/device_array.h"
#include "compute/job.h"
#include "compute/launch.cuh"
#include "compute/potential/direct_math.h"
#include "compute/potential/row_sum.h"

namespace isolume {

constexpr int most_row_grids = 6;

/// A grid, all lengths times a common factor. Row frame: see RowFrame.
struct RowGrid {
  double turn[3][3];  // [row][column]: from space into the row frame
  double offset[3];   // turn * origin
  double ax, bx, by, cx, cy, cz;
  int nx, ny;
  std::uint32_t runs_x;       // threads along a row
  std::uint64_t runs;         // threads
  std::uint32_t first_block;  // of those of the launch
  std::uint64_t first_value;  // in the output
};

struct RowGrids {
  RowGrid grid[most_row_grids];
  int count;
};

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

/// Pair::term(m, r2, charge, sum) adds what a charge at the squared distance r2 gives to point m of a run; nearer than
/// the root of pair.coincident2 it does not act.
template <class Pair>
__global__ void __launch_bounds__(row_threads)
    row_sum_kernel(RowGrids grids, const float4* __restrict__ charges, RowSlice slice, Pair pair,
                   double* __restrict__ totals, float* __restrict__ out) {
  constexpr int run = Pair::run;
  __shared__ float4 near_part[row_stage];  // relative to the block's first point, and the charge
  __shared__ float4 rest_part[row_stage];  // what rounding took from the coordinates
  const std::uint64_t block = slice.first_block + blockIdx.x;
  int which = 0;
  while (which + 1 < grids.count && block >= grids.grid[which + 1].first_block) ++which;
  const RowGrid& g = grids.grid[which];
  const std::uint64_t first = (block - g.first_block) * row_threads;
  const std::uint64_t mine = first + threadIdx.x < g.runs ? first + threadIdx.x : g.runs - 1;
  const auto place = [&](std::uint64_t n, int& i, std::uint64_t& row, double* at) {
    row = n / g.runs_x;
    i = static_cast<int>(n - row * g.runs_x) * run;
    const auto k = static_cast<double>(row / g.ny);
    const auto j = static_cast<double>(row % g.ny);
    at[0] = i * g.ax + j * g.bx + k * g.cx;
    at[1] = j * g.by + k * g.cy;
    at[2] = k * g.cz;
  };
  int i = 0;
  std::uint64_t row = 0;
  double corner[3];
  double point[3];
  place(first, i, row, corner);
  place(mine, i, row, point);
  float high[3];
  float low[3];
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    const double relative = point[c] - corner[c];
    high[c] = static_cast<float>(relative);
    low[c] = static_cast<float>(relative - static_cast<double>(high[c]));
  }
  const auto step = static_cast<float>(g.ax);
  KahanSum total[run];
  const std::uint32_t begin = blockIdx.y * slice.per_part;
  const std::uint32_t end = min(begin + slice.per_part, slice.charges);
  for (std::uint32_t base = begin; base < end; base += row_stage) {
    __syncthreads();
#pragma unroll
    for (int s = 0; s < row_stage; s += row_threads) {
      const std::uint32_t n = base + s + threadIdx.x;
      if (n < end) {
        const float4 c = charges[n];
        float near_at[3];
        float rest[3];
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
          const double at =
              g.turn[axis][0] * c.x + g.turn[axis][1] * c.y + g.turn[axis][2] * c.z - (g.offset[axis] + corner[axis]);
          near_at[axis] = static_cast<float>(at);
          rest[axis] = static_cast<float>(at - static_cast<double>(near_at[axis]));
        }
        near_part[s + threadIdx.x] = make_float4(near_at[0], near_at[1], near_at[2], c.w);
        rest_part[s + threadIdx.x] = make_float4(rest[0], rest[1], rest[2], 0);
      }
    }
    __syncthreads();
    const int count = static_cast<int>(min(static_cast<std::uint32_t>(row_stage), end - base));
    float sum[run] = {};
#pragma unroll 2
    for (int n = 0; n < count; ++n) {
      const float4 c = near_part[n];
      const float4 r = rest_part[n];
      const float dx0 = (high[0] - c.x) + (low[0] - r.x);
      const float dy = (high[1] - c.y) + (low[1] - r.y);
      const float dz = (high[2] - c.z) + (low[2] - r.z);
      const float d2 = fmaf(dy, dy, dz * dz);
      // Only a charge in line with the run can be on a point of it.
      if (d2 >= pair.coincident2) {
#pragma unroll
        for (int m = 0; m < run; ++m) {
          const float dx = fmaf(static_cast<float>(m), step, dx0);
          Pair::term(m, fmaf(dx, dx, d2), c.w, sum[m]);
        }
      } else {
        for (int m = 0; m < run; ++m) {
          const float dx = fmaf(static_cast<float>(m), step, dx0);
          const float r2 = fmaf(dx, dx, d2);
          float more = 0;
          if (r2 >= pair.coincident2) Pair::term(m, r2, c.w, more);
#pragma unroll
          for (int k = 0; k < run; ++k) sum[k] += k == m ? more : 0.0f;
        }
      }
    }
#pragma unroll
    for (int m = 0; m < run; ++m) total[m].add(sum[m]);
  }
  if (totals) {
    // [part][point of the run][thread]
    const std::uint64_t threads = static_cast<std::uint64_t>(slice.blocks) * row_threads;
    double* to = totals + static_cast<std::uint64_t>(blockIdx.y) * run * threads +
                 static_cast<std::uint64_t>(blockIdx.x) * row_threads + threadIdx.x;
#pragma unroll
    for (int m = 0; m < run; ++m) to[m * threads] = total[m].value();
    return;
  }
  if (first + threadIdx.x >= g.runs) return;
  float* to = out + g.first_value + row * g.nx + i;
#pragma unroll
  for (int m = 0; m < run; ++m) {
    if (i + m < g.nx) to[m] = static_cast<float>(pair.scale * total[m].value());
  }
}

/// Adds up the parts, in order.
template <int run>
__global__ void row_total_kernel(RowGrids grids, RowSlice slice, int parts, double scale,
                                 const double* __restrict__ totals, float* __restrict__ out) {
  const std::uint64_t block = slice.first_block + blockIdx.x;
  int which = 0;
  while (which + 1 < grids.count && block >= grids.grid[which + 1].first_block) ++which;
  const RowGrid& g = grids.grid[which];
  const std::uint64_t mine = (block - g.first_block) * row_threads + threadIdx.x;
  if (mine >= g.runs) return;
  const std::uint64_t row = mine / g.runs_x;
  const int i = static_cast<int>(mine - row * g.runs_x) * run;
  const std::uint64_t threads = static_cast<std::uint64_t>(slice.blocks) * row_threads;
  const double* from = totals + static_cast<std::uint64_t>(blockIdx.x) * row_threads + threadIdx.x;
  float* to = out + g.first_value + row * g.nx + i;
  for (int m = 0; m < run; ++m) {
    double sum = 0;
    for (int part = 0; part < parts; ++part) sum += from[(static_cast<std::uint64_t>(part) * run + m) * threads];
    if (i + m < g.nx) to[m] = static_cast<float>(scale * sum);
  }
}

/// The sum on several grids, one after the other in `out`; every length is multiplied by `unit` first. Launches last
/// some tens of milliseconds, by the rate that the device has shown.
template <class Pair>
void row_sum(std::span<const Grid> grids, const DeviceArray<float4>& charges, const Pair& pair, double unit, float* out,
             Stream& stream, Job& job, const char* what) {
  constexpr double launch_seconds = 0.035;
  static std::array<std::atomic<double>, 64> rates;  // evaluations a second, by device
  std::atomic<double>& rate = rates[static_cast<std::size_t>(std::clamp(stream.device().index, 0, 63))];
  std::uint64_t first_value = 0;
  for (std::size_t at = 0; at < grids.size(); at += most_row_grids) {
    RowGrids list{};
    std::uint64_t blocks = 0;
    for (std::size_t n = at; n < std::min(grids.size(), at + most_row_grids); ++n) {
      const Grid& grid = grids[n];
      if (grid.size() == 0) continue;
      RowGrid& g = list.grid[list.count++];
      const RowFrame frame(grid);
      const glm::dvec3 offset = frame.turn * frame.origin;
      for (int r = 0; r < 3; ++r) {
        g.offset[r] = unit * offset[r];
        for (int c = 0; c < 3; ++c) g.turn[r][c] = unit * frame.turn[c][r];
      }
      g.ax = unit * frame.ax;
      g.bx = unit * frame.bx;
      g.by = unit * frame.by;
      g.cx = unit * frame.cx;
      g.cy = unit * frame.cy;
      g.cz = unit * frame.cz;
      g.nx = grid.counts.x;
      g.ny = grid.counts.y;
      g.runs_x = static_cast<std::uint32_t>((grid.counts.x + Pair::run - 1) / Pair::run);
      g.runs = static_cast<std::uint64_t>(g.runs_x) * static_cast<std::uint64_t>(grid.counts.y) *
               static_cast<std::uint64_t>(grid.counts.z);
      g.first_block = static_cast<std::uint32_t>(blocks);
      g.first_value = first_value;
      first_value += grid.size();
      blocks += (g.runs + row_threads - 1) / row_threads;
    }
    const auto count = static_cast<std::uint32_t>(charges.size());
    const double per_block = static_cast<double>(row_threads) * Pair::run * std::max<double>(count, 1);
    DeviceArray<double> totals;
    for (std::uint64_t begin = 0; begin < blocks;) {
      const double known = rate.load(std::memory_order_relaxed);
      // Equal launches where the rate is known; a short one first where it is not.
      const double left = static_cast<double>(blocks - begin);
      double wanted = known > 0 ? left / std::ceil(left * per_block / (known * launch_seconds)) : 5e9 / per_block;
      wanted = std::min(std::max(std::ceil(wanted), 1.0), left);
      const auto now = static_cast<std::uint32_t>(std::min(wanted, 1e6));
      const std::size_t part_bytes = std::size_t{now} * row_threads * Pair::run * sizeof(double);
      const std::size_t most_parts = std::min<std::size_t>(count / row_stage, row_sum_budget() / part_bytes);
      auto parts = static_cast<std::uint32_t>(
          std::clamp<std::size_t>(row_blocks_wanted / now, 1, std::max<std::size_t>(1, most_parts)));
      const std::uint32_t per_part = ((count + parts - 1) / parts + row_stage - 1) / row_stage * row_stage;
      parts = count == 0 ? 1 : (count + per_part - 1) / per_part;
      const RowSlice slice{begin, count, per_part, now};
      if (parts > 1) {
        const std::size_t size = static_cast<std::size_t>(parts) * now * row_threads * Pair::run;
        if (totals.size() < size) totals = DeviceArray<double>(size, stream, what);
      }
      const auto start = std::chrono::steady_clock::now();
      launch(what, stream, row_sum_kernel<Pair>, {now, parts, 1}, {row_threads, 1, 1}, list, charges.data(), slice,
             pair, parts > 1 ? totals.data() : nullptr, out);
      if (parts > 1) {
        launch(what, stream, row_total_kernel<Pair::run>, {now, 1, 1}, {row_threads, 1, 1}, list, slice,
               static_cast<int>(parts), pair.scale, totals.data(), out);
      }
      stream.synchronize(what);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (now * per_block > 1e8) rate.store(now * per_block / seconds, std::memory_order_relaxed);
      begin += now;
      job.progress((static_cast<double>(at) + static_cast<double>(begin) / static_cast<double>(blocks)) /
                       static_cast<double>(grids.size()),
                   what);
      job.check();
    }
  }
}

}  // namespace isolume
