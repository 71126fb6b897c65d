// A volume's values at the points of another grid.
#pragma once

#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// The values of a volume at the points of `grid` (x fastest), by trilinear interpolation; NaN outside of the volume.
std::vector<float> resampled(const Volume& volume, const Grid& grid, Job& job);

}  // namespace isolume
