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
constexpr double near_margin = 3.2;  // angstrom: closer atoms keep a probe out

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

template <ProbeTerms terms>
__device__ __forceinline__ float energy_with(const float4* __restrict__ atoms, int begin, int end, float x, float y,
                                             float z, const float4* __restrict__ laws, int site_kinds, int kind,
                                             float cutoff2, float inverse_cutoff) {
  float sum = 0;
  for (int n = begin; n < end; ++n) {
    const float4 atom = atoms[n];
    const float dx = x - atom.x, dy = y - atom.y, dz = z - atom.z;
    const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
    if (r2 >= cutoff2) continue;
    const float4 law = laws[__float_as_uint(atom.w) * static_cast<unsigned>(site_kinds) + static_cast<unsigned>(kind)];
    const float safe = fmaxf(r2, static_cast<float>(probe_closest * probe_closest));
    const float inverse = fast_reciprocal(safe);
    const float i6 = inverse * inverse * inverse;
    if (terms == ProbeTerms::buckingham) {
      sum += safe < law.w ? static_cast<float>(probe_closed) : fmaf(law.x, expf(-law.y * sqrtf(safe)), -law.z * i6);
    } else {
      sum += fmaf(law.x, i6, -law.y) * i6;
      if (terms == ProbeTerms::with_charges) sum = fmaf(law.z, sqrtf(inverse) - inverse_cutoff, sum);
    }
  }
  return sum;
}

template <ProbeTerms terms>
__global__ void __launch_bounds__(threads)
    probe_kernel(CellGrid grid, const double3* __restrict__ places, const std::uint32_t* __restrict__ kinds,
                 const std::uint32_t* __restrict__ starts, const float4* __restrict__ laws,
                 const float* __restrict__ depths, const float4* __restrict__ offsets, Bricks b, ProbeLimits limits,
                 std::size_t first, float* __restrict__ values, int* __restrict__ too_many) {
  __shared__ float4 atoms[room];
  __shared__ int warp_counts[threads / 32];
  __shared__ float depth;
  const std::size_t brick = first + blockIdx.x;
  const int bi = static_cast<int>(brick % static_cast<unsigned>(b.bricks[0])) * b.sides[0];
  const int bj =
      static_cast<int>(brick / static_cast<unsigned>(b.bricks[0]) % static_cast<unsigned>(b.bricks[1])) * b.sides[1];
  const int bk =
      static_cast<int>(brick / static_cast<unsigned>(b.bricks[0]) / static_cast<unsigned>(b.bricks[1])) * b.sides[2];
  double middle[3];
  for (int axis = 0; axis < 3; ++axis)
    middle[axis] = b.origin[axis] + bi * b.step[axis] + bj * b.step[3 + axis] + bk * b.step[6 + axis] + b.half[axis];
  if (threadIdx.x == 0) depth = 0;
  int count = 0;
  bool overflow = false;
  list_atoms(grid, places, kinds, starts, middle, 0, limits.decisive * limits.decisive, limits.decisive, atoms,
             warp_counts, count, overflow);
  const int near_count = min(count, room);
  list_atoms(grid, places, kinds, starts, middle, limits.decisive * limits.decisive, limits.reach * limits.reach,
             limits.reach, atoms, warp_counts, count, overflow);
  if (overflow) {
    if (threadIdx.x == 0) *too_many = 1;
    return;
  }
  float mine = 0;
  for (int n = near_count + static_cast<int>(threadIdx.x); n < count; n += threads)
    mine += depths[__float_as_uint(atoms[n].w)];
  atomicAdd(&depth, mine);
  __syncthreads();
  const float threshold = terms == ProbeTerms::with_charges ? largest : limits.ceiling + 1 + depth;
  const int t = static_cast<int>(threadIdx.x);
  const int i = t % b.sides[0], j = t / b.sides[0] % b.sides[1], k = t / b.sides[0] / b.sides[1];
  if (k >= b.sides[2] || bi + i >= b.counts[0] || bj + j >= b.counts[1] || bk + k >= b.counts[2]) return;
  float at[3];
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = static_cast<float>(i * b.step[axis] + j * b.step[3 + axis] + k * b.step[6 + axis] - b.half[axis]);
  float lowest = largest, sum = 0;
  for (int o = 0; o < limits.turns; ++o) {
    float energy = 0;
    for (int part = 0; part < 2; ++part) {
      const int begin = part == 0 ? 0 : near_count, end = part == 0 ? near_count : count;
      for (int s = 0; s < limits.sites; ++s) {
        const float4 offset = offsets[o * limits.sites + s];
        energy += energy_with<terms>(atoms, begin, end, at[0] + offset.x, at[1] + offset.y, at[2] + offset.z, laws,
                                     limits.site_kinds, static_cast<int>(__float_as_uint(offset.w)), limits.cutoff2,
                                     limits.inverse_cutoff);
      }
      if (energy >= threshold) break;
    }
    if (energy < lowest) {
      sum = fmaf(sum, expf(energy - lowest), 1.0f);
      lowest = energy;
    } else {
      sum += expf(lowest - energy);
    }
  }
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
                             std::min(system.reach + b.radius, b.radius + extent + near_margin),
                             static_cast<float>(system.cutoff * system.cutoff),
                             static_cast<float>(system.inverse_cutoff()),
                             static_cast<float>(probe_ceiling),
                             static_cast<int>(system.sites()),
                             static_cast<int>(system.site_kinds),
                             static_cast<int>(system.orientations())};
    copy_memory(flag.data(), stream.device(), &zero, Device::cpu(), sizeof zero, stream.handle());
    const std::size_t total = static_cast<std::size_t>(b.bricks[0]) * static_cast<std::size_t>(b.bricks[1]) *
                              static_cast<std::size_t>(b.bricks[2]);
    for_slices(total, 512, stream, job, "probe", [&](std::size_t begin, std::size_t count) {
      launch("probe", stream, kernel_of(system.terms), {static_cast<unsigned>(count), 1, 1}, {threads, 1, 1},
             system.cells, on_places.data(), on_kinds.data(), on_starts.data(), on_laws.data(), on_depths.data(),
             on_offsets.data(), b, limits, begin, free_energy.data, flag.data());
    });
    stream.synchronize("probe");
    if (flag.copy_to_host()[0] == 0) return;
  }
  throw Error("probe: more than 2560 atoms are within reach of a point; choose a shorter cutoff", Error::Kind::usage);
}

}  // namespace isolume
