// Density maps on the CPU: atoms are listed for the tiles that their boxes touch, and all threads make tiles.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/base/timing.h"
#include "compute/density_maps/density_map_body.h"
#include "compute/density_maps/density_map_tile.h"

namespace isolume {
namespace {

/// The tiles that the box of an atom may touch.
TileRange tiles_of(const MapAtom& atom, const Grid& grid) {
  TileRange range;
  for (int axis = 0; axis < 3; ++axis) {
    const double step = grid.step[axis][axis];
    const double at = (static_cast<double>(atom.position[axis]) - grid.origin[axis]) / step;
    const double reach = static_cast<double>(map_box_sigmas) * static_cast<double>(atom.sigma) / std::abs(step) + 0.01;
    const double last = grid.counts[axis] - 1;
    if (at - reach > last || at + reach < 0) return {};
    range.lower[axis] = static_cast<int>(std::max(at - reach, 0.0)) / map_tile_side;
    range.upper[axis] = static_cast<int>(std::min(at + reach, last)) / map_tile_side;
  }
  return range;
}

}  // namespace

ComparedSums density_map_cpu(const DensityMapTask& task, Job& job) {
  const Grid& grid = task.grid;
  const Tiling tiling{grid.counts, glm::ivec3(map_tile_side)};
  TileLists lists;
  {
    const PhaseTimer timer("density map: sorting atoms");
    std::vector<TileRange> ranges(task.atoms.size());
    constexpr std::size_t block = 16384;
    parallel_for((ranges.size() + block - 1) / block, job, "density map: sorting atoms", [&](std::size_t b) {
      const std::size_t end = std::min(ranges.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) ranges[i] = tiles_of(task.atoms[i], grid);
    });
    tile_lists(tiling, ranges, job, lists);
  }
  const PhaseTimer timer("density map: tiles");
  std::vector<ComparedSums> sums(task.comparison ? tiling.size() : 0);
  parallel_for(tiling.size(), job, "density map", [&](std::size_t t) {
    static thread_local std::unique_ptr<DensityMapTile> room;
    if (!room) room = std::make_unique<DensityMapTile>();
    DensityMapTile& tile = *room;
    const glm::ivec3 first = tiling.tile(t) * map_tile_side;
    const glm::dvec3 corner = grid.point(first.x, first.y, first.z);
    tile.counts = glm::min(glm::ivec3(map_tile_side), grid.counts - first);
    for (int axis = 0; axis < 3; ++axis) tile.step[axis] = static_cast<float>(grid.step[axis][axis]);
    tile.clear();
    const std::span<const std::uint32_t> list = lists.of(t);
    constexpr std::size_t ahead = 16;
    for (std::size_t n = 0; n < list.size(); ++n) {
      if (n % 65536 == 65535) job.check();
      if (n + ahead < list.size()) __builtin_prefetch(&task.atoms[list[n + ahead]]);
      MapAtom atom = task.atoms[list[n]];
      // In double: the difference of two large coordinates.
      atom.position = glm::vec3(glm::dvec3(atom.position) - corner);
      tile.add(atom);
    }
    for (int k = 0; k < tile.counts.z; ++k) {
      for (int j = 0; j < tile.counts.y; ++j) {
        const std::size_t at = grid.index(first.x, first.y + j, first.z + k);
        const float* row = tile.values[k][j];
        if (!task.density.empty()) std::copy_n(row, tile.counts.x, task.density.data + at);
        if (task.comparison) tile.sum_row(j, k, task.comparison->map.data + at, *task.comparison, sums[t]);
      }
    }
  });
  // In the order of the tiles, whatever the number of threads.
  ComparedSums total;
  for (const ComparedSums& part : sums) {
    total.all += part.all;
    total.map_above += part.map_above;
    total.model_above += part.model_above;
  }
  return total;
}

}  // namespace isolume
