// Checks of a Poisson-Boltzmann problem before and after its surface is known.
#pragma once

#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

namespace isolume {

/// Throws Error (usage) for options, atoms and grids that make no sense.
void pb_check(std::span<const ChargedSphere> atoms, const Grid& grid, const PoissonBoltzmannOptions& options,
              Span<float> potential);
/// The same where charged atoms overlap.
void pb_check_overlap(std::span<const ChargedSphere> atoms);
/// Throws Error (usage) where the finest grid is too coarse for the solute, a charge is in the solvent, or the grid
/// without a larger one around it cuts the solute.
void pb_check_stage(std::span<const ChargedSphere> atoms, const PbStage& stage, const PoissonBoltzmannOptions& options);

}  // namespace isolume
