// Direct Coulomb summation on CUDA: sixteen neighbouring points a thread, charges through shared memory.
#include <algorithm>
#include <vector>

#include "compute/backends.h"
#include "compute/device_array.h"
#include "compute/launch.cuh"
#include "compute/potential/direct_math.h"
#include "compute/stream.h"
#include "molecule/units.h"

namespace isolume {

namespace {

constexpr int block_size = 128;        // threads, and charges staged at a time
constexpr int points_per_thread = 16;  // along x: four instructions an evaluation, of which one is the root
constexpr int tile_points = block_size * points_per_thread;
constexpr std::size_t slab_tiles = 2048;
constexpr double launch_evaluations = 2e10;  // 5 to 40 ms

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

struct DirectSlice {
  std::size_t first_tile;
  std::size_t first_charge, last_charge;
  bool begins, ends;  ///< first and last charges of these tiles
};

__device__ float inverse_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

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
        sum[m] = fmaf(c.w, inverse_root(r2), sum[m]);
      }
    }
  }
}

__global__ void __launch_bounds__(block_size)
    direct_kernel(DirectGrid g, const FrameCharge* __restrict__ charges, DirectSlice slice, double scale,
                  double* totals, float* __restrict__ potential) {
  __shared__ float4 near_part[block_size];  // x, y, z relative to the tile's corner, charge
  __shared__ float rest_x[block_size];      // what rounding took from x
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
  for (std::size_t begin = slice.first_charge; begin < slice.last_charge; begin += block_size) {
    const std::size_t mine = begin + threadIdx.x;
    bool may_be_on_points = false;
    __syncthreads();
    if (mine < slice.last_charge) {
      const FrameCharge c = charges[mine];
      const double relative_x = c.x - corner_x;
      const float high = static_cast<float>(relative_x);
      const float4 relative =
          make_float4(high, static_cast<float>(c.y - corner_y), static_cast<float>(c.z - corner_z), c.charge);
      near_part[threadIdx.x] = relative;
      rest_x[threadIdx.x] = static_cast<float>(relative_x - high);
      may_be_on_points = fabsf(relative.x - middle_x) <= half_x && fabsf(relative.y - middle_y) <= half_y &&
                         fabsf(relative.z - middle_z) <= half_z;
    }
    const bool on_points = __syncthreads_or(may_be_on_points);
    const int count = static_cast<int>(min(static_cast<std::size_t>(block_size), slice.last_charge - begin));
    float sum[points_per_thread] = {};
    if (on_points) {
      add_charges<true>(at, near_part, rest_x, count, sum);
    } else {
      add_charges<false>(at, near_part, rest_x, count, sum);
    }
#pragma unroll
    for (int m = 0; m < points_per_thread; ++m) total[m] += sum[m];
  }
  double* kept =
      totals ? totals + (static_cast<std::size_t>(blockIdx.x) * block_size + threadIdx.x) * points_per_thread : nullptr;
  if (!slice.begins) {
    for (int m = 0; m < points_per_thread; ++m) total[m] += kept[m];
  }
  if (!slice.ends) {
    for (int m = 0; m < points_per_thread; ++m) kept[m] = total[m];
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

DirectGrid direct_grid(const RowFrame& frame, glm::ivec3 n) {
  DirectGrid g{frame.ax, frame.bx, frame.by, frame.cx, frame.cy, frame.cz, n.x, n.y, n.z, 1, 1, 1, 1, 1};
  // As many lanes along x as the rows are long; the rest of the block takes rows of y and z.
  while (g.lanes < 8 && g.lanes * points_per_thread < n.x) g.lanes *= 2;
  const int rows = block_size / g.lanes;
  g.rows_y = 1;
  while (g.rows_y * g.rows_y < rows && g.rows_y < n.y) g.rows_y *= 2;
  g.rows_z = rows / g.rows_y;
  g.tiles_x = static_cast<unsigned>((n.x + g.lanes * points_per_thread - 1) / (g.lanes * points_per_thread));
  g.tiles_y = static_cast<unsigned>((n.y + g.rows_y - 1) / g.rows_y);
  return g;
}

}  // namespace

void direct_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job) {
  Stream stream(potential.device);
  const RowFrame frame(grid);
  std::vector<FrameCharge> framed;
  framed.reserve(charges.size());
  for (const PointCharge& c : charges) {
    const glm::dvec3 p = frame.to_frame(c.position);
    framed.push_back({p.x, p.y, p.z, c.charge, 0});
  }
  const auto on_device = DeviceArray<FrameCharge>::from_host(framed, stream, "charges");
  const DirectGrid g = direct_grid(frame, grid.counts);
  const auto tiles_z = static_cast<std::size_t>((g.nz + g.rows_z - 1) / g.rows_z);
  const std::size_t tiles = std::size_t{g.tiles_x} * g.tiles_y * tiles_z;
  const std::size_t slab = std::min(tiles, slab_tiles);
  std::size_t chunk = static_cast<std::size_t>(launch_evaluations / (static_cast<double>(slab) * tile_points));
  chunk = std::max<std::size_t>(chunk / block_size, 1) * block_size;
  const std::size_t chunks = std::max<std::size_t>((charges.size() + chunk - 1) / chunk, 1);
  DeviceArray<double> totals(chunks > 1 ? slab * tile_points : 0, stream, "sums of the potential");
  for (std::size_t first = 0; first < tiles; first += slab) {
    const std::size_t count = std::min(slab, tiles - first);
    for (std::size_t n = 0; n < chunks; ++n) {
      const DirectSlice slice{first, n * chunk, std::min((n + 1) * chunk, charges.size()), n == 0, n + 1 == chunks};
      launch("direct sum", stream, direct_kernel, {static_cast<unsigned>(count)}, {block_size}, g, on_device.data(),
             slice, units::coulomb_volt_angstrom, totals.data(), potential.data);
      stream.synchronize("direct sum");
      job.progress((static_cast<double>(first) + static_cast<double>(count * (n + 1)) / static_cast<double>(chunks)) /
                       static_cast<double>(tiles),
                   "direct sum");
      job.check();
    }
  }
}

}  // namespace isolume
