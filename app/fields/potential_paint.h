// Surfaces coloured by the electrostatic potential.
#pragma once

#include <span>
#include <vector>

#include "app/fields/device_volume.h"
#include "app/fields/potential_field.h"
#include "compute/analysis/surface_samples.h"

namespace isolume {

class FieldPlace;

/// True for a surface that is coloured by the potential.
bool painted_by_potential(const Field& field);

/// The potential that colours a surface.
struct PotentialColours {
  PotentialPlan plan;
  MapError error;
  bool at_surface = false;  ///< the error is that at vertices of the surface, else over the grid
};

/// Fills the scalars (volts, in `place`'s memory) of a field's values: the potential of the atoms' charges on the same
/// grid, as Field::potential says, at Field::paint_offset from the surface. Throws Error (usage) where the file has no
/// charges. `making`: a stream in which the field's values are still made, which is waited for before they are read.
PotentialColours colours_of_potential(const Field& field, const FieldAtoms& atoms, DeviceVolume& volume, Job& job,
                                      FieldPlace& place, Stream* making = nullptr);

/// Fills the scalars of a field's values, as colours_of_potential() does, less what the field takes off, and the
/// legend: red where they are negative, white at zero, blue where positive; range as fit_colours() says. The legend's
/// error is that of the colours at vertices of the surface, against the exact potential there.
void paint_by_potential(const FieldRequest& request, DeviceVolume& volume, Job& job, FieldPlace& place,
                        Stream* making = nullptr);

/// Takes the scalars of a volume at Field::paint_offset along the normals of its surfaces; nothing where that is 0.
void move_outwards(const Field& field, DeviceVolume& volume, Job& job);

/// Of a volume whose scalars are there: sets the scalar at the last colour: the field's range, or where that is 0 the
/// 95th percentile of their magnitude at the surface as a round number. Returns it in the unit shown, `factor` of the
/// scalars' own.
double fit_colours(const Field& field, DeviceVolume& volume, double factor, Job& job);

/// Vertices of the field's surfaces at random, with the scalars that colour them there.
SurfaceSamples sampled_surface(const Field& field, DeviceVolume& volume, std::size_t points);

}  // namespace isolume
