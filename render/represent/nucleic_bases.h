// Nucleic acids in a cartoon: the backbone as a tube, bases as slabs.
#pragma once

#include "render/represent/backbone.h"
#include "render/represent/ribbon.h"

namespace isolume {

/// Adds the tube and the bases to `ribbon`, and what joins them to `rods`.
void add_nucleic_acid(RibbonMesh& ribbon, Cylinders& rods, const StyleInput& input, const Backbone& backbone);

/// Adds a round tube of `radius` along a run, coloured by residue.
void add_tube(RibbonMesh& ribbon, const StyleInput& input, const Backbone& backbone, float radius);

}  // namespace isolume
