// Poisson-Boltzmann where the potential is needed at some of a grid's nodes, as about a surface.
#pragma once

#include <cstdint>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

/// poisson_boltzmann() for the values at some nodes: those with a 1 in `wanted` (grid.size() values, host memory;
/// empty: all) and all in the solvent are those of poisson_boltzmann(). The CPU leaves out Coulomb's potential at the
/// other nodes, in the solute: they have the reaction potential alone. All else in the result is the same. Throws Error
/// as poisson_boltzmann() does, and Error (usage) where `wanted` has another size.
PoissonBoltzmannResult poisson_boltzmann_at_nodes(std::span<const ChargedSphere> atoms, const Grid& grid,
                                                  const PoissonBoltzmannOptions& options,
                                                  std::span<const std::uint8_t> wanted, Span<float> potential, Job& job,
                                                  PoissonBoltzmannStart* start = nullptr);

}  // namespace isolume
