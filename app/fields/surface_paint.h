// Surfaces coloured by their own curvature.
#pragma once

#include <span>
#include <vector>

#include "app/fields/device_volume.h"

namespace isolume {

/// True where a field's surface is coloured by its mean curvature.
bool painted_by_curvature(const Field& field);

/// Fills volume.scalars and volume.legend from volume.values: the mean curvature of the level set through every grid
/// point, half the divergence of the unit normal (1/angstrom, positive where it bulges out), by central differences.
void paint_by_curvature(const FieldRequest& request, DeviceVolume& volume, Job& job);

/// The mean curvature of the level sets of a field that grows inwards, at every grid point; 0 at the border. For an
/// axis-aligned grid.
std::vector<float> level_set_curvature(const Grid& grid, std::span<const float> values, Job& job);

/// A map on the grid of a field that grows inwards, taken `offset` angstrom along the outward normal of the level set
/// through every grid point, by trilinear interpolation; beyond the grid the value at its border.
std::vector<float> along_normals(const Grid& grid, std::span<const float> field, std::span<const float> map,
                                 double offset, Job& job);

}  // namespace isolume
