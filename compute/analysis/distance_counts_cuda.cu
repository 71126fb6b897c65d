// Counts of distances on CUDA: a warp takes 64 points against the tiles near them, counters in shared memory.
#include <algorithm>
#include <string>

#include "compute/analysis/distance_tiles.h"
#include "compute/base/device_array.h"
#include "compute/base/job_part.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr int warps = 4;                         ///< of a block
constexpr std::uint32_t own = 64;                ///< points of a warp, two in each lane
constexpr std::uint32_t few_counters = 3072;     ///< in shared memory, where the bins are few
constexpr std::uint32_t many_counters = 8704;    ///< and where they are many
constexpr std::uint32_t bins_of_pass = 8192;     ///< more are counted in several passes over the pairs
constexpr float whole = 8388608.0f;              ///< 2^23: numbers above have no fraction
constexpr std::uint32_t zero_bin = 0x4b000000u;  ///< its bits; those of the next numbers follow

struct Box {
  float lower[3], upper[3];
};

__global__ void key_kernel(const float* __restrict__ positions, std::uint32_t count, DistanceOrder order,
                           std::uint32_t* __restrict__ keys, std::uint32_t* __restrict__ numbers,
                           std::uint32_t* __restrict__ fault) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float x = positions[3 * i], y = positions[3 * i + 1], z = positions[3 * i + 2];
  if (!isfinite(x + y + z)) *fault = i + 1;
  std::uint32_t key = 0;
  order.place(x, y, z, key);
  keys[i] = key;
  numbers[i] = i;
}

__device__ float lane_least(float value) {
  for (int step = 16; step > 0; step /= 2) value = fminf(value, __shfl_xor_sync(~0u, value, step));
  return value;
}
__device__ float lane_most(float value) {
  for (int step = 16; step > 0; step /= 2) value = fmaxf(value, __shfl_xor_sync(~0u, value, step));
  return value;
}

/// A block puts 1024 points into their places, a warp a tile, and finds the boxes of its tiles and of all of them.
__global__ void __launch_bounds__(1024)
    place_kernel(const float* __restrict__ positions, const std::uint32_t* __restrict__ groups,
                 const std::uint32_t* __restrict__ numbers, std::uint32_t count, DistanceOrder order,
                 float4* __restrict__ sorted, Box* __restrict__ tiles, Box* __restrict__ blocks) {
  __shared__ Box shared[32];
  const std::uint32_t i = blockIdx.x * 1024 + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x % 32), warp = static_cast<int>(threadIdx.x / 32);
  const float nan = nanf("");
  float4 p{nan, nan, nan, __uint_as_float(0)};
  if (i < count) {
    const std::uint32_t from = numbers[i];
    std::uint32_t key = 0;
    const DistancePlace place = order.place(positions[3 * from], positions[3 * from + 1], positions[3 * from + 2], key);
    p = {place.x, place.y, place.z, __uint_as_float(groups ? groups[from] : 0u)};
  }
  sorted[i] = p;
  // fminf and fmaxf pass over what is not a number.
  const float at[3] = {p.x, p.y, p.z};
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = fminf(lane_least(at[axis]), 1e30f);
    box.upper[axis] = fmaxf(lane_most(at[axis]), -1e30f);
  }
  if (lane == 0) {
    shared[warp] = box;
    tiles[blockIdx.x * 32 + warp] = box;
  }
  __syncthreads();
  if (warp != 0) return;
  box = shared[lane];
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = lane_least(box.lower[axis]);
    box.upper[axis] = lane_most(box.upper[axis]);
  }
  if (lane == 0) blocks[blockIdx.x] = box;
}

__device__ bool near_box(const Box& box, const Box& of, float reach2) {
  float sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const float gap = fmaxf(0.0f, fmaxf(box.lower[axis] - of.upper[axis], of.lower[axis] - box.upper[axis]));
    sum = fmaf(gap, gap, sum);
  }
  return sum < reach2;
}

struct CountTask {
  const float4* a;
  const Box* a_tiles;
  const float4* b;
  const Box* b_tiles;
  const Box* b_blocks;
  const float4* shifts;
  Box b_all;                  ///< of all points of b, or more
  std::uint32_t block_count;  ///< of b, 32 tiles each
  std::uint32_t shift_count;
  std::uint32_t first_bin, bins;  ///< that are counted
  std::uint32_t parts;            ///< warps that share the blocks of b
  bool within;
};

/// The bin of a pair, as an index of a counter from `base` on: what is beyond goes to the spare counter of the lane or
/// one before it, and so does what is below, where the difference wraps around.
template <bool passes>
__device__ std::uint32_t counter_of(float dx, float dy, float dz, std::uint32_t spare, std::uint32_t base) {
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(fmaf(dz, dz, fmaf(dy, dy, dx * dx))));
  const std::uint32_t bits = __float_as_uint(__fadd_rz(r, whole));
  return passes ? min(bits - base, spare - base) : min(bits, spare);
}

/// Points of b against the two of each lane.
template <bool diagonal, bool groups, bool passes, std::uint32_t counters>
__device__ __forceinline__ void count_pairs(const float4* tile, std::uint32_t count, const float3 (&p)[2],
                                            const std::uint32_t (&group)[2], std::uint32_t first_a,
                                            std::uint32_t first_b, std::uint32_t spare, std::uint32_t base,
                                            std::uint32_t (&counted)[counters]) {
#pragma unroll 8
  for (std::uint32_t j = 0; j < count; ++j) {
    const float4 q = tile[j];
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      // With passes the index is from the first bin of the pass on, else from the first number above 2^23.
      const std::uint32_t none = passes ? spare - base : spare;
      std::uint32_t at = counter_of<passes>(q.x - p[k].x, q.y - p[k].y, q.z - p[k].z, spare, base);
      if (groups) at = __float_as_uint(q.w) == group[k] ? none : at;
      if (diagonal) at = first_a + 32 * k < first_b + j ? at : none;
      atomicAdd(&counted[passes ? at : at - zero_bin], 1u);
    }
  }
}

template <std::uint32_t counters, bool groups, bool passes>
__global__ void __launch_bounds__(32 * warps)
    count_kernel(CountTask task, std::uint32_t first, std::uint32_t end, unsigned long long* __restrict__ counts) {
  __shared__ std::uint32_t counted[counters];
  __shared__ float4 staged[warps][distance_tile];
  const std::uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (std::uint32_t k = threadIdx.x; k < task.bins; k += 32 * warps) counted[k] = 0;
  __syncthreads();
  const auto bins = static_cast<float>(task.first_bin + task.bins);
  const float reach2 = bins * bins * 1.0001f;
  const std::uint32_t base = zero_bin + task.first_bin, spare = base + task.bins + lane;
  for (std::uint32_t item = first + blockIdx.x * warps + warp; item < end; item += gridDim.x * warps) {
    const std::uint32_t pair = item / task.parts, part = item % task.parts;  // of tiles of a, and of blocks of b
    const std::uint32_t first_a = pair * own + lane;
    float4 at[2];
    std::uint32_t group[2];
    for (int k = 0; k < 2; ++k) {
      at[k] = task.a[first_a + 32 * k];
      group[k] = __float_as_uint(at[k].w);
    }
    Box box = task.a_tiles[2 * pair];
    const Box next = task.a_tiles[2 * pair + 1];
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = fminf(box.lower[axis], next.lower[axis]);
      box.upper[axis] = fmaxf(box.upper[axis], next.upper[axis]);
    }
    const auto moved = [&](const float4& shift) {
      const float by[3] = {shift.x, shift.y, shift.z};
      Box there;
      for (int axis = 0; axis < 3; ++axis) {
        there.lower[axis] = box.lower[axis] - by[axis];
        there.upper[axis] = box.upper[axis] - by[axis];
      }
      return there;
    };
    for (std::uint32_t group_of_shifts = 0; group_of_shifts < task.shift_count; group_of_shifts += 32)
      for (unsigned shifts = __ballot_sync(
               ~0u,
               group_of_shifts + lane < task.shift_count &&
                   near_box(task.b_all, moved(task.shifts[min(group_of_shifts + lane, task.shift_count - 1)]), reach2));
           shifts != 0; shifts &= shifts - 1) {
        const std::uint32_t s = group_of_shifts + static_cast<std::uint32_t>(__ffs(static_cast<int>(shifts)) - 1);
        const float4 shift = task.shifts[s];
        const float move[3] = {shift.x, shift.y, shift.z};
        const Box here = moved(shift);
        const float3 p[2] = {{at[0].x - move[0], at[0].y - move[1], at[0].z - move[2]},
                             {at[1].x - move[0], at[1].y - move[1], at[1].z - move[2]}};
        // Blocks of b in turn among the warps that share them.
        const std::uint32_t begin = task.within ? pair / 16 : 0;
        for (std::uint32_t row = begin + part; row < task.block_count; row += 32 * task.parts) {
          const std::uint32_t mine = row + lane * task.parts;
          unsigned blocks = __ballot_sync(
              ~0u, mine < task.block_count && near_box(task.b_blocks[min(mine, task.block_count - 1)], here, reach2));
          for (; blocks != 0; blocks &= blocks - 1) {
            const std::uint32_t block =
                row + static_cast<std::uint32_t>(__ffs(static_cast<int>(blocks)) - 1) * task.parts;
            const std::uint32_t tile = block * 32 + lane;
            unsigned tiles =
                __ballot_sync(~0u, near_box(task.b_tiles[tile], here, reach2) && !(task.within && tile < 2 * pair));
            for (; tiles != 0; tiles &= tiles - 1) {
              const std::uint32_t chosen = block * 32 + static_cast<std::uint32_t>(__ffs(static_cast<int>(tiles)) - 1);
              const float4 q = task.b[chosen * distance_tile + lane];
              const bool diagonal = task.within && chosen < 2 * pair + 2;
              // Of the tile those points alone that are near the box of the warp's own.
              const Box point{{q.x, q.y, q.z}, {q.x, q.y, q.z}};
              const unsigned kept = __ballot_sync(~0u, diagonal || near_box(point, here, reach2));
              __syncwarp();
              if (kept >> lane & 1u) staged[warp][__popc(kept & ((1u << lane) - 1))] = q;
              __syncwarp();
              if (diagonal) {
                count_pairs<true, groups, passes>(staged[warp], distance_tile, p, group, first_a,
                                                  chosen * distance_tile, spare, base, counted);
              } else if (kept == ~0u) {
                count_pairs<false, groups, passes>(staged[warp], distance_tile, p, group, first_a, 0, spare, base,
                                                   counted);
              } else {
                count_pairs<false, groups, passes>(staged[warp], static_cast<std::uint32_t>(__popc(kept)), p, group,
                                                   first_a, 0, spare, base, counted);
              }
            }
          }
        }
      }
  }
  __syncthreads();
  for (std::uint32_t k = threadIdx.x; k < task.bins; k += 32 * warps) {
    if (counted[k] != 0) atomicAdd(counts + task.first_bin + k, static_cast<unsigned long long>(counted[k]));
  }
}

/// Points in order on the device, with their boxes.
struct Sorted {
  Box all;
  DeviceArray<float4> points;
  DeviceArray<Box> tiles, blocks;
  std::uint32_t block_count = 0;
  std::uint32_t pair_count = 0;  ///< of tiles
};

Sorted sorted(const DistancePoints& points, const Cell& cell, const DistanceBins& bins, const Stream& stream,
              std::uint32_t* fault) {
  const CudaApi& api = cuda_api();
  const std::size_t n = points.positions.size;
  const auto count = static_cast<std::uint32_t>(n);
  DeviceArray<glm::vec3> copied;
  const glm::vec3* positions = points.positions.data;
  glm::dvec3 lower(0), upper(0);
  if (!cell.exists()) {
    // The box of the points, which without a cell is as large as they are.
    std::vector<glm::vec3> there;
    const glm::vec3* host = positions;
    if (points.positions.device.is_cuda()) {
      there = copy_to_host(points.positions);
      host = there.data();
    }
    lower = upper = glm::dvec3(host[0]);
    for (std::size_t i = 1; i < n; ++i) {
      lower = glm::min(lower, glm::dvec3(host[i]));
      upper = glm::max(upper, glm::dvec3(host[i]));
    }
    for (int axis = 0; axis < 3; ++axis)
      if (!(upper[axis] - lower[axis] < 1e30)) lower[axis] = upper[axis] = 0;  // the fault is found below
  }
  if (!points.positions.device.is_cuda()) {
    copied = DeviceArray<glm::vec3>::from_host(std::span(positions, n), stream, "distances: points");
    positions = copied.data();
  }
  DeviceArray<std::uint32_t> groups;
  if (!points.groups.empty())
    groups = DeviceArray<std::uint32_t>::from_host(points.groups, stream, "distances: groups");
  const DistanceOrder order = distance_order(n, cell, bins, lower, upper);
  DeviceArray<std::uint32_t> keys(n, stream, "distances: keys"), numbers(n, stream, "distances: keys"),
      sorted_keys(n, stream, "distances: keys"), sorted_numbers(n, stream, "distances: keys");
  const auto* const floats = reinterpret_cast<const float*>(positions);
  launch("distances: keys", stream, key_kernel, blocks_for(n), {256}, floats, count, order, keys.data(), numbers.data(),
         fault);
  int bits = 1;
  while (bits < 32 && (order.total() >> bits) != 0) ++bits;
  std::size_t bytes = 0;
  const auto sort = [&](void* temporary) {
    cuda_check(api.sort_pairs(temporary, &bytes, keys.data(), sorted_keys.data(), numbers.data(), sorted_numbers.data(),
                              n, bits, stream.handle()),
               "distances: sort");
  };
  sort(nullptr);
  DeviceArray<std::uint8_t> temporary(std::max<std::size_t>(bytes, 1), stream, "distances: sort");
  {
    const LaunchTimer timer("distances: sort", stream.device().index, stream.handle());
    sort(temporary.data());
  }
  Sorted result;
  result.block_count = (count + 1023) / 1024;
  result.pair_count = (count + own - 1) / own;
  for (int axis = 0; axis < 3; ++axis) {
    // The box of the fine cells, a little wider for the rounding of points.
    const double begin = order.origin[axis], end = begin + order.cells[axis] / order.per_cell[axis];
    const double room = 1e-5 * (std::abs(begin) + std::abs(end));
    result.all.lower[axis] = static_cast<float>((begin - room) * order.scale);
    result.all.upper[axis] = static_cast<float>((end + room) * order.scale);
  }
  const std::size_t blocks = result.block_count;
  result.points = DeviceArray<float4>(blocks * 1024, stream, "distances: points");
  result.tiles = DeviceArray<Box>(blocks * 32, stream, "distances: boxes");
  result.blocks = DeviceArray<Box>(blocks, stream, "distances: boxes");
  launch("distances: order", stream, place_kernel, {result.block_count}, {1024}, floats,
         groups.empty() ? nullptr : groups.data(), sorted_numbers.data(), count, order, result.points.data(),
         result.tiles.data(), result.blocks.data());
  return result;
}

}  // namespace

void count_distances_cuda(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell,
                          const DistanceBins& bins, Span<std::uint64_t> counts, Job& job) {
  const CudaApi& api = cuda_api();
  Stream stream(counts.device);
  cuda_check(api.set_bytes(counts.data, 0, counts.bytes(), stream.handle()), "distances");
  if (a.positions.empty() || b.positions.empty()) {
    stream.synchronize("distances");
    return;
  }
  DeviceArray<std::uint32_t> fault(2, stream, "distances: points");
  cuda_check(api.set_bytes(fault.data(), 0, 2 * sizeof(std::uint32_t), stream.handle()), "distances");
  const Sorted first = sorted(a, cell, bins, stream, fault.data());
  const Sorted second = within ? Sorted{} : sorted(b, cell, bins, stream, fault.data() + 1);
  const Sorted& other = within ? first : second;
  std::vector<float4> moves;
  for (const DistancePlace& shift : distance_shifts(cell, bins)) moves.push_back({shift.x, shift.y, shift.z, 0});
  const auto shifts = DeviceArray<float4>::from_host(moves, stream, "distances: images");
  CountTask task{first.points.data(),
                 first.tiles.data(),
                 other.points.data(),
                 other.tiles.data(),
                 other.blocks.data(),
                 shifts.data(),
                 other.all,
                 other.block_count,
                 static_cast<std::uint32_t>(moves.size()),
                 0,
                 bins.count,
                 1,
                 within};
  // Enough warps to fill the device; and few enough pairs for each that the counters of a block stay below 2^32.
  const std::uint32_t wished = (6144 + first.pair_count - 1) / first.pair_count;
  task.parts = std::max(std::min(wished, task.block_count), (task.block_count + 8191) / 8192);
  const std::uint64_t pairs_of_block =
      std::uint64_t{warps} * own * 1024 * ((task.block_count + task.parts - 1) / task.parts);
  const std::uint64_t most_rounds = std::max<std::uint64_t>(1, 0xffffffffu / pairs_of_block);
  const bool groups = !a.groups.empty() && !b.groups.empty();
  const bool few = bins.count + 32 <= few_counters, passes = bins.count > bins_of_pass;
  const auto kernel =
      few      ? (groups ? count_kernel<few_counters, true, false> : count_kernel<few_counters, false, false>)
      : passes ? (groups ? count_kernel<many_counters, true, true> : count_kernel<many_counters, false, true>)
               : (groups ? count_kernel<many_counters, true, false> : count_kernel<many_counters, false, false>);
  const std::size_t items = std::size_t{first.pair_count} * task.parts;
  const auto count_bins = [&](std::size_t begin, std::size_t count) {
    // A block takes some of the items in turn, and adds its counters once; there are enough for all processors.
    const std::size_t blocks = (count + warps - 1) / warps;
    const std::size_t rounds = std::clamp<std::uint64_t>(blocks / 2048, 1, most_rounds);
    launch("distances: pairs", stream, kernel, blocks_for(blocks, static_cast<unsigned>(rounds)), {32 * warps}, task,
           static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + count),
           reinterpret_cast<unsigned long long*>(counts.data));
  };
  for (std::uint32_t bin = 0; bin < bins.count; bin += bins_of_pass) {
    task.first_bin = bin;
    task.bins = std::min(bins_of_pass, bins.count - bin);
    // Pairs beyond the last bin of a pass are passed over, so that the first passes take less.
    JobPart part(job, static_cast<double>(bin) / bins.count, static_cast<double>(bin + task.bins) / bins.count);
    for_slices(items, 65536, stream, part, "distances", count_bins);
  }
  for (const std::uint32_t point : fault.copy_to_host())
    if (point != 0)
      throw Error("distances: the position of point " + std::to_string(point) + " is not finite", Error::Kind::usage);
}

}  // namespace isolume
