// Helices as straight cylinders.
#pragma once

#include "render/represent/curve.h"
#include "render/represent/style_input.h"

namespace isolume {

/// Adds a cylinder along every helix of a run, a piece for each residue in its colour. The run's residues are then
/// moved onto the axis and called coil, so that the tube of the neighbours ends in the middle of the cylinder's faces.
/// Helices whose residues stray more than 4.5 angstrom from a straight axis are cut where they bend most.
void add_helix_cylinders(Cylinders& columns, const StyleInput& input, Backbone& backbone, std::vector<Shape>& shapes);

}  // namespace isolume
