// Gaussian density on the CPU: atoms are listed for the tiles that they touch, and tiles are made by all threads.
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>

#include "compute/backends.h"
#include "compute/density/density_tile.h"
#include "compute/density/density_workspace.h"
#include "compute/parallel_for.h"
#include "compute/tiles.h"
#include "compute/timing.h"

namespace isolume {

namespace {

struct AtomAt {
  const DensityAtomView& view;
  const float* position(std::size_t i) const { return view.positions + i * view.position_stride; }
  const float* look(std::size_t i) const { return view.looks + i * view.look_stride; }
};

/// An atom as tiles take it, from the origin: one place in memory instead of two, and its divisions done once.
TileAtom tile_atom(const DensityTask& task, const float* position, const float* look) {
  const float sigma = task.options.radius_scale * look[0];
  const float cutoff = task.options.cutoff_sigmas * sigma;
  return {{position[0], position[1], position[2]},
          cutoff * cutoff,
          -0.72134752044448170f / (sigma * sigma),  // 1 / (2 ln 2)
          {look[1], look[2], look[3]}};
}

/// The atoms, and the tiles of the layers that each one's cutoff sphere may touch.
void tile_ranges(const DensityTask& task, const Tiling& tiling, Job& job, std::vector<TileAtom>& to,
                 std::vector<TileRange>& ranges) {
  const AtomAt atoms{task.atoms};
  const Grid& grid = task.grid;
  ranges.resize(task.atoms.count);
  to.resize(task.atoms.count);
  double per_step[3];  // from positions to points of the layers
  double first[3];
  double last[3];
  for (int axis = 0; axis < 3; ++axis) {
    per_step[axis] = 1 / grid.step[axis][axis];
    first[axis] = grid.origin[axis] * per_step[axis] + (axis == 2 ? task.layers.first : 0);
    last[axis] = tiling.points[axis] - 1;
  }
  const double cutoff_scale = double{task.options.cutoff_sigmas} * double{task.options.radius_scale};
  constexpr std::size_t block = 16384;
  parallel_for((ranges.size() + block - 1) / block, job, "sorting", [&](std::size_t b) {
    const std::size_t end = std::min(ranges.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) {
      const float* position = atoms.position(i);
      const double cutoff = cutoff_scale * double{atoms.look(i)[0]};
      to.data()[i] = tile_atom(task, position, atoms.look(i));
      TileRange& range = ranges.data()[i];
      for (int axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(position[axis])) {
          throw Error(fmt::format("atom {}: a coordinate is not a finite number", i + 1), Error::Kind::usage);
        }
        const double at = double{position[axis]} * per_step[axis] - first[axis];
        const double reach = std::abs(cutoff * per_step[axis]) + 0.01;
        if (at - reach > last[axis] || at + reach < 0) {
          range = {};
          break;
        }
        // Rounded down at both ends: a tile more than needed does no harm.
        range.lower[axis] = static_cast<int>(std::max(at - reach, 0.0)) / density_tile_side;
        range.upper[axis] = static_cast<int>(std::min(at + reach, last[axis])) / density_tile_side;
      }
    }
  });
}

/// The first atoms of a list, relative to the tile's first point; how many.
std::size_t load_atoms(std::span<const TileAtom> atoms, std::span<const std::uint32_t> list, const glm::dvec3& corner,
                       DensityTile& tile) {
  const std::size_t count = std::min(list.size(), DensityTile::most);
  constexpr std::size_t ahead = 16;
  for (std::size_t n = 0; n < count; ++n) {
    if (n + ahead < list.size()) __builtin_prefetch(&atoms.data()[list[n + ahead]]);
    TileAtom& atom = tile.atoms.data()[n];
    atom = atoms.data()[list[n]];
    // In double: the difference of two large coordinates.
    for (int axis = 0; axis < 3; ++axis) {
      atom.position[axis] = static_cast<float>(double{atom.position[axis]} - corner[axis]);
    }
  }
  return count;
}

}  // namespace

void gaussian_density_cpu(const DensityTask& task, Job& job, DensityWorkspace::Memory& memory) {
  const Grid& grid = task.grid;
  const glm::ivec3 points(grid.counts.x, grid.counts.y, task.layers.count);
  const Tiling tiling{points, glm::ivec3(density_tile_side)};
  {
    const PhaseTimer timer("surface density: sorting atoms");
    tile_ranges(task, tiling, job, memory.atoms, memory.ranges);
    tile_lists(tiling, memory.ranges, job, memory.lists);
  }
  memory.tiles.resize(static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency()));
  for (std::unique_ptr<DensityTile>& tile : memory.tiles) {
    if (!tile) tile = std::make_unique<DensityTile>();
  }
  const PhaseTimer timer("surface density: tiles");
  const bool coloured = !task.colours.empty();
  parallel_for(tiling.size(), job, "surface density", [&](std::size_t t) {
    DensityTile& tile = *memory.tiles[static_cast<std::size_t>(oneapi::tbb::this_task_arena::current_thread_index())];
    const glm::ivec3 first = tiling.tile(t) * tiling.side;
    DensityTilePlace place{glm::min(tiling.side, points - first), {}};
    for (int axis = 0; axis < 3; ++axis) place.step[axis] = static_cast<float>(grid.step[axis][axis]);
    const glm::dvec3 corner = grid.point(first.x, first.y, first.z + task.layers.first);
    tile.clear();
    std::span<const std::uint32_t> list = memory.lists.of(t);
    while (!list.empty()) {
      job.check();
      const std::size_t count = load_atoms(memory.atoms, list, corner, tile);
      tile.add(place, count, coloured);
      list = list.subspan(count);
    }
    DensityTileOutput to{task.density.data, task.density.element, task.colours.data, task.colours.element, 0, 0, 0};
    to.first = grid.index(first.x, first.y, first.z);
    to.row = static_cast<std::size_t>(grid.counts.x);
    to.layer = to.row * static_cast<std::size_t>(grid.counts.y);
    store_density_tile(tile, place, to);
  });
}

}  // namespace isolume
