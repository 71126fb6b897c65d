// Fields of the density on fine grids: computed on every second or fourth point, interpolated where that is exact
// enough, and computed point by point elsewhere. Only the dispatcher and the bodies include this.
#pragma once

#include <span>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/fine_grids/density_refinement_math.h"
#include "molecule/grid.h"

namespace isolume {

/// How often the points of a grid may be halved along each axis: 0 where its points are so far apart, or so few, that
/// each is computed.
int refinement_levels(const Grid& grid);

/// Every second point of a grid, and one beyond its end.
Grid coarser(const Grid& grid);

/// Parts of a grid along z that are done one after another, such that their memory stays small.
int refinement_slabs(const Grid& grid, std::size_t slab_points = fine_slab_points);

/// The planes of slab `index` of `count`, from `first` on.
Grid slab_of(const Grid& grid, int index, int count, int& first);

refinement::Weights refinement_weights();

/// What differences of sums are compared with: the largest density at nuclei, at most 1.
double refinement_scale(const SpinEvaluator& evaluator);

/// Bytes of the coarser grids' sums.
std::size_t refinement_memory(const Grid& grid, std::size_t sets, DensityOrder order);

/// A field on a slab on the CPU, of a grid with `levels` > 0. Returns how many points were computed.
std::size_t refine_on_cpu(const SpinEvaluator& evaluator, const DensityMeasureInfo& measure, const Grid& grid,
                          int levels, double scale, float* values, Job& job);

/// The sums of one set at the points of a tile, and what they are compared with in the middle of its cells. Numbers of
/// a point are `room` apart, x runs fastest.
struct RefinedTile {
  static constexpr int points = refinement::side * refinement::side * refinement::side;
  static constexpr int middles = refinement::cells * refinement::cells * refinement::cells;
  alignas(64) double values[points * 12];
  alignas(64) double fewer[middles * 12];
};

/// Numbers of a point in memory on the CPU: a multiple of 4.
constexpr int refinement_room(int numbers) {
  return (numbers + 3) / 4 * 4;
}

/// Interpolates one set in a tile from a coarse grid's sums with SIMD.
void interpolate_tile(const refinement::Weights& weights, glm::ivec3 coarse, const double* sums, int room,
                      glm::ivec3 tile, RefinedTile& to);

}  // namespace isolume
