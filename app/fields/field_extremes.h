// The extremes of the values that colour a surface, in the picture.
#pragma once

#include <vector>

#include "app/fields/device_volume.h"
#include "compute/isosurface/marching_cubes.h"

namespace isolume {

/// True where a field labels the extremes of what colours its surfaces.
bool labels_extremes(const Field& field);

/// Adds a ball and a label ("-46.0") at each extreme of the scalars of `volume` on its surfaces: vertices beyond all
/// others within 1 angstrom of the surface (compute/analysis/surface_values.h), the 12 largest maxima and 12 least
/// minima. The result's summary names areas by sign, means and the two extremes. Nothing where the values come in
/// slabs.
void add_extremes(const Field& field, const std::vector<MarchingCubesOptions>& surfaces, const DeviceVolume& volume,
                  FieldResult& result, Job& job);

}  // namespace isolume
