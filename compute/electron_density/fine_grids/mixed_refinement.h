// Fields of the density alone, of its gradient and its Hessian, on fine grids along x, y and z: interpolated from
// values, slopes and mixed derivatives at every second or fourth point. On the CPU.
#pragma once

#include "compute/base/job.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/mixed_refinement_math.h"
#include "molecule/grid.h"

namespace isolume {

/// Whether a field is made of what mixed derivatives give, on a grid whose axes are those of space.
bool has_mixed_refinement(const DensityMeasureInfo& measure, const Grid& grid);

mixed::Weights mixed_weights();

/// Bytes of the coarser grids' numbers.
std::size_t mixed_refinement_memory(const Grid& grid, std::size_t sets);

/// A field on a slab with refinement_levels() > 0. `scale` is refinement_scale(). Returns how many points were
/// computed.
std::size_t mixed_refine_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                                int levels, double scale, float* values, Job& job);

/// The numbers of one set at the points of a tile, and the differences from fewer points in the middle of its cells.
struct MixedTile {
  static constexpr int points = mixed::side * mixed::side * mixed::side;
  alignas(64) double values[10][points];                                  ///< x fastest
  alignas(64) double fewer[10][mixed::cells][mixed::cells][mixed::side];  ///< z, y, then x, of which there are 4
};

/// Interpolates a tile from the numbers of a coarse grid's points (8 each, x fastest) with SIMD.
void interpolate_mixed_tile(const mixed::Axis (&axes)[3], glm::ivec3 coarse, const double* sums, MixedOutput output,
                            MixedTile& to);

}  // namespace isolume
