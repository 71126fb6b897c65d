// Volumes layer by layer, where they do not fit into memory at once.
#pragma once

#include <memory>
#include <span>

#include "compute/isosurface/slab_surface.h"
#include "molecule/molecule.h"

namespace isolume {

/// Layers of a volume of a file, copied to the device; keeps the molecule that has it.
LayerSource layers_of_volume(std::shared_ptr<const Molecule> molecule, const Volume& volume);

/// Layers of a Gaussian density; atoms and workspace stay on the device between them.
LayerSource layers_of_density(std::span<const DensityAtom> atoms, const Grid& grid,
                              const GaussianDensityOptions& options, Device device);

}  // namespace isolume
