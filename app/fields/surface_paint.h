// Surfaces coloured by their own curvature, or by the values of a volume that is loaded.
#pragma once

#include <memory>
#include <string>

#include "app/fields/device_volume.h"

namespace isolume {

class FieldPlace;

/// True where a field's surface is coloured by its mean curvature.
bool painted_by_curvature(const Field& field);

/// Fills volume.scalars and volume.legend from volume.values: the mean curvature of the level set through every grid
/// point, half the divergence of the unit normal (1/angstrom, positive where it bulges out), by central differences.
void paint_by_curvature(const Field& field, DeviceVolume& volume, Job& job);

/// True for a surface that is coloured by a volume's values.
bool painted_by_map(const Field& field);

/// The volume that colours a field's surface, of `molecule` (that of Field::map_molecule; null where the scene has no
/// such molecule). Throws Error (usage) where there is none, naming what there is.
std::shared_ptr<const Volume> map_of(const Field& field, const Molecule* molecule);
/// Its title: its name, else that of its file.
std::string map_title(const Volume& map, const Molecule& molecule);

/// A map at the points of a grid, interpolated; NaN where it has no value, and of a standard error (a map with this
/// name, of `--error-out`) where it is -1.
std::vector<float> map_at(const Volume& map, const Grid& grid, Job& job);
/// The same as the scalars of a field's values.
void fill_scalars(const Volume& map, DeviceVolume& volume, Job& job);

/// Fills the scalars and the legend of a field's values: the map at the points of the grid less what the field takes
/// off, as paint_by_potential() shows a potential, in the map's own unit; the legend of a map that is nowhere negative
/// begins at 0. Where the map has no value the surface is white, and the legend says so. Throws Error (usage) where the
/// surface is outside of the map.
void paint_by_map(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place);

}  // namespace isolume
