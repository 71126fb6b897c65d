// The far charges of the fast direct sum on the CPU.
#pragma once

#include "compute/base/job.h"
#include "compute/electrostatics/direct/direct_tile_cpu.h"
#include "compute/electrostatics/direct/fast_direct_plan.h"

namespace isolume {

/// Sums of the far charges of a tile at its nodes, added to values.
void sum_far(const FastDirectPlan& plan, const FastTile& tile, const FrameCharges& charges, const RowFrame& frame,
             int p, double* values, const Job& job);

}  // namespace isolume
