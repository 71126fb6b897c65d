// Which bricks of a tile of the Gaussian density lie at a surface: those where an edge that crosses it ends.
#include "compute/density/density_tile.h"

namespace isolume {

namespace {

/// The bricks of a row of points, one bit each, from a bit for each point.
std::uint64_t bricks_of(unsigned points, int y, int z) {
  unsigned bricks = points | points >> 1;
  bricks = (bricks | bricks >> 2) & 0x1111u;
  bricks = (bricks | bricks >> 3) & 0x0303u;
  bricks = (bricks | bricks >> 6) & 0x000fu;
  return std::uint64_t{bricks} << (4 * (y / density_brick_side) + 16 * (z / density_brick_side));
}

}  // namespace

std::uint64_t bricks_at_surface(const DensityTileInside& tile, glm::ivec3 counts) {
  std::uint64_t bricks = 0;
  const unsigned with_next = (1u << (counts.x - 1)) - 1u;
  for (int z = 0; z < counts.z; ++z) {
    for (int y = 0; y < counts.y; ++y) {
      const unsigned here = tile.inside[z][y];
      const unsigned x = (here ^ here >> 1) & with_next;
      if (x != 0) bricks |= bricks_of(x | x << 1, y, z);
      const unsigned across_y = y + 1 < counts.y ? here ^ tile.inside[z][y + 1] : 0u;
      if (across_y != 0) bricks |= bricks_of(across_y, y, z) | bricks_of(across_y, y + 1, z);
      const unsigned across_z = z + 1 < counts.z ? here ^ tile.inside[z + 1][y] : 0u;
      if (across_z != 0) bricks |= bricks_of(across_z, y, z) | bricks_of(across_z, y, z + 1);
    }
  }
  return bricks;
}

BrickPair bricks_at_face(const DensityTileInside& tile, const DensityTileInside& next, glm::ivec3 next_counts,
                         int axis) {
  constexpr int last = density_tile_side - 1;
  BrickPair pair;
  // The two tiles are as wide as each other across the axis.
  const int rows = axis == 1 ? 1 : next_counts.y;
  const int layers = axis == 2 ? 1 : next_counts.z;
  for (int z = 0; z < layers; ++z) {
    for (int y = 0; y < rows; ++y) {
      if (axis == 0) {
        const unsigned crossed = (static_cast<unsigned>(tile.inside[z][y]) >> last ^ next.inside[z][y]) & 1u;
        if (crossed == 0) continue;
        pair.last |= bricks_of(crossed << last, y, z);
        pair.first |= bricks_of(crossed, y, z);
      } else {
        const int own_y = axis == 1 ? last : y;
        const int own_z = axis == 2 ? last : z;
        const unsigned crossed = static_cast<unsigned>(tile.inside[own_z][own_y] ^ next.inside[z][y]);
        pair.last |= bricks_of(crossed, own_y, own_z);
        pair.first |= bricks_of(crossed, y, z);
      }
    }
  }
  return pair;
}

}  // namespace isolume
