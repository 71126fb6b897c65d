// The bodies of the fast direct sum, one per kind of device.
#pragma once

#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// `p` Chebyshev nodes per axis: 4, 6, 8 or 10.
void fast_direct_cpu(std::span<const PointCharge> charges, const Grid& grid, int p, Span<float> potential, Job& job);
void fast_direct_cuda(std::span<const PointCharge> charges, const Grid& grid, int p, Span<float> potential, Job& job);

}  // namespace isolume
