// One frame added to running statistics, on the CPU.
#include <algorithm>
#include <array>

#include "compute/base/parallel_for.h"
#include "compute/over_time/running_statistics_bodies.h"

namespace isolume {
namespace {

constexpr std::size_t tile = 2048;  // points, whose carried means fit into the first cache

template <typename Value>
void add_frame(Span<const Value> values, double factor, std::span<const BlockSums> levels) {
  // Never left half done: a cancelled job is seen before it and after.
  Job whole;
  parallel_for((values.size + tile - 1) / tile, whole, "statistics", [&](std::size_t t) {
    const std::size_t begin = t * tile, count = std::min(tile, values.size - begin);
    std::array<double, tile> carried;
    for (std::size_t i = 0; i < count; ++i) carried[i] = factor * static_cast<double>(values.data[begin + i]);
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const BlockSums& level = levels[l];
      double* const mean = level.mean + begin;
      double* const squares = level.squares + begin;
      double* const waiting = level.waiting + begin;
      if (level.blocks == 0) {
        std::copy_n(carried.data(), count, mean);
        std::fill_n(squares, count, 0.0);
      } else {
        const double part = 1.0 / static_cast<double>(level.blocks + 1);
        for (std::size_t i = 0; i < count; ++i) {
          const double from = carried[i] - mean[i];
          mean[i] += from * part;
          squares[i] += from * (carried[i] - mean[i]);
        }
      }
      if (l + 1 < levels.size()) {
        for (std::size_t i = 0; i < count; ++i) carried[i] = 0.5 * (waiting[i] + carried[i]);
      } else {
        std::copy_n(carried.data(), count, waiting);
      }
    }
  });
}

}  // namespace

void add_frame_cpu(Span<const float> values, double factor, std::span<const BlockSums> levels) {
  add_frame(values, factor, levels);
}

void add_frame_cpu(Span<const double> values, double factor, std::span<const BlockSums> levels) {
  add_frame(values, factor, levels);
}

}  // namespace isolume
