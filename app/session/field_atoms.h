// The atoms of a field: those selected, their colours and charges, and their images in a periodic system.
#pragma once

#include "app/session/device_volume.h"
#include "molecule/cell.h"

namespace isolume {

/// The cell of the request's frame; no cell where it has none.
Cell cell_of(const FieldRequest& request);

/// surface_atoms(), and where the field is periodic the images of them that count: those within reach_factor * radius +
/// reach_more (angstrom) of one period (compute/density/periodic_images.h). Throws Error (usage) where there is no
/// cell.
std::vector<DensityAtom> atoms_and_images(const FieldRequest& request, double reach_factor, double reach_more);

}  // namespace isolume
