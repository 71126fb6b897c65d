// Mean and spread of the values of a map.
#pragma once

#include <span>

#include "compute/base/job.h"

namespace isolume {

/// Of the finite values, in double precision; all 0 where there are none.
struct VolumeStatistics {
  double mean = 0;
  double deviation = 0;  ///< standard deviation: "sigma"
  float lowest = 0, highest = 0;
};

VolumeStatistics statistics_of(std::span<const float> values, Job& job);

/// The value below which this part (0 to 1) of the finite values is, of some 100 000 of them taken evenly; 0 for none.
double quantile_of(std::span<const float> values, double part);

}  // namespace isolume
