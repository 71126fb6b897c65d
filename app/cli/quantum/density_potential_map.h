// The potential of a density on a grid, as `isolume compute density --kind potential` makes it.
#pragma once

#include "app/cli/quantum/density_field.h"
#include "compute/electron_density/density_potential.h"

namespace isolume::cli {

/// The map of `factor` times the potential, or the length of the field. Its method, device, times, memory and error are
/// in the report. Throws Error (failed) where --method mesh misses the tolerance.
Volume density_potential_map(Run& run, const DensityField& field, const DensityPotential& potential, double factor,
                             const Molecule& molecule, const Grid& grid, std::size_t frame);

}  // namespace isolume::cli
