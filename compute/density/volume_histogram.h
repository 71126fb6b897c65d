// How many values of a map are in each of equal steps between its lowest and highest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/density/volume_statistics.h"

namespace isolume {

struct VolumeHistogram {
  VolumeStatistics statistics;
  std::vector<std::uint64_t> counts;  ///< of steps of equal width from statistics.lowest to statistics.highest
  /// The value in the middle of a step.
  double middle(std::size_t step) const;
};

/// Of the finite values, all threads. A value at the border of two steps counts in the upper one, the highest value in
/// the last step. Where all values are equal all are in the first step. Throws Error (usage) for no steps.
VolumeHistogram histogram_of(std::span<const float> values, std::size_t steps, Job& job);

}  // namespace isolume
