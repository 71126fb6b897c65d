// Direct Coulomb summation on CUDA: sixteen neighbouring points a thread, charges through shared memory.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/stream.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/direct/direct_bodies.h"
#include "compute/electrostatics/direct/direct_shape.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr int block_size = DirectShape::threads;
constexpr int points_per_thread = DirectShape::points_per_thread;
constexpr int stage = DirectShape::stage;

/// A charge in the grid's row frame.
struct FrameCharge {
  double x, y, z;
  float charge;
  float unused;
};

/// The grid as the kernel walks it: tiles of lanes x rows_y x rows_z threads.
struct DirectGrid {
  double ax, bx, by, cx, cy, cz;
  int nx, ny, nz;
  int lanes, rows_y, rows_z;
  unsigned tiles_x, tiles_y;
};

/// What a launch does: tiles from first_tile on, and of the parts of per_part charges, one for each blockIdx.y, those
/// from `begin` to `end`. Sums go on where the launch before left them: they have the same bits however many launches
/// there are.
struct DirectSlice {
  std::size_t first_tile;
  std::size_t begin, end, per_part, charges;
};

/// Where a thread's points are, relative to its tile's corner.
struct ThreadPoints {
  float high_x, low_x;  ///< x in two floats: differences to near charges are then exact, however long the row is
  float y, z, step;
};

/// Adds the charges that are in shared memory. Only charges near the tile can be on a point of it.
template <bool on_points>
__device__ void add_charges(const ThreadPoints& at, const float4* near_part, const float* rest_x, int count,
                            float* sum) {
#pragma unroll 2
  for (int n = 0; n < count; ++n) {
    const float4 c = near_part[n];
    const float dx0 = (at.high_x - c.x) + (at.low_x - rest_x[n]);
    const float dy = at.y - c.y;
    const float dz = at.z - c.z;
    const float d2 = dy * dy + dz * dz;
#pragma unroll
    for (int m = 0; m < points_per_thread; ++m) {
      const float dx = fmaf(static_cast<float>(m), at.step, dx0);
      const float r2 = fmaf(dx, dx, d2);
      if (!on_points || r2 >= static_cast<float>(coincidence * coincidence)) {
        sum[m] = fmaf(c.w, fast_rsqrt(r2), sum[m]);
      }
    }
  }
}

__global__ void __launch_bounds__(block_size)
    direct_kernel(DirectGrid g, const FrameCharge* __restrict__ charges, DirectSlice slice, double scale,
                  double* __restrict__ totals, float* __restrict__ potential) {
  __shared__ float4 near_part[stage];  // x, y, z relative to the tile's corner, charge
  __shared__ float rest_x[stage];      // what rounding took from x
  const std::size_t tile = slice.first_tile + blockIdx.x;
  const int tile_x = static_cast<int>(tile % g.tiles_x);
  const int tile_y = static_cast<int>(tile / g.tiles_x % g.tiles_y);
  const int tile_z = static_cast<int>(tile / g.tiles_x / g.tiles_y);
  const int lane = static_cast<int>(threadIdx.x) % g.lanes;
  const int row = static_cast<int>(threadIdx.x) / g.lanes;
  const int i0 = tile_x * g.lanes * points_per_thread;
  const int j0 = tile_y * g.rows_y;
  const int k0 = tile_z * g.rows_z;
  const int i = i0 + lane * points_per_thread;
  const int j = j0 + row % g.rows_y;
  const int k = k0 + row / g.rows_y;
  const double corner_x = i0 * g.ax + j0 * g.bx + k0 * g.cx;
  const double corner_y = j0 * g.by + k0 * g.cy;
  const double corner_z = k0 * g.cz;
  const double x = i * g.ax + j * g.bx + k * g.cx - corner_x;
  ThreadPoints at;
  at.high_x = static_cast<float>(x);
  at.low_x = static_cast<float>(x - at.high_x);
  at.y = static_cast<float>(j * g.by + k * g.cy - corner_y);
  at.z = static_cast<float>(k * g.cz - corner_z);
  at.step = static_cast<float>(g.ax);
  // The middle and half the size of the box around the tile; a charge outside of it is on no point.
  const double last_x = (g.lanes * points_per_thread - 1) * g.ax;
  const double last_y = g.rows_y - 1;
  const double last_z = g.rows_z - 1;
  const float middle_x = static_cast<float>(0.5 * (last_x + last_y * g.bx + last_z * g.cx));
  const float middle_y = static_cast<float>(0.5 * (last_y * g.by + last_z * g.cy));
  const float middle_z = static_cast<float>(0.5 * last_z * g.cz);
  const auto with_margin = [](double size) { return static_cast<float>(0.5001 * size + 1e-3); };
  const float half_x = with_margin(fabs(last_x) + fabs(last_y * g.bx) + fabs(last_z * g.cx));
  const float half_y = with_margin(fabs(last_y * g.by) + fabs(last_z * g.cy));
  const float half_z = with_margin(fabs(last_z * g.cz));
  double total[points_per_thread] = {};
  // [part][point of the thread][thread]
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  double* const kept = totals + std::size_t{blockIdx.y} * points_per_thread * threads +
                       std::size_t{blockIdx.x} * block_size + threadIdx.x;
  if (totals && slice.begin > 0) {
#pragma unroll
    for (int m = 0; m < points_per_thread; ++m) total[m] = kept[m * threads];
  }
  const std::size_t first = min(blockIdx.y * slice.per_part + slice.begin, slice.charges);
  const std::size_t last = min(blockIdx.y * slice.per_part + slice.end, slice.charges);
  for (std::size_t begin = first; begin < last; begin += stage) {
    bool may_be_on_points = false;
    __syncthreads();
#pragma unroll
    for (unsigned n = threadIdx.x; n < stage; n += block_size) {
      if (begin + n >= last) continue;
      const FrameCharge c = charges[begin + n];
      const double relative_x = c.x - corner_x;
      const float high = static_cast<float>(relative_x);
      const float4 relative =
          make_float4(high, static_cast<float>(c.y - corner_y), static_cast<float>(c.z - corner_z), c.charge);
      near_part[n] = relative;
      rest_x[n] = static_cast<float>(relative_x - high);
      may_be_on_points =
          may_be_on_points || (fabsf(relative.x - middle_x) <= half_x && fabsf(relative.y - middle_y) <= half_y &&
                               fabsf(relative.z - middle_z) <= half_z);
    }
    const bool on_points = __syncthreads_or(may_be_on_points);
    const int count = static_cast<int>(min(static_cast<std::size_t>(stage), last - begin));
    float sum[points_per_thread] = {};
    if (on_points) {
      add_charges<true>(at, near_part, rest_x, count, sum);
    } else {
      add_charges<false>(at, near_part, rest_x, count, sum);
    }
#pragma unroll
    for (int m = 0; m < points_per_thread; ++m) total[m] += sum[m];
  }
  if (totals) {
#pragma unroll
    for (int m = 0; m < points_per_thread; ++m) kept[m * threads] = total[m];
    return;
  }
  if (row >= g.rows_y * g.rows_z || j >= g.ny || k >= g.nz) return;
  const std::size_t to =
      static_cast<std::size_t>(i) +
      static_cast<std::size_t>(g.nx) *
          (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.ny) * static_cast<std::size_t>(k));
  for (int m = 0; m < points_per_thread && i + m < g.nx; ++m) {
    potential[to + static_cast<std::size_t>(m)] = static_cast<float>(scale * total[m]);
  }
}

/// Adds up the parts, in order.
__global__ void __launch_bounds__(block_size)
    total_kernel(DirectGrid g, std::size_t first_tile, int parts, double scale, const double* __restrict__ totals,
                 float* __restrict__ potential) {
  const std::size_t tile = first_tile + blockIdx.x;
  const int lane = static_cast<int>(threadIdx.x) % g.lanes;
  const int row = static_cast<int>(threadIdx.x) / g.lanes;
  const int i = (static_cast<int>(tile % g.tiles_x) * g.lanes + lane) * points_per_thread;
  const int j = static_cast<int>(tile / g.tiles_x % g.tiles_y) * g.rows_y + row % g.rows_y;
  const int k = static_cast<int>(tile / g.tiles_x / g.tiles_y) * g.rows_z + row / g.rows_y;
  if (row >= g.rows_y * g.rows_z || j >= g.ny || k >= g.nz) return;
  const std::size_t threads = std::size_t{gridDim.x} * block_size;
  const double* from = totals + std::size_t{blockIdx.x} * block_size + threadIdx.x;
  float* to = potential + static_cast<std::size_t>(i) +
              static_cast<std::size_t>(g.nx) *
                  (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.ny) * static_cast<std::size_t>(k));
  for (int m = 0; m < points_per_thread && i + m < g.nx; ++m) {
    double sum = 0;
    for (int part = 0; part < parts; ++part) {
      sum += from[(static_cast<std::size_t>(part) * points_per_thread + static_cast<std::size_t>(m)) * threads];
    }
    to[m] = static_cast<float>(scale * sum);
  }
}

/// From space into a row frame.
struct FrameTurn {
  double turn[3][3];  // [row][column]
  double offset[3];
};

__global__ void frame_kernel(const float4* __restrict__ charges, std::size_t count, FrameTurn f, FrameCharge* out) {
  const std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const float4 c = charges[n];
  double at[3];
  for (int r = 0; r < 3; ++r) at[r] = f.turn[r][0] * c.x + f.turn[r][1] * c.y + f.turn[r][2] * c.z - f.offset[r];
  out[n] = {at[0], at[1], at[2], c.w, 0};
}

/// Charges in the row frame, on the device.
DeviceArray<FrameCharge> framed_charges(std::span<const PointCharge> charges, const RowFrame& frame,
                                        const Stream& stream) {
  static_assert(sizeof(PointCharge) == sizeof(float4));
  const auto raw = DeviceArray<float4>::from_host({reinterpret_cast<const float4*>(charges.data()), charges.size()},
                                                  stream, "charges");
  DeviceArray<FrameCharge> framed(charges.size(), stream, "charges");
  FrameTurn f{};
  const glm::dvec3 offset = frame.turn * frame.origin;
  for (int r = 0; r < 3; ++r) {
    f.offset[r] = offset[r];
    for (int c = 0; c < 3; ++c) f.turn[r][c] = frame.turn[c][r];
  }
  launch("charges: row frame", stream, frame_kernel, blocks_for(charges.size()), {256, 1, 1}, raw.data(),
         charges.size(), f, framed.data());
  return framed;
}

}  // namespace

void direct_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job) {
  Stream stream(potential.device);
  const RowFrame frame(grid);
  const DeviceArray<FrameCharge> framed = framed_charges(charges, frame, stream);
  const glm::ivec3 n = grid.counts;
  const DirectShape shape(n, charges.size());
  const DirectGrid g{frame.ax, frame.bx, frame.by,    frame.cx,     frame.cy,     frame.cz,      n.x,
                     n.y,      n.z,      shape.lanes, shape.rows_y, shape.rows_z, shape.tiles_x, shape.tiles_y};
  DeviceArray<double> totals(shape.totals(), stream, "sums of the potential");
  // Launches of some tens of milliseconds, by the rate that the device has shown.
  constexpr double launch_seconds = 0.06;
  static std::array<std::atomic<double>, 64> rates;  // evaluations a second, by device
  std::atomic<double>& rate = rates[static_cast<std::size_t>(std::clamp(stream.device().index, 0, 63))];
  const auto staged = [](std::size_t n) { return (n + stage - 1) / stage * stage; };
  const std::size_t per_part = staged((charges.size() + shape.parts - 1) / shape.parts);
  for (std::size_t first = 0; first < shape.tiles; first += shape.slab) {
    const std::size_t count = std::min(shape.slab, shape.tiles - first);
    std::size_t begin = 0;
    do {
      const double known = rate.load(std::memory_order_relaxed);
      const std::size_t most =
          staged(shape.chunk(std::max(known * launch_seconds, DirectShape::first_launch)) / shape.parts + 1);
      // Equal launches.
      const std::size_t left = per_part - begin;
      const std::size_t launches = std::max<std::size_t>(1, (left + most - 1) / most);
      const std::size_t end = std::min(begin + staged((left + launches - 1) / launches), per_part);
      const auto start = std::chrono::steady_clock::now();
      const DirectSlice slice{first, begin, end, per_part, charges.size()};
      launch("direct sum", stream, direct_kernel, {static_cast<unsigned>(count), static_cast<unsigned>(shape.parts), 1},
             {block_size}, g, framed.data(), slice, units::coulomb_volt_angstrom, totals.data(), potential.data);
      if (shape.keeps && end == per_part) {
        launch("direct sum: parts", stream, total_kernel, {static_cast<unsigned>(count)}, {block_size}, g, first,
               static_cast<int>(shape.parts), units::coulomb_volt_angstrom, totals.data(), potential.data);
      }
      stream.synchronize("direct sum");
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      const std::size_t summed = std::min(charges.size(), (end - begin) * shape.parts);
      const double work = static_cast<double>(summed) * static_cast<double>(count) * DirectShape::tile_points;
      if (work > 1e9) rate.store(work / seconds, std::memory_order_relaxed);
      begin = end;
      const double part = per_part == 0 ? 1 : static_cast<double>(end) / static_cast<double>(per_part);
      job.progress((static_cast<double>(first) + static_cast<double>(count) * part) / static_cast<double>(shape.tiles),
                   "direct sum");
      job.check();
    } while (begin < per_part);
  }
}

}  // namespace isolume
