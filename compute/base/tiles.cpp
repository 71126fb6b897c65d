// Tiles: a counting sort of items into the tiles that they touch, in parallel and in a fixed order.
#include "compute/base/tiles.h"

#include <algorithm>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"

namespace isolume {

namespace {

template <class Visit>
void for_each_tile(const Tiling& tiling, const TileRange& range, const Visit& visit) {
  for (int z = range.lower.z; z <= range.upper.z; ++z) {
    for (int y = range.lower.y; y <= range.upper.y; ++y) {
      if (range.upper.x < range.lower.x) continue;
      const std::size_t row = tiling.index({0, y, z});
      for (int x = range.lower.x; x <= range.upper.x; ++x) visit(row + static_cast<std::size_t>(x));
    }
  }
}

}  // namespace

void tile_lists(const Tiling& tiling, std::span<const TileRange> ranges, Job& job, TileLists& lists) {
  // Each chunk of items counts for itself; positions follow from (tile, chunk), so the order is that of the items.
  const std::size_t tiles = tiling.size();
  // Where tiles are few, an item is in many of them, and chunks of few items pay.
  constexpr std::size_t few = std::size_t{1} << 16;
  const std::size_t small_chunks = std::min(ranges.size() / 512, few / std::max<std::size_t>(1, tiles));
  const std::size_t chunks = std::clamp<std::size_t>(std::max(ranges.size() / 8192, small_chunks), 1, 16);
  const auto chunk_begin = [&](std::size_t chunk) { return ranges.size() * chunk / chunks; };
  if (lists.places.capacity() < tiles * chunks || lists.offsets.capacity() <= tiles) {
    require_memory(tiles * (chunks + 1) * sizeof(std::size_t), Device::cpu(), "lists of tiles");
  }
  std::vector<std::size_t>& positions = lists.places;
  positions.assign(tiles * chunks, 0);
  parallel_for(chunks, job, "sorting", [&](std::size_t chunk) {
    std::size_t* counts = positions.data() + chunk * tiles;
    const TileRange* end = ranges.data() + chunk_begin(chunk + 1);
    for (const TileRange* range = ranges.data() + chunk_begin(chunk); range < end; ++range) {
      for_each_tile(tiling, *range, [&](std::size_t tile) { ++counts[tile]; });
    }
  });
  lists.offsets.resize(tiles + 1);
  std::size_t total = 0;
  for (std::size_t tile = 0; tile < tiles; ++tile) {
    lists.offsets[tile] = total;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const std::size_t count = positions[chunk * tiles + tile];
      positions[chunk * tiles + tile] = total;
      total += count;
    }
  }
  lists.offsets[tiles] = total;
  if (lists.items.capacity() < total) {
    // An eighth more, so that what changes a little from frame to frame allocates nothing.
    const std::size_t room = total + total / 8;
    require_memory(room * sizeof(std::uint32_t), Device::cpu(), "lists of tiles");
    lists.items.reserve(room);
  }
  lists.items.resize(total);
  parallel_for(chunks, job, "sorting", [&](std::size_t chunk) {
    std::size_t* places = positions.data() + chunk * tiles;
    std::uint32_t* items = lists.items.data();
    const std::size_t end = chunk_begin(chunk + 1);
    for (std::size_t i = chunk_begin(chunk); i < end; ++i) {
      for_each_tile(tiling, ranges.data()[i],
                    [&](std::size_t tile) { items[places[tile]++] = static_cast<std::uint32_t>(i); });
    }
  });
}

}  // namespace isolume
