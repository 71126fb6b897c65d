// The bodies of the direct sum, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include <span>

#include "compute/electrostatics/direct/direct.h"

namespace isolume {

void direct_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);
void direct_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);

}  // namespace isolume
