// What the sum over all charges along rows takes on CUDA; the kernels are in row_sum.cuh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "compute/base/memory.h"
#include "compute/electrostatics/charges/direct_math.h"

namespace isolume {

constexpr int row_threads = 128;
constexpr int row_stage = 256;  // charges in shared memory at a time
/// Blocks of a launch that keep a large device busy, and evenly so to its end: few points take the charges in parts.
constexpr std::size_t row_blocks_wanted = 6144;
constexpr int debye_run = 8;  // neighbouring points of a thread

/// The most bytes that the sums of parts may take; they take fewer parts where memory is limited.
inline std::size_t row_sum_budget() {
  return memory_limit() ? memory_limit() / 4 : std::numeric_limits<std::size_t>::max();
}

/// Bytes that the sums of parts take for `points` points.
inline std::size_t row_sum_bytes(std::size_t points, std::size_t charges, int run) {
  if (charges < 2 * row_stage) return 0;
  const double block = static_cast<double>(row_threads) * run;
  // Rows that are shorter than a run waste the rest of it.
  const double blocks =
      std::min<double>(row_blocks_wanted, (static_cast<double>(points) + 1) * static_cast<double>(charges / row_stage));
  return std::min(static_cast<std::size_t>(blocks * block) * sizeof(float), row_sum_budget());
}

/// Points of a grid as rows: the whole of it, or what is left of its rows behind the last whole run.
struct RowBlock {
  RowFrame frame;           ///< x runs along the rows
  glm::ivec3 counts;        ///< along a row, and of the rows
  std::size_t first_value;  ///< where its first point is in the output
  std::size_t stride[3];    ///< from there to the next along each axis of `counts`
};

/// The points of all grids, each once. Where it takes fewer runs, the last points of a grid's rows are rows of their
/// own along its second axis; these stand behind all others.
inline std::vector<RowBlock> row_blocks(std::span<const Grid> grids, int run) {
  std::vector<RowBlock> blocks;
  std::vector<RowBlock> ends;
  std::size_t first_value = 0;
  for (const Grid& grid : grids) {
    if (grid.size() == 0) continue;
    const glm::ivec3 n = grid.counts;
    const std::size_t row = static_cast<std::size_t>(n.x);
    const std::size_t plane = row * static_cast<std::size_t>(n.y);
    const int rest = n.x % run;
    const auto runs = [&](int length) { return static_cast<long>((length + run - 1) / run); };
    const bool split = rest > 0 && n.x > run && rest * runs(n.y) < n.y;
    blocks.push_back({RowFrame(grid), {split ? n.x - rest : n.x, n.y, n.z}, first_value, {1, row, plane}});
    if (split) {
      Grid end = grid;
      end.origin = grid.point(n.x - rest, 0, 0);
      std::swap(end.step[0], end.step[1]);
      end.counts = {n.y, rest, n.z};
      ends.push_back({RowFrame(end), end.counts, first_value + row - static_cast<std::size_t>(rest), {row, 1, plane}});
    }
    first_value += grid.size();
  }
  blocks.insert(blocks.end(), ends.begin(), ends.end());
  return blocks;
}

}  // namespace isolume
