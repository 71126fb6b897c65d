// isolume compute potential --average: the mean potential over frames and its standard error.
#pragma once

#include <string>

#include "app/cli/compute/potential_work.h"
#include "app/cli/over_time/average_options.h"

namespace isolume::cli {

struct PotentialAverage {
  const GridOptions& grid;
  const MapGridOptions& map;
  const MethodOptions& method;
  const AverageOptions& average;
};

/// `work`: the charges of the frame whose grid is used, on which frames are superposed. Grids and points stay where
/// they are in that frame. Throws Error, among others where charges were made for one frame alone.
void average_potential(Run& run, const PotentialAverage& options, PotentialWork& work);

}  // namespace isolume::cli
