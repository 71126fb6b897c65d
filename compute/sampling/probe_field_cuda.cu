// A probe's field on CUDA: a block a brick of points, its atoms in shared memory, nearest ones first.
#include <algorithm>
#include <cstring>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/sampling/probe_system.h"

namespace isolume {
namespace {

constexpr int threads = 128;
constexpr int room = 2560;  // atoms in shared memory: 40 KiB
constexpr float largest = 3.4e38f;
constexpr int group = 8;    // turns whose near energies are summed before those that fit meet the other atoms
constexpr int at_once = 4;  // places that meet an atom while it is in registers

/// The grid in bricks of x * y * z <= threads points, relative to the middle of the atoms' box.
struct Bricks {
  double origin[3], step[9];
  int counts[3], sides[3], bricks[3];
  double half[3], radius;  ///< of a brick: from its first point to its middle; of the sphere around it
};

struct ProbeLimits {
  double reach, decisive;
  float cutoff2, inverse_cutoff, ceiling;
  int sites, site_kinds, turns;
};

/// Lists the atoms of a shell around the brick's middle, in the order of the cells, behind those listed already.
__device__ void list_atoms(const CellGrid& grid, const double3* __restrict__ places,
                           const std::uint32_t* __restrict__ kinds, const std::uint32_t* __restrict__ starts,
                           const double* middle, double inner2, double outer2, double outer, float4* listed,
                           int* warp_counts, int& count, bool& overflow) {
  int lower[3], upper[3];
  for (int axis = 0; axis < 3; ++axis) {
    lower[axis] = grid.along(axis, middle[axis] - outer);
    upper[axis] = grid.along(axis, middle[axis] + outer);
  }
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int z = lower[2]; z <= upper[2]; ++z) {
    for (int y = lower[1]; y <= upper[1]; ++y) {
      const std::uint32_t begin = starts[grid.index(lower[0], y, z)], end = starts[grid.index(upper[0], y, z) + 1];
      for (std::uint32_t from = begin; from < end; from += threads) {
        const std::uint32_t i = from + threadIdx.x;
        bool taken = false;
        float4 atom{};
        if (i < end) {
          const double3 p = places[i];
          const double dx = p.x - middle[0], dy = p.y - middle[1], dz = p.z - middle[2];
          const double d2 = dx * dx + dy * dy + dz * dz;
          taken = d2 >= inner2 && d2 < outer2;
          atom = {static_cast<float>(dx), static_cast<float>(dy), static_cast<float>(dz), __uint_as_float(kinds[i])};
        }
        const unsigned votes = __ballot_sync(0xffffffffu, taken);
        if (lane == 0) warp_counts[warp] = __popc(votes);
        __syncthreads();
        int place = count + __popc(votes & ((1u << lane) - 1u));
        int all = 0;
        for (int w = 0; w < threads / 32; ++w) {
          if (w < warp) place += warp_counts[w];
          all += warp_counts[w];
        }
        if (taken && place < room) listed[place] = atom;
        count += all;
        __syncthreads();
      }
    }
  }
  overflow = overflow || count > room;
}

/// Tables of the probe, and where its energies end.
struct ProbeTables {
  const float4* __restrict__ laws;     ///< kind * site_kinds + kind of the site
  const float4* __restrict__ offsets;  ///< orientation * sites + site; w: the site's kind
};

/// Adds the energies of sites of one kind at `places` places with the atoms begin, begin + step, ... below end.
template <ProbeTerms terms, int places>
__device__ __forceinline__ void add_energies(const float4* __restrict__ atoms, int begin, int end, int step,
                                             const float (&at)[places][3], const float4* __restrict__ laws,
                                             unsigned kind, const ProbeLimits& limits, float (&sums)[places]) {
  for (int n = begin; n < end; n += step) {
    const float4 atom = atoms[n];
    const float4 law = laws[__float_as_uint(atom.w) * static_cast<unsigned>(limits.site_kinds) + kind];
#pragma unroll
    for (int p = 0; p < places; ++p) {
      const float dx = at[p][0] - atom.x, dy = at[p][1] - atom.y, dz = at[p][2] - atom.z;
      const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
      const float safe = fmaxf(r2, static_cast<float>(probe_closest * probe_closest));
      const float inverse = fast_reciprocal(safe);
      const float i6 = inverse * inverse * inverse;
      float energy;
      if (terms == ProbeTerms::buckingham) {
        energy = safe < law.w ? static_cast<float>(probe_closed) : fmaf(law.x, expf(-law.y * sqrtf(safe)), -law.z * i6);
      } else {
        energy = fmaf(law.x, i6, -law.y) * i6;
        if (terms == ProbeTerms::with_charges) energy = fmaf(law.z, sqrtf(inverse) - limits.inverse_cutoff, energy);
      }
      sums[p] += r2 < limits.cutoff2 ? energy : 0.0f;
    }
  }
}

/// What a block has in shared memory.
struct ProbeRoom {
  float4 atoms[room];
  float place[3][threads];  ///< of the brick's points
  float energies[group][threads];
  unsigned short items[group * threads];  ///< turn * threads + point, where the near atoms leave room
  int warp_counts[threads / 32];
  int listed;
  float depth;
};

/// The energies of `places` turns from the o-th of the group on, at the thread's point with the near atoms.
template <ProbeTerms terms, int places>
__device__ __forceinline__ void near_energies(ProbeRoom& shared, int near_count, int first, int o,
                                              const ProbeTables& tables, const ProbeLimits& limits, bool inside) {
  const int t = static_cast<int>(threadIdx.x);
  float energies[places] = {};
  for (int s = 0; s < limits.sites; ++s) {
    float at[places][3], sums[places] = {};
    unsigned kind = 0;
#pragma unroll
    for (int p = 0; p < places; ++p) {
      const float4 offset = tables.offsets[(first + o + p) * limits.sites + s];
      at[p][0] = shared.place[0][t] + offset.x;
      at[p][1] = shared.place[1][t] + offset.y;
      at[p][2] = shared.place[2][t] + offset.z;
      kind = __float_as_uint(offset.w);
    }
    add_energies<terms>(shared.atoms, 0, near_count, 1, at, tables.laws, kind, limits, sums);
#pragma unroll
    for (int p = 0; p < places; ++p) energies[p] += sums[p];
  }
#pragma unroll
  for (int p = 0; p < places; ++p) shared.energies[o + p][t] = inside ? energies[p] : largest;
}

/// Adds the energies of listed items m, m + 1, ... with the far atoms, which the lanes of the warp share.
template <ProbeTerms terms>
__device__ __forceinline__ void far_energies(ProbeRoom& shared, int near_count, int count, int first, int m,
                                             const ProbeTables& tables, const ProbeLimits& limits) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float sums[at_once] = {};
  int items[at_once];
#pragma unroll
  for (int p = 0; p < at_once; ++p) items[p] = shared.items[min(m + p, shared.listed - 1)];
  for (int s = 0; s < limits.sites; ++s) {
    float at[at_once][3];
    unsigned kind = 0;
#pragma unroll
    for (int p = 0; p < at_once; ++p) {
      const int turn = first + items[p] / threads, point = items[p] % threads;
      const float4 offset = tables.offsets[turn * limits.sites + s];
      at[p][0] = shared.place[0][point] + offset.x;
      at[p][1] = shared.place[1][point] + offset.y;
      at[p][2] = shared.place[2][point] + offset.z;
      kind = __float_as_uint(offset.w);
    }
    add_energies<terms>(shared.atoms, near_count + lane, count, 32, at, tables.laws, kind, limits, sums);
  }
#pragma unroll
  for (int p = 0; p < at_once; ++p) {
    for (int step = 16; step > 0; step /= 2) sums[p] += __shfl_xor_sync(0xffffffffu, sums[p], step);
    if (lane == 0 && m + p < shared.listed) shared.energies[items[p] / threads][items[p] % threads] += sums[p];
  }
}

template <ProbeTerms terms>
__global__ void __launch_bounds__(threads)
    probe_kernel(CellGrid grid, const double3* __restrict__ places, const std::uint32_t* __restrict__ kinds,
                 const std::uint32_t* __restrict__ starts, ProbeTables tables, const float* __restrict__ depths,
                 Bricks b, ProbeLimits limits, std::size_t first, float* __restrict__ values,
                 int* __restrict__ too_many) {
  __shared__ ProbeRoom shared;
  const std::size_t brick = first + blockIdx.x;
  const int bi = static_cast<int>(brick % static_cast<unsigned>(b.bricks[0])) * b.sides[0];
  const int bj =
      static_cast<int>(brick / static_cast<unsigned>(b.bricks[0]) % static_cast<unsigned>(b.bricks[1])) * b.sides[1];
  const int bk =
      static_cast<int>(brick / static_cast<unsigned>(b.bricks[0]) / static_cast<unsigned>(b.bricks[1])) * b.sides[2];
  double middle[3];
  for (int axis = 0; axis < 3; ++axis)
    middle[axis] = b.origin[axis] + bi * b.step[axis] + bj * b.step[3 + axis] + bk * b.step[6 + axis] + b.half[axis];
  if (threadIdx.x == 0) shared.depth = 0;
  __syncthreads();
  int count = 0;
  bool overflow = false;
  list_atoms(grid, places, kinds, starts, middle, 0, limits.decisive * limits.decisive, limits.decisive, shared.atoms,
             shared.warp_counts, count, overflow);
  const int near_count = min(count, room);
  list_atoms(grid, places, kinds, starts, middle, limits.decisive * limits.decisive, limits.reach * limits.reach,
             limits.reach, shared.atoms, shared.warp_counts, count, overflow);
  if (overflow) {
    if (threadIdx.x == 0) *too_many = 1;
    return;
  }
  float mine = 0;
  for (int n = near_count + static_cast<int>(threadIdx.x); n < count; n += threads)
    mine += depths[__float_as_uint(shared.atoms[n].w)];
  atomicAdd(&shared.depth, mine);
  const int t = static_cast<int>(threadIdx.x);
  const int i = t % b.sides[0], j = t / b.sides[0] % b.sides[1], k = t / b.sides[0] / b.sides[1];
  const bool inside = k < b.sides[2] && bi + i < b.counts[0] && bj + j < b.counts[1] && bk + k < b.counts[2];
  for (int axis = 0; axis < 3; ++axis)
    shared.place[axis][t] =
        static_cast<float>(i * b.step[axis] + j * b.step[3 + axis] + k * b.step[6 + axis] - b.half[axis]);
  __syncthreads();
  const float threshold = terms == ProbeTerms::with_charges ? largest : limits.ceiling + 1 + shared.depth;
  float lowest = largest, sum = 0;
  for (int from = 0; from < limits.turns; from += group) {
    const int turns = min(group, limits.turns - from);
    if (t == 0) shared.listed = 0;
    int o = 0;
    for (; o + at_once <= turns; o += at_once)
      near_energies<terms, at_once>(shared, near_count, from, o, tables, limits, inside);
    for (; o < turns; ++o) near_energies<terms, 1>(shared, near_count, from, o, tables, limits, inside);
    __syncthreads();
    for (o = 0; o < turns; ++o) {
      const bool open = shared.energies[o][t] < threshold;
      const unsigned votes = __ballot_sync(0xffffffffu, open);
      if (votes == 0) continue;
      int place = 0;
      if (t % 32 == 0) place = atomicAdd(&shared.listed, __popc(votes));
      place = __shfl_sync(0xffffffffu, place, 0) + __popc(votes & ((1u << (t % 32)) - 1u));
      if (open) shared.items[place] = static_cast<unsigned short>(o * threads + t);
    }
    __syncthreads();
    for (int m = t / 32 * at_once; m < shared.listed; m += threads / 32 * at_once)
      far_energies<terms>(shared, near_count, count, from, m, tables, limits);
    __syncthreads();
    for (o = 0; o < turns; ++o) {
      const float energy = shared.energies[o][t];
      if (energy < lowest) {
        sum = fmaf(sum, expf(energy - lowest), 1.0f);
        lowest = energy;
      } else {
        sum += expf(lowest - energy);
      }
    }
  }
  if (!inside) return;
  const float value = lowest >= limits.ceiling
                          ? limits.ceiling
                          : fminf(limits.ceiling, lowest - logf(sum / static_cast<float>(limits.turns)));
  values[static_cast<std::size_t>(bi + i) +
         static_cast<std::size_t>(b.counts[0]) *
             (static_cast<std::size_t>(bj + j) +
              static_cast<std::size_t>(b.counts[1]) * static_cast<std::size_t>(bk + k))] = value;
}

auto kernel_of(ProbeTerms terms) {
  return terms == ProbeTerms::buckingham     ? probe_kernel<ProbeTerms::buckingham>
         : terms == ProbeTerms::with_charges ? probe_kernel<ProbeTerms::with_charges>
                                             : probe_kernel<ProbeTerms::lennard_jones>;
}

Bricks bricks_of(const ProbeSystem& system, const Grid& grid, const glm::ivec3& sides) {
  Bricks b{};
  const glm::dvec3 origin = grid.origin - system.middle, half = grid.step * (0.5 * glm::dvec3(sides - 1));
  for (int axis = 0; axis < 3; ++axis) {
    b.origin[axis] = origin[axis];
    b.half[axis] = half[axis];
    for (int edge = 0; edge < 3; ++edge) b.step[3 * edge + axis] = grid.step[edge][axis];
    b.counts[axis] = grid.counts[axis];
    b.sides[axis] = sides[axis];
    b.bricks[axis] = (grid.counts[axis] + sides[axis] - 1) / sides[axis];
  }
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 p((corner & 1 ? 1 : -1) * 0.5 * (sides.x - 1), (corner & 2 ? 1 : -1) * 0.5 * (sides.y - 1),
                       (corner & 4 ? 1 : -1) * 0.5 * (sides.z - 1));
    b.radius = std::max(b.radius, glm::length(grid.step * p));
  }
  return b;
}

}  // namespace

void probe_free_energy_cuda(const ProbeSystem& system, const Grid& grid, Span<float> free_energy, Job& job) {
  static_assert(sizeof(glm::dvec3) == sizeof(double3));
  Stream stream(free_energy.device);
  std::vector<double3> places;
  for (const glm::dvec3& p : system.places)
    places.push_back({p.x - system.middle.x, p.y - system.middle.y, p.z - system.middle.z});
  std::vector<float4> laws, offsets;
  for (const ProbeLaw& law : system.laws)
    laws.push_back({static_cast<float>(law.a), static_cast<float>(law.b), static_cast<float>(law.q),
                    static_cast<float>(law.top2)});
  for (std::size_t n = 0; n < system.offsets.size(); ++n) {
    const glm::dvec3& o = system.offsets[n];
    float4 offset{static_cast<float>(o.x), static_cast<float>(o.y), static_cast<float>(o.z), 0};
    std::memcpy(&offset.w, &system.site_kind[n % system.sites()], sizeof(float));
    offsets.push_back(offset);
  }
  const std::vector<float> depth(system.depths.begin(), system.depths.end());
  const auto on_places = DeviceArray<double3>::from_host(places, stream, "probe: atoms");
  const auto on_kinds = DeviceArray<std::uint32_t>::from_host(system.kinds, stream, "probe: kinds of atoms");
  const auto on_starts = DeviceArray<std::uint32_t>::from_host(system.starts, stream, "probe: cells");
  const auto on_laws = DeviceArray<float4>::from_host(laws, stream, "probe: laws");
  const auto on_depths = DeviceArray<float>::from_host(depth, stream, "probe: depths");
  const auto on_offsets = DeviceArray<float4>::from_host(offsets, stream, "probe: sites");
  const int zero = 0;
  auto flag = DeviceArray<int>::from_host({&zero, 1}, stream, "probe: flag");
  const double extent = system.reach - system.cutoff;
  // Smaller bricks have fewer atoms near them: tried where those of larger ones are too many for shared memory.
  for (const glm::ivec3 sides : {glm::ivec3(8, 4, 4), glm::ivec3(4, 4, 2), glm::ivec3(2, 2, 1), glm::ivec3(1, 1, 1)}) {
    const Bricks b = bricks_of(system, grid, sides);
    const ProbeLimits limits{system.reach + b.radius,
                             std::min(system.reach + b.radius, b.radius + extent + system.near),
                             static_cast<float>(system.cutoff * system.cutoff),
                             static_cast<float>(system.inverse_cutoff()),
                             static_cast<float>(probe_ceiling),
                             static_cast<int>(system.sites()),
                             static_cast<int>(system.site_kinds),
                             static_cast<int>(system.orientations())};
    copy_memory(flag.data(), stream.device(), &zero, Device::cpu(), sizeof zero, stream.handle());
    const std::size_t total = static_cast<std::size_t>(b.bricks[0]) * static_cast<std::size_t>(b.bricks[1]) *
                              static_cast<std::size_t>(b.bricks[2]);
    for_slices(total, 2048, stream, job, "probe", [&](std::size_t begin, std::size_t count) {
      launch("probe", stream, kernel_of(system.terms), {static_cast<unsigned>(count), 1, 1}, {threads, 1, 1},
             system.cells, on_places.data(), on_kinds.data(), on_starts.data(),
             ProbeTables{on_laws.data(), on_offsets.data()}, on_depths.data(), b, limits, begin, free_energy.data,
             flag.data());
    });
    stream.synchronize("probe");
    if (flag.copy_to_host()[0] == 0) return;
  }
  throw Error("probe: more than 2560 atoms are within reach of a point; choose a shorter cutoff", Error::Kind::usage);
}

}  // namespace isolume
