// Tiles: bricks of grid points, and lists of which items touch which tile.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"

namespace isolume {

/// A grid of `points` cut into bricks of `side` points; the last ones may be smaller.
struct Tiling {
  glm::ivec3 points{0};
  glm::ivec3 side{1};

  glm::ivec3 counts() const { return (points + side - 1) / side; }
  std::size_t size() const {
    const glm::ivec3 n = counts();
    return static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y) * static_cast<std::size_t>(n.z);
  }
  glm::ivec3 tile(std::size_t index) const {
    const glm::ivec3 n = counts();
    const std::size_t rest = index / static_cast<std::size_t>(n.x);
    return {static_cast<int>(index % static_cast<std::size_t>(n.x)),
            static_cast<int>(rest % static_cast<std::size_t>(n.y)),
            static_cast<int>(rest / static_cast<std::size_t>(n.y))};
  }
  std::size_t index(glm::ivec3 tile) const {
    const glm::ivec3 n = counts();
    return static_cast<std::size_t>(tile.x) +
           static_cast<std::size_t>(n.x) *
               (static_cast<std::size_t>(tile.y) + static_cast<std::size_t>(n.y) * static_cast<std::size_t>(tile.z));
  }
};

/// A box of tiles, both ends included; empty where upper < lower on any axis.
struct TileRange {
  glm::ivec3 lower{0};
  glm::ivec3 upper{-1};
};

/// Items of every tile in compressed rows, in ascending order whatever the number of threads.
struct TileLists {
  std::vector<std::size_t> offsets;  ///< tiles + 1
  std::vector<std::uint32_t> items;
  std::vector<std::size_t> places;  ///< room of the sort

  std::span<const std::uint32_t> of(std::size_t tile) const {
    return std::span(items).subspan(offsets[tile], offsets[tile + 1] - offsets[tile]);
  }
};

/// Lists, for every tile, the items whose range holds it, in the memory that `lists` has. Throws Error where the lists
/// do not fit into memory.
void tile_lists(const Tiling& tiling, std::span<const TileRange> ranges, Job& job, TileLists& lists);

}  // namespace isolume
