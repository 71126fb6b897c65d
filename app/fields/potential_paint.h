// Surfaces coloured by the electrostatic potential.
#pragma once

#include <span>

#include "app/fields/device_volume.h"

namespace isolume {

class FieldPlace;

/// True for a surface that is coloured by the potential.
bool painted_by_potential(const Field& field);

/// Fills the scalars (volts, in `place`'s memory) and the legend of a field's values: the potential of the request's
/// charges on the same grid, as Field::potential says, at Field::paint_offset from the surface, red where it is
/// negative, white at zero, blue where positive. The range is the field's, or where that is 0 the 95th percentile of
/// |V| about the surface, as a round number of its unit. Throws Error (usage) where the file has no charges.
/// `making`: a stream in which the field's values are still made, which is waited for before they are read.
void paint_by_potential(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place,
                        Stream* making = nullptr);

/// The colour of `t` from -1 (red) over 0 (white) to 1 (blue); beyond, that of the end. Parts from 0 to 1.
glm::vec3 red_white_blue(float t);

/// 1, 2, 3 or 5 times a power of ten, next to `value` by ratio; 1 where value is not above 0.
double round_number(double value);

}  // namespace isolume
