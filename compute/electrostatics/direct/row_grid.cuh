// The grids of the sum over charges along rows, as kernels walk them: which run of points a thread has, and where.
#pragma once

#include <cstdint>

#include "compute/electrostatics/direct/row_sum.h"

namespace isolume {

constexpr int most_row_grids = 12;

/// A RowBlock, all lengths times a common factor.
struct RowGrid {
  double turn[3][3];  // [row][column]: from space into the row frame
  double offset[3];   // turn * origin
  double ax, bx, by, cx, cy, cz;
  int nx, ny;
  std::uint32_t runs_x;       // threads along a row
  std::uint64_t runs;         // threads
  std::uint32_t first_block;  // of those of the launch
  std::uint64_t first_value;  // in the output
  std::uint64_t stride[3];    // there
};

struct RowGrids {
  RowGrid grid[most_row_grids];
  int count;
};

/// Which grid a block belongs to.
__device__ inline const RowGrid& grid_of(const RowGrids& grids, std::uint64_t block) {
  int which = 0;
  while (which + 1 < grids.count && block >= grids.grid[which + 1].first_block) ++which;
  return grids.grid[which];
}

/// A run's row, and which of that row's it is.
struct RunPlace {
  std::uint64_t row;
  int i;
};
__device__ inline RunPlace run_place(const RowGrid& g, std::uint64_t n) {
  if (g.runs <= 0xffffffffu) {  // 64-bit divisions take as long as many charges
    const std::uint32_t row = static_cast<std::uint32_t>(n) / g.runs_x;
    return {row, static_cast<int>(static_cast<std::uint32_t>(n) - row * g.runs_x)};
  }
  const std::uint64_t row = n / g.runs_x;
  return {row, static_cast<int>(n - row * g.runs_x)};
}
/// A point in the row frame.
__device__ inline void row_point(const RowGrid& g, double i, double j, double k, double* at) {
  at[0] = i * g.ax + j * g.bx + k * g.cx;
  at[1] = j * g.by + k * g.cy;
  at[2] = k * g.cz;
}
/// Where the values of a run begin; they are g.stride[0] apart.
__device__ inline std::uint64_t value_place(const RowGrid& g, RunPlace at, int run) {
  const auto ny = static_cast<std::uint64_t>(g.ny);
  return g.first_value + static_cast<std::uint64_t>(at.i) * run * g.stride[0] + at.row % ny * g.stride[1] +
         at.row / ny * g.stride[2];
}

/// The box around a block's points and `margin` about it, relative to its first point: its middle and half its size.
struct BlockBox {
  float middle[3], half[3];
};
__device__ inline BlockBox block_box(const RowGrid& g, int run, std::uint64_t first, const double* corner,
                                     double margin) {
  const std::uint64_t last = min(first + row_threads, g.runs) - 1;
  const RunPlace from = run_place(g, first);
  const RunPlace to = run_place(g, last);
  const auto ny = static_cast<std::uint64_t>(g.ny);
  const bool one_row = from.row == to.row;
  const bool one_layer = from.row / ny == to.row / ny;
  const int i[2] = {one_row ? from.i * run : 0, one_row ? to.i * run + run - 1 : static_cast<int>(g.runs_x) * run - 1};
  const int j[2] = {one_layer ? static_cast<int>(from.row % ny) : 0,
                    one_layer ? static_cast<int>(to.row % ny) : g.ny - 1};
  const int k[2] = {static_cast<int>(from.row / ny), static_cast<int>(to.row / ny)};
  double lower[3];
  double upper[3];
  for (int n = 0; n < 8; ++n) {
    double at[3];
    row_point(g, i[n & 1], j[n >> 1 & 1], k[n >> 2], at);
    for (int c = 0; c < 3; ++c) {
      lower[c] = n == 0 ? at[c] : fmin(lower[c], at[c]);
      upper[c] = n == 0 ? at[c] : fmax(upper[c], at[c]);
    }
  }
  BlockBox box;
  for (int c = 0; c < 3; ++c) {
    box.middle[c] = static_cast<float>(0.5 * (lower[c] + upper[c]) - corner[c]);
    box.half[c] = static_cast<float>(0.5001 * (upper[c] - lower[c]) + margin);
  }
  return box;
}

}  // namespace isolume
