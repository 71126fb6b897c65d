// What the kernels of the promolecule and of the gradient model share: a block has a tile of points and finds the atoms
// that reach it; and where their results go.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/parallel_for.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/promolecule_map.h"
#include "compute/electron_density/promolecule_math.h"
#include "molecule/base/units.h"

namespace isolume {
namespace promolecule_near {

constexpr int threads = 128, warps = threads / 32;
// A tile has `depth` points of each thread, one behind the other along z.
constexpr int tile_x = 8, tile_y = 4, tile_z = 4;
static_assert(tile_x * tile_y * tile_z == threads);
constexpr int room = 32;  // edge of the boxes of points that atoms are listed for
template <int depth>
constexpr int tiles_of_room = (room / tile_x) * (room / tile_y) * (room / (tile_z * depth));
constexpr std::size_t first_rooms = 16;  // of the first launch, which is short on any device

struct AtomOnDevice {
  double centre[3];
  float reach;
  unsigned kind;
  unsigned part;  // 1, 2 or 0
};

/// Points on a grid or in a list, and the atoms that may reach them.
struct Where {
  double origin[3], step[3][3];  // bohr
  int counts[3];
  int rooms[3];
  const double* list;  // null for a grid
  unsigned list_count;
  unsigned first_room;
  const unsigned* offsets;  // of the lists, by room
  const unsigned* items;
  const AtomOnDevice* atoms;
  const unsigned* first_term;  // by kind, and the end

  /// Of one of a thread's `depth` points; false where it is beyond the edge, and then the place of another one.
  /// `empty`: the block's tile is beyond the edge.
  template <int depth>
  __device__ bool find(int which, double (&to)[3], std::size_t& index, unsigned& in_room, bool& empty) const {
    if (list) {
      const unsigned at = (blockIdx.x * depth + static_cast<unsigned>(which)) * threads + threadIdx.x;
      const unsigned held = min(at, list_count - 1);
      for (int axis = 0; axis < 3; ++axis) to[axis] = list[3 * static_cast<std::size_t>(held) + axis];
      index = at;
      in_room = 0;
      empty = false;
      return at < list_count;
    }
    constexpr int across = room / tile_x, along = room / tile_y;
    in_room = first_room + blockIdx.x / tiles_of_room<depth>;
    const int tile = static_cast<int>(blockIdx.x % tiles_of_room<depth>), r = static_cast<int>(in_room);
    const int n = static_cast<int>(threadIdx.x);
    const int first[3] = {r % rooms[0] * room + tile % across * tile_x,
                          r / rooms[0] % rooms[1] * room + tile / across % along * tile_y,
                          r / rooms[0] / rooms[1] * room + tile / across / along * tile_z * depth};
    const int at[3] = {first[0] + n % tile_x, first[1] + n / tile_x % tile_y,
                       first[2] + which * tile_z + n / (tile_x * tile_y)};
    bool inside = true;
    empty = false;
    int held[3];
    for (int axis = 0; axis < 3; ++axis) {
      empty = empty || first[axis] >= counts[axis];
      inside = inside && at[axis] < counts[axis];
      held[axis] = min(at[axis], counts[axis] - 1);
    }
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = origin[axis] + held[0] * step[0][axis] + held[1] * step[1][axis] + held[2] * step[2][axis];
    index =
        static_cast<std::size_t>(at[0]) +
        static_cast<std::size_t>(counts[0]) *
            (static_cast<std::size_t>(at[1]) + static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(at[2]));
    return inside;
  }
};

/// The box around a block's points.
struct Box {
  double lower[3], upper[3];
};

template <int depth>
__device__ void set_box(const double (&positions)[depth][3], Box* of_warps, Box& box) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int axis = 0; axis < 3; ++axis) {
    double low = positions[0][axis], high = low;
    for (int d = 1; d < depth; ++d) {
      low = fmin(low, positions[d][axis]);
      high = fmax(high, positions[d][axis]);
    }
    for (int other = 16; other > 0; other /= 2) {
      low = fmin(low, __shfl_xor_sync(~0u, low, other));
      high = fmax(high, __shfl_xor_sync(~0u, high, other));
    }
    if (lane == 0) {
      of_warps[warp].lower[axis] = low;
      of_warps[warp].upper[axis] = high;
    }
  }
  __syncthreads();
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = of_warps[0].lower[axis];
    box.upper[axis] = of_warps[0].upper[axis];
    for (int w = 1; w < warps; ++w) {
      box.lower[axis] = fmin(box.lower[axis], of_warps[w].lower[axis]);
      box.upper[axis] = fmax(box.upper[axis], of_warps[w].upper[axis]);
    }
  }
}

/// Calls use(item) for each atom that reaches the box, in the order of the lists; every thread has all of them. An item
/// is make(number of the atom, atom, its place from the middle of the box, its distance from the box); `items` has room
/// for one of each thread.
template <class Item, class Make, class Use>
__device__ void for_near(const Where& where, unsigned in_room, const Box& box, Item* items, unsigned* found_by,
                         const Make& make, const Use& use) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned begin = where.offsets[in_room]; begin < where.offsets[in_room + 1]; begin += threads) {
    bool reaches = false;
    Item mine{};
    if (begin + threadIdx.x < where.offsets[in_room + 1]) {
      const unsigned number = where.items[begin + threadIdx.x];
      const AtomOnDevice& atom = where.atoms[number];
      double square = 0;
      float relative[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double away = fmax(fmax(box.lower[axis] - atom.centre[axis], atom.centre[axis] - box.upper[axis]), 0.0);
        square += away * away;
        relative[axis] = static_cast<float>(atom.centre[axis] - 0.5 * (box.lower[axis] + box.upper[axis]));
      }
      const float distance = sqrtf(static_cast<float>(square));
      reaches = distance <= atom.reach;
      if (reaches) mine = make(number, atom, relative, distance);
    }
    const unsigned who = __ballot_sync(~0u, reaches);
    __syncthreads();
    if (lane == 0) found_by[warp] = static_cast<unsigned>(__popc(who));
    __syncthreads();
    unsigned found = 0, place = static_cast<unsigned>(__popc(who & ((1u << lane) - 1)));
    for (unsigned w = 0; w < warps; ++w) {
      if (w < warp) place += found_by[w];
      found += found_by[w];
    }
    if (reaches) items[place] = mine;
    __syncthreads();
    for (unsigned n = 0; n < found; ++n) use(items[n]);
  }
}

/// Where the results go: one or two fields on a grid, or all numbers of points.
struct Output {
  PromoleculeField first, second;
  float *first_values, *second_values;  // the second may be null
  double* all;                          // by point: density, gradient, Hessian, delta_g, delta_g_inter
  std::size_t shift;                    // of the first point on the grid

  __device__ void store(std::size_t index, const PointDensity& of, double delta_g, double delta_g_inter) const {
    if (all) {
      double* to = all + 12 * index;
      to[0] = of.density;
      for (int axis = 0; axis < 3; ++axis) to[1 + axis] = of.gradient[axis];
      for (int k = 0; k < 6; ++k) to[4 + k] = of.hessian[k];
      to[10] = delta_g;
      to[11] = delta_g_inter;
      return;
    }
    first_values[shift + index] = static_cast<float>(promolecule_math::map_value(first, of, delta_g, delta_g_inter));
    if (second_values)
      second_values[shift + index] =
          static_cast<float>(promolecule_math::map_value(second, of, delta_g, delta_g_inter));
  }
};

/// The atoms on the device with their lists, of all points of a grid or a list.
class DeviceAtoms {
 public:
  DeviceAtoms(std::span<const unsigned> first_term, const Stream& stream)
      : stream_(stream), first_term_(DeviceArray<unsigned>::from_host(first_term, stream, "free atoms")) {
    where.first_term = first_term_.data();
  }

  /// The atoms that reach the grid, out of `count`; atom_of(i) is the i-th. Of a large structure they are few.
  template <class AtomOf>
  void set_grid(const Grid& grid, std::size_t count, const AtomOf& atom_of, Job& job) {
    const Tiling tiling{grid.counts, glm::ivec3(room)};
    const TileReach reach(grid, tiling);
    constexpr std::size_t part = 4096;
    struct Kept {
      std::vector<AtomOnDevice> atoms;
      std::vector<TileRange> ranges;
    };
    std::vector<Kept> kept((count + part - 1) / part);
    parallel_for(kept.size(), job, "atoms of the grid", [&](std::size_t p) {
      for (std::size_t i = p * part; i < std::min(count, (p + 1) * part); ++i) {
        const AtomOnDevice atom = atom_of(i);
        const glm::dvec3 centre(atom.centre[0], atom.centre[1], atom.centre[2]);
        if (!reach.may_reach(centre, atom.reach)) continue;
        const TileRange range = reach.tiles(centre, atom.reach);
        if (range.upper.x < range.lower.x) continue;
        kept[p].atoms.push_back(atom);
        kept[p].ranges.push_back(range);
      }
    });
    std::vector<AtomOnDevice> atoms;
    std::vector<TileRange> ranges;
    for (const Kept& from : kept) {
      atoms.insert(atoms.end(), from.atoms.begin(), from.atoms.end());
      ranges.insert(ranges.end(), from.ranges.begin(), from.ranges.end());
    }
    TileLists lists;
    tile_lists(tiling, ranges, job, lists);
    put(atoms, {lists.offsets.begin(), lists.offsets.end()}, lists.items);
    for (int axis = 0; axis < 3; ++axis) {
      where.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
      where.counts[axis] = grid.counts[axis];
      where.rooms[axis] = tiling.counts()[axis];
      for (int c = 0; c < 3; ++c) where.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
    }
    where.list = nullptr;
    rooms = tiling.size();
  }
  template <class AtomOf>
  void set_list(std::span<const glm::dvec3> points, std::size_t count, const AtomOf& atom_of) {
    std::vector<AtomOnDevice> atoms;
    std::vector<unsigned> all;
    for (std::size_t i = 0; i < count; ++i) {
      atoms.push_back(atom_of(i));
      all.push_back(static_cast<unsigned>(i));
    }
    put(atoms, {0, static_cast<unsigned>(count)}, all);
    static_assert(sizeof(glm::dvec3) == 3 * sizeof(double));
    list_ = DeviceArray<glm::dvec3>::from_host(points, stream_, "points");
    where.list = reinterpret_cast<const double*>(list_.data());
    where.list_count = static_cast<unsigned>(points.size());
  }

  Where where{};
  std::size_t rooms = 0;

 private:
  void put(const std::vector<AtomOnDevice>& atoms, const std::vector<unsigned>& offsets,
           std::span<const unsigned> items) {
    atoms_ = DeviceArray<AtomOnDevice>::from_host(atoms, stream_, "atoms");
    offsets_ = DeviceArray<unsigned>::from_host(offsets, stream_, "lists of atoms");
    items_ = DeviceArray<unsigned>::from_host(items, stream_, "lists of atoms");
    where.atoms = atoms_.data();
    where.offsets = offsets_.data();
    where.items = items_.data();
  }

  const Stream& stream_;
  DeviceArray<AtomOnDevice> atoms_;
  DeviceArray<unsigned> first_term_, offsets_, items_;
  DeviceArray<glm::dvec3> list_;
};

inline Output output_of(const PromoleculeMaps& maps) {
  Output out{};
  out.first = maps.first;
  out.second = maps.second;
  out.first_values = maps.first_values.data;
  out.second_values = maps.second_values.data;
  return out;
}

inline std::vector<PromoleculePoint> points_of(const std::vector<double>& numbers) {
  std::vector<PromoleculePoint> points(numbers.size() / 12);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double* const from = numbers.data() + 12 * i;
    points[i].density.density = from[0];
    for (int axis = 0; axis < 3; ++axis) points[i].density.gradient[axis] = from[1 + axis];
    std::copy_n(from + 4, 6, points[i].density.hessian.begin());
    points[i].delta_g = from[10];
    points[i].delta_g_inter = from[11];
  }
  return points;
}

template <int depth>
unsigned blocks_of(std::size_t points) {
  return static_cast<unsigned>((points + depth * threads - 1) / (depth * threads));
}

}  // namespace promolecule_near
}  // namespace isolume
