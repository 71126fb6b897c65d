// Surfaces coloured by the electrostatic potential.
#pragma once

#include <span>
#include <vector>

#include "app/fields/device_volume.h"
#include "compute/analysis/surface_samples.h"

namespace isolume {

class FieldPlace;

/// True for a surface that is coloured by the potential.
bool painted_by_potential(const Field& field);

/// Fills the scalars (volts, in `place`'s memory) and the legend of a field's values: the potential of the atoms'
/// charges on the same grid, as Field::potential says, at Field::paint_offset from the surface, red where it is
/// negative, white at zero, blue where positive; range as fit_colours() says. The legend's error is that of the colours
/// at vertices of the surface, against the exact potential there. Throws Error (usage) where the file has no charges.
/// `making`: a stream in which the field's values are still made, which is waited for before they are read.
void paint_by_potential(const Field& field, const FieldAtoms& atoms, DeviceVolume& volume, Job& job, FieldPlace& place,
                        Stream* making = nullptr);

/// Of a volume whose scalars are there: takes them at Field::paint_offset along the normals, and sets the scalar at
/// the last colour: the field's range, or where that is 0 the 95th percentile of their magnitude at the surface as a
/// round number. Returns it in the unit shown, `factor` of the scalars' own.
double fit_colours(const Field& field, DeviceVolume& volume, double factor, Job& job);

/// Vertices of the field's surfaces at random, with the scalars that colour them there.
SurfaceSamples sampled_surface(const Field& field, DeviceVolume& volume, std::size_t points);

}  // namespace isolume
