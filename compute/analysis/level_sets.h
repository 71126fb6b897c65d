// What the level sets of a field say at every point of its grid: their curvature, and a map along their normals.
#pragma once

#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// The mean curvature of the level sets of a field that grows inwards, at every grid point; 0 at the border. For an
/// axis-aligned grid.
std::vector<float> level_set_curvature(const Grid& grid, std::span<const float> values, Job& job);

/// A map on the grid of a field that grows inwards, taken `offset` angstrom along the outward normal of the level set
/// through every grid point, by trilinear interpolation; beyond the grid the value at its border.
std::vector<float> along_normals(const Grid& grid, std::span<const float> field, std::span<const float> map,
                                 double offset, Job& job);

}  // namespace isolume
