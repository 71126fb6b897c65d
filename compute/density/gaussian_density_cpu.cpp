// Gaussian density on the CPU: atoms are listed for the tiles that they touch, and tiles are made by all threads;
// colours, where only a surface needs them, of the bricks next to it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/core.h>
#include <oneapi/tbb/task_arena.h>

#include "compute/base/job_part.h"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/base/timing.h"
#include "compute/density/density_tile.h"
#include "compute/density/density_workspace.h"
#include "compute/density/gaussian_density_bodies.h"

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

/// The tiles of a density, each made by one thread.
class Tiles {
 public:
  Tiles(const DensityTask& task, const Tiling& tiling, DensityWorkspace::Memory& memory)
      : task_(task), tiling_(tiling), memory_(memory) {}

  DensityTilePlace place(std::size_t t) const {
    DensityTilePlace place{glm::min(tiling_.side, tiling_.points - first(t)), {}};
    for (int axis = 0; axis < 3; ++axis) place.step[axis] = static_cast<float>(task_.grid.step[axis][axis]);
    return place;
  }
  DensityTileOutput output(std::size_t t) const {
    DensityTileOutput to{task_.density.data, task_.density.element, task_.colours.data, task_.colours.element, 0, 0, 0};
    const glm::ivec3 at = first(t);
    to.first = task_.grid.index(at.x, at.y, at.z);
    to.row = static_cast<std::size_t>(task_.grid.counts.x);
    to.layer = to.row * static_cast<std::size_t>(task_.grid.counts.y);
    return to;
  }

  /// Sums some bricks of a tile, and stores them as far as `to` has places. `again`: the thread's last call was for
  /// this tile, so that its atoms may be there. Returns the thread's own tile.
  const DensityTile& make(std::size_t t, bool coloured, std::uint64_t bricks, DensityTileOutput to, Job& job,
                          bool again = false) const {
    DensityTile& tile = *memory_.tiles[static_cast<std::size_t>(oneapi::tbb::this_task_arena::current_thread_index())];
    const glm::ivec3 at = first(t);
    const glm::dvec3 corner = task_.grid.point(at.x, at.y, at.z + task_.layers.first);
    tile.clear(coloured, bricks);
    tile.at_cutoff = static_cast<float>(gaussian_at_cutoff(task_.options));
    std::span<const std::uint32_t> list = memory_.lists.of(t);
    while (!list.empty()) {
      job.check();
      const std::size_t count =
          again && list.size() <= DensityTile::most ? list.size() : load_atoms(memory_.atoms, list, corner, tile);
      tile.add(place(t), count, coloured, bricks);
      list = list.subspan(count);
    }
    to.coloured = bricks;
    store_density_tile(tile, place(t), to);
    return tile;
  }

  /// The bricks of a tile where an edge to the next tile, or from the one before, crosses the surface.
  std::uint64_t bricks_at_faces(std::size_t t) const {
    std::uint64_t bricks = 0;
    const glm::ivec3 here = tiling_.tile(t);
    for (int axis = 0; axis < 3; ++axis) {
      glm::ivec3 other = here;
      ++other[axis];
      if (other[axis] < tiling_.counts()[axis]) {
        const std::size_t next = tiling_.index(other);
        bricks |= bricks_at_face(memory_.inside[t], memory_.inside[next], place(next).counts, axis).last;
      }
      other[axis] -= 2;
      if (other[axis] >= 0) {
        const std::size_t before = tiling_.index(other);
        bricks |= bricks_at_face(memory_.inside[before], memory_.inside[t], place(t).counts, axis).first;
      }
    }
    return bricks;
  }

 private:
  glm::ivec3 first(std::size_t t) const { return tiling_.tile(t) * tiling_.side; }

  const DensityTask& task_;
  const Tiling& tiling_;
  DensityWorkspace::Memory& memory_;
};

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
  const Tiles tiles(task, tiling, memory);
  const bool coloured = !task.colours.empty();
  const bool all_colours = !(std::abs(task.options.coloured_surface) < std::numeric_limits<float>::infinity());
  if (!coloured || all_colours) {
    return parallel_for(tiling.size(), job, "surface density",
                        [&](std::size_t t) { tiles.make(t, coloured, all_density_bricks, tiles.output(t), job); });
  }
  // Most points lie far from the surface, and no vertex takes their colours: densities first, then the colours of the
  // bricks next to it. Where it passes between two tiles is known when both are there.
  memory.inside.resize(tiling.size());
  memory.coloured.resize(tiling.size());
  JobPart densities(job, 0, 0.9);
  parallel_for(tiling.size(), densities, "surface density", [&](std::size_t t) {
    DensityTileOutput to = tiles.output(t);
    void* const colours = std::exchange(to.colours, nullptr);
    const DensityTile& tile = tiles.make(t, false, all_density_bricks, to, job);
    const DensityTilePlace place = tiles.place(t);
    memory.inside[t] = density_inside(tile, place, to.element, task.options.coloured_surface);
    const std::uint64_t bricks = memory.coloured[t] = bricks_at_surface(memory.inside[t], place.counts);
    if (bricks == 0) return;
    to.density = nullptr;
    to.colours = colours;
    tiles.make(t, true, bricks, to, job, true);
  });
  JobPart rest(job, 0.9, 1);
  parallel_for(tiling.size(), rest, "surface density", [&](std::size_t t) {
    const std::uint64_t bricks = tiles.bricks_at_faces(t) & ~memory.coloured[t];
    if (bricks == 0) return;
    DensityTileOutput to = tiles.output(t);
    to.density = nullptr;
    tiles.make(t, true, bricks, to, job);
  });
}

}  // namespace isolume
