// What the sum over all charges along rows takes on CUDA; the kernels are in row_sum.cuh.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "compute/memory.h"

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
  return std::min(static_cast<std::size_t>(blocks * block) * sizeof(double), row_sum_budget());
}

}  // namespace isolume
