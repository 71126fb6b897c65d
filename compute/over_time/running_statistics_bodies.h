// The bodies of running statistics: one frame added to the blocks that it completes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/span.h"

namespace isolume {

/// The blocks of one length at every point, on the device of the values.
struct BlockSums {
  std::uint64_t blocks = 0;  ///< before the frame; of 0 the arrays hold nothing yet
  double* mean = nullptr;
  double* squares = nullptr;
  double* waiting = nullptr;
};

/// More lengths than there can be frames for.
inline constexpr std::size_t most_lengths = 64;

/// Adds factor * values to the first of the levels, and to each that follows the mean of the block that waits before it
/// and what was added there. What is added to the last one waits in it.
void add_frame_cpu(Span<const float> values, double factor, std::span<const BlockSums> levels);
void add_frame_cpu(Span<const double> values, double factor, std::span<const BlockSums> levels);
void add_frame_cuda(Span<const float> values, double factor, std::span<const BlockSums> levels);
void add_frame_cuda(Span<const double> values, double factor, std::span<const BlockSums> levels);

/// values[points[i]], brought to host memory.
std::vector<double> doubles_at_cuda(Span<const double> values, std::span<const std::size_t> points);

}  // namespace isolume
