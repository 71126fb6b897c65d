// Fields that show a difference: what is taken off their values, or off what colours their surface.
#pragma once

#include <string>

#include "app/fields/device_volume.h"

namespace isolume {

class FieldPlace;

/// True where the values of the field itself are a difference; where shows_difference() is true and this is not, what
/// colours its surface is.
bool values_differ(const Field& field);

/// Loads the molecule of what is taken off where that is still to be done, and reads the atoms of its frame. With
/// `place` what its last frame left is used. Throws Error (usage), among others where there is no such frame or map.
void prepare_difference(FieldRequest& request, FieldPlace* place);

/// The grid of a prepared request for a potential whose own grid is `own`: of a potential less a map that of the map; a
/// periodic one stays; else it is larger by as many steps as the charges that are taken off need.
Grid grid_of_difference(const FieldRequest& request, const Grid& own);

/// Takes off the values of a potential or a volume, in its unit (a potential's in volts), and says so in its name and
/// its legend. The values of a map are those of its points; where these are not the field's it is interpolated if the
/// field says so. A potential is kept in `place` and taken off again while its charges, cell, settings and grid stay.
/// Throws Error (usage) where it does not, where the units have no difference, and for copies of a map.
void take_off_values(const FieldRequest& request, DeviceVolume& volume, FieldPlace& place, Job& job);

/// Takes off the scalars that colour a surface, which are in volts or in the unit of the legend's map, and says so in
/// the legend. A map is interpolated between its points, as all maps that colour surfaces are.
void take_off_colours(const FieldRequest& request, DeviceVolume& volume, FieldPlace& place, Job& job);

}  // namespace isolume
