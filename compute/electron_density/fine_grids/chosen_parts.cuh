// The end of both refinement kernels on CUDA: which parts of a tile have to be computed, and where its values go.
#pragma once

#include <cstddef>

#include "compute/electron_density/fine_grids/refinement_step_cuda.h"

namespace isolume {
namespace refinement {

__device__ __forceinline__ std::size_t place(const int (&counts)[3], int x, int y, int z) {
  return static_cast<std::size_t>(x) +
         static_cast<std::size_t>(counts[0]) *
             (static_cast<std::size_t>(y) + static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(z));
}

/// Stores a tile and lists its parts that have to be computed. A thread has the points (x, y, z) and (x, y, z + 1) of
/// the tile, z even: `agrees(k)` says of each whether it may stay interpolated, `store(k, to)` puts it to its place.
/// `failed` is in shared memory, and 0 for all threads.
template <class Agrees, class Store>
__device__ __forceinline__ void finish_tile(const Step& step, const int (&tile)[3], int x, int y, int z,
                                            unsigned& failed, const Agrees& agrees, const Store& store) {
  const int at[3] = {tile[0] * side + x, tile[1] * side + y, tile[2] * side + z};
  const bool inside = at[0] < step.fine[0] && at[1] < step.fine[1];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    if (inside && at[2] + k < step.fine[2] && !agrees(k))
      atomicOr(&failed, 1u << (x / part + 2 * (y / part) + 4 * (z / part)));
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    if (inside && at[2] + k < step.fine[2]) store(k, place(step.fine, at[0], at[1], at[2] + k));
  }
  __syncthreads();
  const int t = static_cast<int>(threadIdx.x);
  if (t < 8 && (failed >> t & 1u) != 0) {
    const unsigned of_grid[3] = {static_cast<unsigned>(2 * tile[0] + t % 2),
                                 static_cast<unsigned>(2 * tile[1] + t / 2 % 2),
                                 static_cast<unsigned>(2 * tile[2] + t / 4)};
    step.chosen[atomicAdd(step.count, 1u)] = of_grid[0] + step.parts_x * (of_grid[1] + step.parts_y * of_grid[2]);
    unsigned points = 1;
    for (int axis = 0; axis < 3; ++axis)
      points *= min(static_cast<unsigned>(part), static_cast<unsigned>(step.fine[axis]) - part * of_grid[axis]);
    atomicAdd(step.count + 1, points);
  }
}

}  // namespace refinement
}  // namespace isolume
