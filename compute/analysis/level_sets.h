// What the level sets of a field say at points of its grid: their curvature, and a map along their normals.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// The mean curvature of the level sets of a field that grows inwards, at every grid point; 0 at the border. For an
/// axis-aligned grid.
std::vector<float> level_set_curvature(const Grid& grid, std::span<const float> values, Job& job);

/// A map on the grid of a field that grows inwards, taken `offset` angstrom along the outward normal of the level set
/// through a grid point, by trilinear interpolation; beyond the grid the value at its border. Of the points with a 1 in
/// `at`, or of all where it is empty; others keep the map's value.
std::vector<float> along_normals(const Grid& grid, std::span<const float> field, std::span<const float> map,
                                 double offset, std::span<const std::uint8_t> at, Job& job);

/// The points whose values of the map along_normals() reads for the points `at`: 1, else 0.
std::vector<std::uint8_t> read_along_normals(const Grid& grid, std::span<const float> field, double offset,
                                             std::span<const std::uint8_t> at, Job& job);

/// The corners of the grid's cells that the level set at `level` cuts: 1, else 0. Colours that are interpolated on that
/// surface are of these points. A corner at the level is outside.
std::vector<std::uint8_t> corners_at_level(const Grid& grid, std::span<const float> field, float level, Job& job);

}  // namespace isolume
