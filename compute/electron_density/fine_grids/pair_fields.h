// Fields of the density on fine grids along x, y and z from Gaussians of pairs of functions, each summed on a grid as
// coarse as its width allows. On the CPU.
#pragma once

#include <cstddef>

#include "compute/base/job.h"
#include "compute/electron_density/density_measures.h"
#include "molecule/grid.h"

namespace isolume {

/// Whether a field is made so on a grid with refinement_levels() > 0. The reduced gradient is not: where there is next
/// to no density, it needs that to more digits than sums of pairs have.
bool has_pair_fields(const DensityMeasureInfo& measure, const Grid& grid);

/// Bytes of the Gaussians and of the coarser grids.
std::size_t pair_fields_memory(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                               int slabs);

/// A field on a grid, in slabs along z. Returns at how many points, of all grids, Gaussians were summed.
std::size_t pair_fields_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                               int slabs, float* values, Job& job);

}  // namespace isolume
