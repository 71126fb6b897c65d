// The bodies of Debye-Hückel sums, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include <span>

#include "compute/base/span.h"
#include "compute/electrostatics/debye_hueckel/debye_hueckel.h"

namespace isolume {

/// Potentials on several grids at once, one after the other in `potential`.
void debye_hueckel_cpu(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                       const DebyeHueckelOptions& options, Span<float> potential, Job& job);
void debye_hueckel_cuda(std::span<const ChargedSphere> spheres, std::span<const Grid> grids,
                        const DebyeHueckelOptions& options, Span<float> potential, Job& job);

}  // namespace isolume
