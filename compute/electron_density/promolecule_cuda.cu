// The promolecule and the gradient model by Hirshfeld atoms on CUDA: a block has a tile of points, and the atoms that
// reach it.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/base/tiles.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/promolecule_bodies_cuda.h"
#include "compute/electron_density/promolecule_math.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr int threads = 128, warps = threads / 32;
constexpr int tile_x = 8, tile_y = 4, tile_z = 4;
static_assert(tile_x * tile_y * tile_z == threads);
constexpr int room = 32;  // edge of the boxes of points that atoms are listed for
constexpr int room_tiles[3] = {room / tile_x, room / tile_y, room / tile_z};
constexpr int tiles_of_room = room_tiles[0] * room_tiles[1] * room_tiles[2];
constexpr std::size_t first_rooms = 16;  // of the first launch, which is short on any device

struct AtomOnDevice {
  double centre[3];
  float reach;
  unsigned kind;
  unsigned part;  // 1, 2 or 0
};

struct alignas(16) TermInSingle {
  float power, exponent, factor, reach;
};
struct TermInDouble {
  double power, exponent, factor;
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

  /// Of a thread's point; false where it is beyond the edge, and then the place of another one. A block whose tile is
  /// beyond the edge has count 0.
  __device__ bool find(double (&to)[3], std::size_t& index, unsigned& in_room, bool& empty) const {
    if (list) {
      const unsigned at = blockIdx.x * threads + threadIdx.x, held = min(at, list_count - 1);
      for (int axis = 0; axis < 3; ++axis) to[axis] = list[3 * static_cast<std::size_t>(held) + axis];
      index = at;
      in_room = 0;
      empty = false;
      return at < list_count;
    }
    in_room = first_room + blockIdx.x / tiles_of_room;
    const int tile = static_cast<int>(blockIdx.x % tiles_of_room), r = static_cast<int>(in_room);
    const int n = static_cast<int>(threadIdx.x);
    const int first[3] = {r % rooms[0] * room + tile % room_tiles[0] * tile_x,
                          r / rooms[0] % rooms[1] * room + tile / room_tiles[0] % room_tiles[1] * tile_y,
                          r / rooms[0] / rooms[1] * room + tile / room_tiles[0] / room_tiles[1] * tile_z};
    const int at[3] = {first[0] + n % tile_x, first[1] + n / tile_x % tile_y, first[2] + n / (tile_x * tile_y)};
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

__device__ void set_box(const double (&position)[3], Box* of_warps, Box& box) {
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int axis = 0; axis < 3; ++axis) {
    double low = position[axis], high = low;
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

/// An atom that reaches a tile, from the middle of the tile.
struct Near {
  float x, y, z;
  float distance;  // from the box
  unsigned atom;
};

/// Calls use(near) for each atom that reaches the box, in the order of the lists; every thread has all of them.
template <class Use>
__device__ void for_near(const Where& where, unsigned in_room, const Box& box, Near* near, unsigned* found_by,
                         const Use& use) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (unsigned begin = where.offsets[in_room]; begin < where.offsets[in_room + 1]; begin += threads) {
    bool reaches = false;
    Near mine{};
    if (begin + threadIdx.x < where.offsets[in_room + 1]) {
      mine.atom = where.items[begin + threadIdx.x];
      const AtomOnDevice& atom = where.atoms[mine.atom];
      double square = 0;
      float relative[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double away = fmax(fmax(box.lower[axis] - atom.centre[axis], atom.centre[axis] - box.upper[axis]), 0.0);
        square += away * away;
        relative[axis] = static_cast<float>(atom.centre[axis] - 0.5 * (box.lower[axis] + box.upper[axis]));
      }
      mine.x = relative[0];
      mine.y = relative[1];
      mine.z = relative[2];
      mine.distance = sqrtf(static_cast<float>(square));
      reaches = mine.distance <= atom.reach;
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
    if (reaches) near[place] = mine;
    __syncthreads();
    for (unsigned n = 0; n < found; ++n) use(near[n]);
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

/// The sum of free atoms, in single precision, as the CPU has it.
__global__ void __launch_bounds__(threads)
    promolecule_kernel(const __grid_constant__ Where where, const TermInSingle* terms,
                       const __grid_constant__ Output out) {
  __shared__ Box boxes[warps];
  __shared__ Near near[threads];
  __shared__ unsigned found_by[warps];
  double position[3];
  std::size_t index = 0;
  unsigned in_room = 0;
  bool empty = false;
  const bool inside = where.find(position, index, in_room, empty);
  if (empty) return;
  Box box;
  set_box(position, boxes, box);
  float at[3];
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = static_cast<float>(position[axis] - 0.5 * (box.lower[axis] + box.upper[axis]));
  float rho = 0, gradient[3] = {}, hessian[6] = {}, lengths[3] = {}, first[3] = {};
  for_near(where, in_room, box, near, found_by, [&](const Near& atom) {
    const AtomOnDevice& of = where.atoms[atom.atom];
    const float x = at[0] - atom.x, y = at[1] - atom.y, z = at[2] - atom.z;
    const float r2 = fmaxf(fmaf(x, x, fmaf(y, y, z * z)), 1e-8f), r = sqrtf(r2);
    const float inverse = 1 / r, inverse2 = inverse * inverse;
    float value = 0, slope = 0, second = 0;
    // Those that reach furthest come first.
    for (unsigned t = where.first_term[of.kind]; t < where.first_term[of.kind + 1]; ++t) {
      const TermInSingle term = terms[t];
      if (term.reach < atom.distance) break;
      float part = term.factor * expf(-term.exponent * r);
      for (float n = 1; n < term.power; n += 2) part *= r2;  // powers are even
      const float along = fmaf(term.power, inverse, -term.exponent);
      value += part;
      slope = fmaf(along, part, slope);
      second = fmaf(fmaf(along, along, -term.power * inverse2), part, second);
    }
    const float u = slope * inverse, a = (second - u) * inverse2;
    const float gx = u * x, gy = u * y, gz = u * z, ax = a * x, ay = a * y;
    rho += value;
    gradient[0] += gx;
    gradient[1] += gy;
    gradient[2] += gz;
    lengths[0] += fabsf(gx);
    lengths[1] += fabsf(gy);
    lengths[2] += fabsf(gz);
    hessian[0] += fmaf(ax, x, u);
    hessian[1] += ax * y;
    hessian[2] += ax * z;
    hessian[3] += fmaf(ay, y, u);
    hessian[4] += ay * z;
    hessian[5] += fmaf(a * z, z, u);
    if (of.part == 1) {
      first[0] += gx;
      first[1] += gy;
      first[2] += gz;
    }
  });
  if (!inside) return;
  PointDensity point;
  point.density = rho;
  double whole = 0, one[3], other[3];
  for (int axis = 0; axis < 3; ++axis) {
    point.gradient[axis] = gradient[axis];
    whole += point.gradient[axis] * point.gradient[axis];
    one[axis] = first[axis];
    other[axis] = point.gradient[axis] - one[axis];
  }
  for (int k = 0; k < 6; ++k) point.hessian[k] = hessian[k];
  out.store(index, point, promolecule_math::length(lengths[0], lengths[1], lengths[2]) - sqrt(whole),
            promolecule_math::between(one, other));
}

/// The density of a free atom and its gradient over the distance.
__device__ __forceinline__ void free_density(const Where& where, const TermInDouble* terms, const AtomOnDevice& atom,
                                             const double (&away)[3], double r2, double& density, double& over) {
  const double r = fmax(sqrt(r2), 1e-4);
  double slope = 0;
  density = 0;
  for (unsigned t = where.first_term[atom.kind]; t < where.first_term[atom.kind + 1]; ++t) {
    const TermInDouble term = terms[t];
    double part = term.factor * exp(-term.exponent * r);
    for (double n = 1; n < term.power; n += 2) part *= r * r;  // powers are even
    density += part;
    slope = fma(term.power / r - term.exponent, part, slope);
  }
  over = slope / r;
}

/// The gradient model: Hirshfeld's atoms of the density whose sums (11 a point) are given.
template <bool lengths_wanted>
__global__ void __launch_bounds__(threads)
    gradient_model_kernel(const __grid_constant__ Where where, const TermInDouble* terms, const double* densities,
                          const __grid_constant__ Output out) {
  __shared__ Box boxes[warps];
  __shared__ Near near[threads];
  __shared__ unsigned found_by[warps];
  double position[3];
  std::size_t index = 0;
  unsigned in_room = 0;
  bool empty = false;
  const bool inside = where.find(position, index, in_room, empty);
  if (empty) return;
  Box box;
  set_box(position, boxes, box);
  // Of all atoms, and of those of each part: densities and gradients.
  double whole[4] = {}, of_part[2][4] = {};
  const auto of_near = [&](const auto& use) {
    for_near(where, in_room, box, near, found_by, [&](const Near& item) {
      const AtomOnDevice& atom = where.atoms[item.atom];
      double away[3], r2 = 0;
      for (int axis = 0; axis < 3; ++axis) {
        away[axis] = position[axis] - atom.centre[axis];
        r2 += away[axis] * away[axis];
      }
      if (r2 > static_cast<double>(atom.reach) * static_cast<double>(atom.reach)) return;
      double density, over;
      free_density(where, terms, atom, away, r2, density, over);
      use(atom, away, density, over);
    });
  };
  of_near([&](const AtomOnDevice& atom, const double(&away)[3], double density, double over) {
    whole[0] += density;
    for (int axis = 0; axis < 3; ++axis) whole[1 + axis] = fma(over, away[axis], whole[1 + axis]);
    if (atom.part == 0) return;
    const bool second = atom.part == 2;
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      if (second != (p == 1)) continue;
      of_part[p][0] += density;
      for (int axis = 0; axis < 3; ++axis) of_part[p][1 + axis] = fma(over, away[axis], of_part[p][1 + axis]);
    }
  });
  PointDensity point;
  if (inside) {
    const double* const from = densities + 11 * index;
    point.density = from[0];
    for (int axis = 0; axis < 3; ++axis) point.gradient[axis] = from[1 + axis];
    point.tau = from[4];
    for (int k = 0; k < 6; ++k) point.hessian[k] = from[5 + k];
  }
  // grad rho_i = w_i (grad rho - rho G / W) + rho grad rho0_i / W, with W and G of all atoms.
  const double scale = whole[0] > 0 ? 1 / whole[0] : 0.0, rho = point.density * scale;
  double rest[3];
  for (int axis = 0; axis < 3; ++axis) rest[axis] = scale * (point.gradient[axis] - rho * whole[1 + axis]);
  double parts[2][3];
  for (int p = 0; p < 2; ++p) {
    for (int axis = 0; axis < 3; ++axis) parts[p][axis] = fma(of_part[p][0], rest[axis], rho * of_part[p][1 + axis]);
  }
  double delta_g = 0;
  if constexpr (lengths_wanted) {
    double lengths[3] = {};
    of_near([&](const AtomOnDevice& atom, const double(&away)[3], double density, double over) {
      if (atom.part == 0) return;
      for (int axis = 0; axis < 3; ++axis) lengths[axis] += fabs(fma(density, rest[axis], rho * over * away[axis]));
    });
    delta_g = promolecule_math::length(lengths[0], lengths[1], lengths[2]) -
              promolecule_math::length(parts[0][0] + parts[1][0], parts[0][1] + parts[1][1], parts[0][2] + parts[1][2]);
  }
  if (inside) out.store(index, point, delta_g, promolecule_math::between(parts[0], parts[1]));
}

/// The atoms on the device with their lists, of all points of a grid or a list.
class DeviceAtoms {
 public:
  DeviceAtoms(std::span<const AtomOnDevice> atoms, std::span<const unsigned> first_term, const Stream& stream)
      : stream_(stream),
        atoms_(DeviceArray<AtomOnDevice>::from_host(atoms, stream, "atoms")),
        first_term_(DeviceArray<unsigned>::from_host(first_term, stream, "free atoms")),
        host_(atoms) {
    where.atoms = atoms_.data();
    where.first_term = first_term_.data();
  }

  void set_grid(const Grid& grid, Job& job) {
    const Tiling tiling{grid.counts, glm::ivec3(room)};
    TileLists lists;
    tile_lists(tiling, ranges_of(grid, tiling), job, lists);
    std::vector<unsigned> offsets(lists.offsets.begin(), lists.offsets.end());
    put(offsets, lists.items);
    for (int axis = 0; axis < 3; ++axis) {
      where.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
      where.counts[axis] = grid.counts[axis];
      where.rooms[axis] = tiling.counts()[axis];
      for (int c = 0; c < 3; ++c) where.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
    }
    where.list = nullptr;
    rooms = tiling.size();
  }
  void set_list(std::span<const glm::dvec3> points) {
    std::vector<unsigned> all(host_.size());
    for (unsigned i = 0; i < all.size(); ++i) all[i] = i;
    put({0, static_cast<unsigned>(all.size())}, all);
    static_assert(sizeof(glm::dvec3) == 3 * sizeof(double));
    list_ = DeviceArray<glm::dvec3>::from_host(points, stream_, "points");
    where.list = reinterpret_cast<const double*>(list_.data());
    where.list_count = static_cast<unsigned>(points.size());
  }

  Where where{};
  std::size_t rooms = 0;

 private:
  void put(const std::vector<unsigned>& offsets, std::span<const unsigned> items) {
    offsets_ = DeviceArray<unsigned>::from_host(offsets, stream_, "lists of atoms");
    items_ = DeviceArray<unsigned>::from_host(items, stream_, "lists of atoms");
    where.offsets = offsets_.data();
    where.items = items_.data();
  }
  std::vector<TileRange> ranges_of(const Grid& grid, const Tiling& tiling) const {
    const TileReach reach(grid, tiling);
    std::vector<TileRange> ranges;
    ranges.reserve(host_.size());
    for (const AtomOnDevice& atom : host_)
      ranges.push_back(reach.tiles({atom.centre[0], atom.centre[1], atom.centre[2]}, atom.reach));
    return ranges;
  }

  const Stream& stream_;
  DeviceArray<AtomOnDevice> atoms_;
  DeviceArray<unsigned> first_term_, offsets_, items_;
  DeviceArray<glm::dvec3> list_;
  std::span<const AtomOnDevice> host_;
};

Output output_of(const PromoleculeMaps& maps) {
  Output out{};
  out.first = maps.first;
  out.second = maps.second;
  out.first_values = maps.first_values.data;
  out.second_values = maps.second_values.data;
  return out;
}

std::vector<PromoleculePoint> points_of(const std::vector<double>& numbers) {
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

unsigned blocks_of(std::size_t points) {
  return static_cast<unsigned>((points + threads - 1) / threads);
}

/// The promolecule's atoms and terms.
struct FreeAtoms {
  std::vector<AtomOnDevice> atoms;
  std::vector<unsigned> first_term;
  std::vector<TermInSingle> terms;

  explicit FreeAtoms(const Promolecule::Atoms& from) {
    for (const PromoleculeKind& kind : from.of_kind) {
      first_term.push_back(static_cast<unsigned>(terms.size()));
      for (const PromoleculeKind::Term& term : kind.terms)
        terms.push_back({term.power, term.exponent, term.factor, term.reach});
    }
    first_term.push_back(static_cast<unsigned>(terms.size()));
    for (std::size_t i = 0; i < from.positions.size(); ++i) {
      const glm::dvec3 at = from.positions[i];
      atoms.push_back({{at.x, at.y, at.z},
                       static_cast<float>(from.of_kind[from.kinds[i]].reach),
                       from.kinds[i],
                       from.parts.empty() ? 0u : from.parts[i]});
    }
  }
};

/// Those of the gradient model.
struct WeightAtoms {
  std::vector<AtomOnDevice> atoms;
  std::vector<unsigned> first_term;
  std::vector<TermInDouble> terms;

  explicit WeightAtoms(const HirshfeldParts& from) {
    std::map<const AtomicDensity*, unsigned> kinds;
    for (std::size_t i = 0; i < from.positions.size(); ++i) {
      const auto [found, is_new] = kinds.try_emplace(from.free[i], static_cast<unsigned>(first_term.size()));
      if (is_new) {
        first_term.push_back(static_cast<unsigned>(terms.size()));
        for (const AtomicTerm& term : from.free[i]->terms())
          terms.push_back({static_cast<double>(term.power), term.exponent, term.factor});
      }
      const glm::dvec3 at = from.positions[i];
      atoms.push_back({{at.x, at.y, at.z}, static_cast<float>(from.reach[i]), found->second, from.parts[i]});
    }
    first_term.push_back(static_cast<unsigned>(terms.size()));
  }
};

}  // namespace

void promolecule_on_grid_cuda(const Promolecule::Atoms& atoms, const PromoleculeMaps& maps, const Grid& grid,
                              Job& job) {
  Stream stream(maps.first_values.device);
  const FreeAtoms free(atoms);
  DeviceAtoms on_device(free.atoms, free.first_term, stream);
  const auto terms = DeviceArray<TermInSingle>::from_host(free.terms, stream, "free atoms");
  on_device.set_grid(grid, job);
  const Output out = output_of(maps);
  for_slices(on_device.rooms, first_rooms, stream, job, "promolecule", [&](std::size_t begin, std::size_t count) {
    on_device.where.first_room = static_cast<unsigned>(begin);
    launch("promolecule: tiles", stream, promolecule_kernel, {static_cast<unsigned>(count) * tiles_of_room, 1, 1},
           {threads, 1, 1}, on_device.where, terms.data(), out);
  });
  stream.synchronize("promolecule");
}

std::vector<PromoleculePoint> promolecule_at_points_cuda(const Promolecule::Atoms& atoms,
                                                         std::span<const glm::dvec3> points, Device device, Job& job) {
  if (points.empty()) return {};
  Stream stream(device);
  const FreeAtoms free(atoms);
  DeviceAtoms on_device(free.atoms, free.first_term, stream);
  const auto terms = DeviceArray<TermInSingle>::from_host(free.terms, stream, "free atoms");
  on_device.set_list(points);
  DeviceArray<double> all(12 * points.size(), stream, "values at points");
  Output out{};
  out.all = all.data();
  job.check();
  launch("promolecule: points", stream, promolecule_kernel, {blocks_of(points.size()), 1, 1}, {threads, 1, 1},
         on_device.where, terms.data(), out);
  stream.synchronize("promolecule at points");
  job.check();
  return points_of(all.copy_to_host());
}

void gradient_model_on_grid_cuda(const HirshfeldParts& atoms, const PromoleculeMaps& maps, const Grid& grid, Job& job) {
  Stream stream(maps.first_values.device);
  const WeightAtoms weights(atoms);
  DeviceAtoms on_device(weights.atoms, weights.first_term, stream);
  const auto terms = DeviceArray<TermInDouble>::from_host(weights.terms, stream, "free atoms");
  const DerivativesCuda derivatives(atoms.functions, stream);
  const int planes = gradient_model_planes(grid);
  const std::size_t plane = static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
  DeviceArray<double> densities(11 * plane * static_cast<std::size_t>(planes), stream, "sums of the density");
  Output out = output_of(maps);
  const bool lengths = maps.first == PromoleculeField::delta_g ||
                       (!maps.second_values.empty() && maps.second == PromoleculeField::delta_g);
  for (int first = 0; first < grid.counts.z; first += planes) {
    Grid slab = grid;
    slab.origin = grid.point(0, 0, first);
    slab.counts.z = std::min(planes, grid.counts.z - first);
    derivatives.on_grid(slab, densities.data(), stream, job);
    on_device.set_grid(slab, job);
    out.shift = plane * static_cast<std::size_t>(first);
    for_slices(on_device.rooms, first_rooms, stream, job, "gradient model", [&](std::size_t begin, std::size_t count) {
      on_device.where.first_room = static_cast<unsigned>(begin);
      launch("gradient model: tiles", stream, lengths ? gradient_model_kernel<true> : gradient_model_kernel<false>,
             {static_cast<unsigned>(count) * tiles_of_room, 1, 1}, {threads, 1, 1}, on_device.where, terms.data(),
             densities.data(), out);
    });
    stream.synchronize("gradient model");
  }
}

std::vector<PromoleculePoint> gradient_model_at_points_cuda(const HirshfeldParts& atoms,
                                                            std::span<const glm::dvec3> points, Device device,
                                                            Job& job) {
  if (points.empty()) return {};
  Stream stream(device);
  const WeightAtoms weights(atoms);
  DeviceAtoms on_device(weights.atoms, weights.first_term, stream);
  const auto terms = DeviceArray<TermInDouble>::from_host(weights.terms, stream, "free atoms");
  on_device.set_list(points);
  const DerivativesCuda derivatives(atoms.functions, stream);
  DeviceArray<double> densities(11 * points.size(), stream, "sums of the density");
  DeviceArray<double> all(12 * points.size(), stream, "values at points");
  derivatives.at_points(on_device.where.list, points.size(), densities.data(), stream, job);
  Output out{};
  out.all = all.data();
  launch("gradient model: points", stream, gradient_model_kernel<true>, {blocks_of(points.size()), 1, 1},
         {threads, 1, 1}, on_device.where, terms.data(), densities.data(), out);
  stream.synchronize("gradient model at points");
  job.check();
  return points_of(all.copy_to_host());
}

}  // namespace isolume
