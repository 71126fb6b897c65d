// The boxes of a Poisson-Boltzmann computation, each with shorter steps than the one about it.
#pragma once

#include <span>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"

namespace isolume {

/// From the widest to that of the grid.
std::vector<PbBox> pb_boxes(std::span<const ChargedSphere> atoms, const Grid& grid,
                            const PoissonBoltzmannOptions& options);

}  // namespace isolume
