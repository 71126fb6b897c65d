// Masks and windows of maps on CUDA: a warp an atom, a block a window; distances with the CPU's rounding.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/density_maps/density_map_body.h"
#include "compute/density_maps/map_windows_body.h"
#include "compute/frames/frame_kernels.cuh"

namespace isolume {
namespace {

constexpr int threads = 256;
constexpr int lanes = 32;

struct WindowGrid {
  double origin[3], step[9];  // columns, as glm's
  int counts[3];
};

WindowGrid grid_of(const Grid& grid) {
  WindowGrid g{};
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    g.counts[axis] = grid.counts[axis];
    for (int row = 0; row < 3; ++row) g.step[3 * axis + row] = grid.step[axis][row];
  }
  return g;
}

/// Calls use(i, j, k) for the points within a distance of a position, shared among the lanes of a warp.
template <class Use>
__device__ void each_point(const WindowGrid& g, const double* centre, double distance, unsigned lane, const Use& use) {
  int lower[3];
  int size[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double step = g.step[4 * axis];
    const double at = (centre[axis] - g.origin[axis]) / step;
    const double reach = distance / fabs(step);
    lower[axis] = static_cast<int>(fmin(fmax(ceil(at - reach - 1e-9), 0.0), 2e9));
    const int upper = static_cast<int>(fmin(fmax(floor(at + reach + 1e-9), -1.0), g.counts[axis] - 1.0));
    if (upper < lower[axis]) return;
    size[axis] = upper - lower[axis] + 1;
  }
  const double limit = distance * distance;
  const unsigned long long count =
      static_cast<unsigned long long>(size[0]) * static_cast<unsigned>(size[1]) * static_cast<unsigned>(size[2]);
  for (unsigned long long n = lane; n < count; n += lanes) {
    const int i = lower[0] + static_cast<int>(n % static_cast<unsigned>(size[0]));
    const unsigned long long row = n / static_cast<unsigned>(size[0]);
    const int j = lower[1] + static_cast<int>(row % static_cast<unsigned>(size[1]));
    const int k = lower[2] + static_cast<int>(row / static_cast<unsigned>(size[1]));
    double squares[3];
    for (int axis = 0; axis < 3; ++axis) {
      // No step is fused into another, so that a point on the border is on the same side as on the CPU.
      const double moved = __dadd_rn(__dadd_rn(__dmul_rn(g.step[axis], i), __dmul_rn(g.step[3 + axis], j)),
                                     __dmul_rn(g.step[6 + axis], k));
      const double d = __dsub_rn(__dadd_rn(g.origin[axis], moved), centre[axis]);
      squares[axis] = __dmul_rn(d, d);
    }
    if (__dadd_rn(__dadd_rn(squares[0], squares[1]), squares[2]) <= limit) use(i, j, k);
  }
}

__global__ void __launch_bounds__(threads)
    near_kernel(WindowGrid g, const double* __restrict__ positions, std::size_t first, std::size_t end, double distance,
                std::uint8_t* __restrict__ mask) {
  const std::size_t n = first + (static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x) / lanes;
  if (n >= end) return;
  each_point(g, positions + 3 * n, distance, threadIdx.x % lanes, [&](int i, int j, int k) {
    // Several threads may write the same 1.
    mask[static_cast<std::size_t>(i) +
         static_cast<std::size_t>(g.counts[0]) *
             (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.counts[1]) * static_cast<std::size_t>(k))] = 1;
  });
}

/// What a point adds to the sums, where it counts.
__device__ void add_point(double (&sums)[6], float a, float b) {
  const double da = static_cast<double>(a);
  const double db = static_cast<double>(b);
  sums[0] += 1;
  sums[1] += da;
  sums[2] += db;
  sums[3] += da * da;
  sums[4] += db * db;
  sums[5] += da * db;
}

struct MaskTerm {
  const float* a;
  const float* b;
  const std::uint8_t* mask;
  __device__ void add(std::size_t, std::size_t i, double (&sums)[6]) const {
    if (mask[i]) add_point(sums, a[i], b[i]);
  }
};

struct Windows {
  const double* positions;
  const std::uint32_t* starts;
  const std::uint32_t* numbers;
  const PointBox* boxes;
  const std::size_t* places;  // of each group's marks
  std::uint8_t* marks;
  double distance;
  const float* a;
  const float* b;
  double* sums;  // 6 of each group
};

/// A block marks the points near the atoms of its group, each once, and adds up what is there.
__global__ void __launch_bounds__(threads) window_kernel(WindowGrid g, Windows w, std::size_t first_group) {
  __shared__ double room[threads / lanes][6];
  const std::size_t group = first_group + blockIdx.x;
  const PointBox& box = w.boxes[group];
  const std::size_t sx = static_cast<std::size_t>(box.size.x);
  const std::size_t sy = static_cast<std::size_t>(box.size.y);
  const std::size_t points = sx * sy * static_cast<std::size_t>(box.size.z);
  std::uint8_t* const marks = w.marks + w.places[group];
  for (std::size_t p = threadIdx.x; p < points; p += threads) marks[p] = 0;
  __syncthreads();
  for (std::uint32_t member = w.starts[group] + threadIdx.x / lanes; member < w.starts[group + 1];
       member += threads / lanes) {
    const std::size_t atom = w.numbers[member];
    each_point(g, w.positions + 3 * atom, w.distance, threadIdx.x % lanes, [&](int i, int j, int k) {
      marks[static_cast<std::size_t>(i - box.lower.x) +
            sx * (static_cast<std::size_t>(j - box.lower.y) + sy * static_cast<std::size_t>(k - box.lower.z))] = 1;
    });
  }
  __syncthreads();
  double sums[6] = {};
  for (std::size_t p = threadIdx.x; p < points; p += threads) {
    if (marks[p] == 0) continue;
    const std::size_t i = static_cast<std::size_t>(box.lower.x) + p % sx;
    const std::size_t j = static_cast<std::size_t>(box.lower.y) + p / sx % sy;
    const std::size_t k = static_cast<std::size_t>(box.lower.z) + p / sx / sy;
    const std::size_t at = i + static_cast<std::size_t>(g.counts[0]) * (j + static_cast<std::size_t>(g.counts[1]) * k);
    add_point(sums, w.a[at], w.b[at]);
  }
  for (int s = 0; s < 6; ++s) {
    for (int offset = lanes / 2; offset > 0; offset /= 2) sums[s] += __shfl_down_sync(~0u, sums[s], offset);
    if (threadIdx.x % lanes == 0) room[threadIdx.x / lanes][s] = sums[s];
  }
  __syncthreads();
  if (threadIdx.x >= 6) return;
  double sum = 0;
  for (int warp = 0; warp < threads / lanes; ++warp) sum += room[warp][threadIdx.x];
  w.sums[6 * group + threadIdx.x] = sum;
}

DeviceArray<double> positions_on(std::span<const glm::dvec3> positions, const Stream& stream) {
  const std::span<const double> numbers(positions.empty() ? nullptr : &positions.front().x, 3 * positions.size());
  return DeviceArray<double>::from_host(numbers, stream, "positions of a model");
}

}  // namespace

void points_near_cuda(const Grid& grid, std::span<const glm::dvec3> positions, double distance, Span<std::uint8_t> mask,
                      Job& job) {
  Stream stream(mask.device);
  const DeviceArray<double> there = positions_on(positions, stream);
  cuda_check(cuda_api().set_bytes(mask.data, 0, mask.bytes(), stream.handle()), "points near atoms");
  const WindowGrid g = grid_of(grid);
  for_slices(positions.size(), std::size_t{1} << 14, stream, job, "points near atoms",
             [&](std::size_t begin, std::size_t count) {
               launch("points near atoms", stream, near_kernel, blocks_for(count, threads / lanes), {threads}, g,
                      there.data(), begin, begin + count, distance, mask.data);
             });
  stream.synchronize("points near atoms");
}

MapSums masked_sums_cuda(const MapPair& maps, Span<const std::uint8_t> mask, Job& job) {
  Stream stream(mask.device);
  const MaskTerm term{maps.a.data, maps.b.data, mask.data};
  const std::vector<double> found =
      frame_kernels::totals<6>("sums within a mask", stream, term, 1, mask.size).copy_to_host();
  job.check();
  return map_sums(found.data());
}

std::vector<MapSums> window_sums_cuda(const WindowTask& task, Device device, Job& job) {
  const std::size_t groups = task.boxes.size();
  Stream stream(device);
  // Marks of as many groups at a time as fit; those of a part of the groups follow one another.
  std::vector<std::size_t> places(groups), ends;
  std::size_t most = 1, used = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t points = task.boxes[g].points();
    if (used > 0 && used + points > window_marks) {
      ends.push_back(g);
      used = 0;
    }
    places[g] = used;
    used += points;
    most = std::max(most, used);
  }
  ends.push_back(groups);
  const DeviceArray<double> positions = positions_on(task.positions, stream);
  const auto starts = DeviceArray<std::uint32_t>::from_host(task.starts, stream, "windows");
  const auto numbers = DeviceArray<std::uint32_t>::from_host(task.numbers, stream, "windows");
  const auto boxes = DeviceArray<PointBox>::from_host(task.boxes, stream, "windows");
  const auto there = DeviceArray<std::size_t>::from_host(places, stream, "windows");
  DeviceArray<std::uint8_t> marks(most, stream, "points of windows");
  DeviceArray<double> sums(6 * groups, stream, "sums of windows");
  const Windows w{positions.data(), starts.data(), numbers.data(),   boxes.data(),     there.data(),
                  marks.data(),     task.distance, task.maps.a.data, task.maps.b.data, sums.data()};
  const WindowGrid g = grid_of(task.grid);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    for_slices(end - begin, std::size_t{1} << 12, stream, job, "local correlation",
               [&](std::size_t first, std::size_t count) {
                 launch("local correlation: windows", stream, window_kernel, {static_cast<unsigned>(count)}, {threads},
                        g, w, begin + first);
               });
    begin = end;
  }
  stream.synchronize("local correlation");
  const std::vector<double> found = sums.copy_to_host();
  std::vector<MapSums> result;
  result.reserve(groups);
  for (std::size_t n = 0; n < groups; ++n) result.push_back(map_sums(&found[6 * n]));
  return result;
}

}  // namespace isolume
