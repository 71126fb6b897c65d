// The bodies of the cutoff sum, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include "compute/base/span.h"
#include "compute/electrostatics/pairs/cutoff.h"

namespace isolume {

void cutoff_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                          Span<float> potential, Job& job);
void cutoff_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, const CutoffOptions& options,
                           Span<float> potential, Job& job);

}  // namespace isolume
