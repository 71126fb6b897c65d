// Poisson-Boltzmann with both of its solutions kept.
#pragma once

#include <cstdint>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

/// poisson_boltzmann(). `coarse`, where it is not null and options.estimate_error, gets the solution with steps twice
/// as long. `wanted`: as poisson_boltzmann_at_nodes() has it.
PoissonBoltzmannResult pb_solve_boxes(std::span<const ChargedSphere> atoms, const Grid& grid,
                                      const PoissonBoltzmannOptions& options, Span<float> potential, Job& job,
                                      PoissonBoltzmannStart* start, PoissonBoltzmannStart* coarse,
                                      std::span<const std::uint8_t> wanted = {});

}  // namespace isolume
