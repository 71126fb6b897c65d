// How the direct sum on CUDA divides its points and charges among blocks, and what that takes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <glm/glm.hpp>

#include "compute/base/memory.h"

namespace isolume {

/// Tiles of lanes x rows_y x rows_z threads, each with neighbouring points of a row; slabs of tiles; the charges of a
/// launch in `parts`.
struct DirectShape {
  static constexpr int threads = 128;
  static constexpr int points_per_thread = 16;  ///< along x: four instructions an evaluation, of which one is the root
  static constexpr int tile_points = threads * points_per_thread;
  static constexpr double first_launch = 2e10;  ///< evaluations, and the least
  static constexpr int stage = 256;             ///< charges in shared memory at a time

  int lanes = 1, rows_y = 1, rows_z = 1;
  unsigned tiles_x = 1, tiles_y = 1;
  std::size_t tiles = 0, slab = 0, parts = 1;
  bool keeps = false;  ///< sums of the parts are kept in memory

  DirectShape(glm::ivec3 n, std::size_t charges) {
    // As many lanes along x as the rows are long; the rest of the block takes rows of y and z.
    while (lanes < 8 && lanes * points_per_thread < n.x) lanes *= 2;
    const int rows = threads / lanes;
    while (rows_y * rows_y < rows && rows_y < n.y) rows_y *= 2;
    rows_z = rows / rows_y;
    const auto divide = [](int a, int b) { return static_cast<unsigned>((a + b - 1) / b); };
    tiles_x = divide(n.x, lanes * points_per_thread);
    tiles_y = divide(n.y, rows_y);
    tiles = std::size_t{tiles_x} * tiles_y * divide(n.z, rows_z);
    if (tiles == 0) return;
    // Equal slabs: a short last one would keep less of the device busy.
    constexpr std::size_t most_tiles = 2048;
    const std::size_t slabs = (tiles + most_tiles - 1) / most_tiles;
    slab = (tiles + slabs - 1) / slabs;
    // Blocks enough to keep a large device busy, and evenly so to its end.
    constexpr std::size_t wanted_blocks = 12288;
    const std::size_t most = std::max<std::size_t>(1, charges / (4 * stage));
    const std::size_t budget = memory_limit() ? memory_limit() / 4 : std::size_t{1} << 30;
    parts = std::clamp<std::size_t>(wanted_blocks / slab, 1, most);
    parts = std::clamp<std::size_t>(budget / (slab * tile_points * sizeof(double)), 1, parts);
    keeps = parts > 1 || chunk(first_launch) < charges;
  }

  /// Charges of a launch of so many evaluations.
  std::size_t chunk(double evaluations) const {
    return std::max(static_cast<std::size_t>(evaluations / (static_cast<double>(slab) * tile_points)),
                    std::size_t{stage});
  }
  std::size_t totals() const { return keeps ? parts * slab * tile_points : 0; }
};

}  // namespace isolume
