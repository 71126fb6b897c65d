// A tile of a density map on the CPU: 16 x 16 x 16 points, to which Gaussians are added as products of three tables.
#pragma once

#include <glm/glm.hpp>

#include "compute/density_maps/density_map.h"

namespace isolume {

constexpr int map_tile_side = 16;

/// The values of a tile, x fastest; belongs to one thread.
struct DensityMapTile {
  alignas(64) float values[map_tile_side][map_tile_side][map_tile_side];  ///< [z][y][x]
  glm::ivec3 counts{0};                                                   ///< points that the grid has of them
  float step[3] = {};                                                     ///< angstrom, of either sign

  void clear();
  /// Adds a Gaussian whose position is relative to the tile's first point.
  void add(const MapAtom& atom);
  /// Adds the sums of a row: `map` has counts.x values. Points count by the thresholds.
  void sum_row(int y, int z, const float* map, const MapComparison& comparison, ComparedSums& sums) const;
};

}  // namespace isolume
