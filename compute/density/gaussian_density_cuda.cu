// Gaussian density on CUDA: a block a tile of 8 x 8 x 8 points, a warp a part of it, sums in registers.
#include <algorithm>
#include <cmath>
#include <cub/block/block_scan.cuh>
#include <string>

#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/density/density_cells.cuh"
#include "compute/density/density_output.cuh"

namespace isolume {

namespace {

constexpr int side = 8;          // points of a tile along each axis
constexpr int run = 4;           // points of a lane, along z (a float4 holds them)
constexpr int warps = 16 / run;  // each 8 x 4 x run points
constexpr int threads = 32 * warps;
constexpr int list_length = 256;  // atoms that are gathered before they are added

struct DensityGrid {
  double origin[3];
  double step[3];
  int counts[3];  ///< points of the layers that are asked for
  int first_layer;
  unsigned tiles_x, tiles_y;
};

/// 2^x for x <= 0, to 2 units in the last place; 0 below 2^-126.
__device__ inline float power_of_two(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

using BlockScan = cub::BlockScan<int, threads>;

template <bool coloured>
__global__ void __launch_bounds__(threads)
    density_kernel(DensityGrid g, DensityCells cells, double largest_cutoff, float limit, float slope,
                   const CellAtom* __restrict__ atoms, const std::uint32_t* __restrict__ starts, std::size_t first_tile,
                   DensityOutput out) {
  // Coordinates are relative to the tile's first point and scaled by the atom, so that its Gaussian is 2^-(distance^2)
  // less slope * distance^2, and its cutoff the same as every other's.
  __shared__ float4 places[list_length];  // scaled coordinates, scale
  __shared__ float4 looks[list_length];   // colour
  // Those that reach a warp's points: x, y and scale; the Gaussian along z and what is taken off for z, for each of the
  // layers; colour.
  __shared__ float4 near_places[warps][32];
  __shared__ float4 near_values[warps][32];
  __shared__ float4 near_off[warps][32];
  __shared__ float4 near_looks[warps][32];
  __shared__ std::uint32_t row_begin[threads];
  __shared__ int row_offset[threads];
  __shared__ int warp_hits[warps];
  __shared__ typename BlockScan::TempStorage scan_memory;
  const int t = static_cast<int>(threadIdx.x);
  const int lane = t % 32;
  const int warp = t / 32;
  const int x = lane % 8;
  const int y = lane / 8 + warp % 2 * 4;
  const int z = warp / 2 * run;
  const std::size_t tile = first_tile + blockIdx.x;
  const int first[3] = {static_cast<int>(tile % g.tiles_x) * side,
                        static_cast<int>(tile / g.tiles_x % g.tiles_y) * side,
                        static_cast<int>(tile / g.tiles_x / g.tiles_y) * side};
  double corner[3];
  float step[3];
  float lower[3];
  float upper[3];  // of the tile's points, relative to its first
  int cell_lower[3];
  int cell_upper[3];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    corner[axis] = g.origin[axis] + (first[axis] + (axis == 2 ? g.first_layer : 0)) * g.step[axis];
    step[axis] = static_cast<float>(g.step[axis]);
    const int last = min(side, g.counts[axis] - first[axis]) - 1;
    const double end = last * g.step[axis];
    lower[axis] = static_cast<float>(fmin(0.0, end));
    upper[axis] = static_cast<float>(fmax(0.0, end));
    const double reach = largest_cutoff * 1.0001;
    cell_lower[axis] = cells.along(axis, corner[axis] + static_cast<double>(lower[axis]) - reach);
    cell_upper[axis] = cells.along(axis, corner[axis] + static_cast<double>(upper[axis]) + reach);
  }
  const float px = static_cast<float>(x) * step[0];
  const float py = static_cast<float>(y) * step[1];
  float pz[run];
#pragma unroll
  for (int p = 0; p < run; ++p) pz[p] = static_cast<float>(z + p) * step[2];
  // The box of the warp's own points.
  const float y_begin = static_cast<float>(warp % 2 * 4) * step[1];
  const float y_end = static_cast<float>(warp % 2 * 4 + 3) * step[1];
  const float own_lower[3] = {fminf(0.0f, 7.0f * step[0]), fminf(y_begin, y_end), fminf(pz[0], pz[run - 1])};
  const float own_upper[3] = {fmaxf(0.0f, 7.0f * step[0]), fmaxf(y_begin, y_end), fmaxf(pz[0], pz[run - 1])};

  float rho[run] = {};
  float red[run] = {};
  float green[run] = {};
  float blue[run] = {};

  // Adds the list to the warp's points: 32 atoms are tried at a time, those that reach them are added in order.
  const auto add_list = [&](int count) {
    for (int begin = 0; begin < count; begin += 32) {
      bool reaches = false;
      float4 p{};
      if (begin + lane < count) {
        p = places[begin + lane];
        const float dx = p.x - fminf(fmaxf(p.x, own_lower[0] * p.w), own_upper[0] * p.w);
        const float dy = p.y - fminf(fmaxf(p.y, own_lower[1] * p.w), own_upper[1] * p.w);
        const float dz = p.z - fminf(fmaxf(p.z, own_lower[2] * p.w), own_upper[2] * p.w);
        reaches = dx * dx + dy * dy + dz * dz <= limit * 1.0001f;
      }
      const unsigned votes = __ballot_sync(~0u, reaches);
      if (reaches) {
        const int to = __popc(votes & ((1u << lane) - 1u));
        near_places[warp][to] = {p.x, p.y, p.w, 0.0f};
        float value[run];
        float off[run];
#pragma unroll
        for (int r = 0; r < run; ++r) {
          const float dz = fmaf(pz[r], p.w, -p.z);
          value[r] = power_of_two(-dz * dz);
          off[r] = slope * dz * dz;
        }
        near_values[warp][to] = {value[0], value[1], value[2], value[3]};
        near_off[warp][to] = {off[0], off[1], off[2], off[3]};
        if constexpr (coloured) near_looks[warp][to] = looks[begin + lane];
      }
      __syncwarp();
      const int hits = __popc(votes);
#pragma unroll 4
      for (int n = 0; n < hits; ++n) {
        const float4 q = near_places[warp][n];
        const float4 values = near_values[warp][n];
        const float4 offs = near_off[warp][n];
        float4 look{};
        if constexpr (coloured) look = near_looks[warp][n];
        const float dx = fmaf(px, q.z, -q.x);
        const float dy = fmaf(py, q.z, -q.y);
        const float across = fmaf(dx, dx, dy * dy);
        const float part = power_of_two(-across);
        const float along[run] = {values.x, values.y, values.z, values.w};
        const float off[run] = {offs.x, offs.y, offs.z, offs.w};
#pragma unroll
        for (int r = 0; r < run; ++r) {
          // Beyond the cutoff more is taken off than is there. Fused by name, so that colours do not change the sum.
          const float taken = __fmaf_rn(slope, across, off[r]);
          const float value = fmaxf(__fmaf_rn(part, along[r], -taken), 0.0f);
          rho[r] += value;
          if constexpr (coloured) {
            red[r] = fmaf(value, look.x, red[r]);
            green[r] = fmaf(value, look.y, green[r]);
            blue[r] = fmaf(value, look.z, blue[r]);
          }
        }
      }
      __syncwarp();
    }
  };

  int listed = 0;
  const int rows_y = cell_upper[1] - cell_lower[1] + 1;
  const int rows = rows_y * (cell_upper[2] - cell_lower[2] + 1);
  for (int first_row = 0; first_row < rows; first_row += threads) {
    // The atoms of up to `threads` rows of cells, numbered through.
    int mine = 0;
    if (first_row + t < rows) {
      const int cy = cell_lower[1] + (first_row + t) % rows_y;
      const int cz = cell_lower[2] + (first_row + t) / rows_y;
      const int base = cells.counts[0] * (cy + cells.counts[1] * cz);
      row_begin[t] = starts[base + cell_lower[0]];
      mine = static_cast<int>(starts[base + cell_upper[0] + 1] - row_begin[t]);
    }
    int offset = 0;
    int candidates = 0;
    BlockScan(scan_memory).ExclusiveSum(mine, offset, candidates);
    row_offset[t] = offset;
    __syncthreads();
    for (int begin = 0; begin < candidates; begin += threads) {
      const int number = begin + t;
      bool reaches = false;
      float4 place{};
      float4 look{};
      if (number < candidates) {
        // The last row that begins at or before this number.
        int low = 0;
        int high = min(threads, rows - first_row) - 1;
        while (low < high) {
          const int middle = (low + high + 1) / 2;
          if (row_offset[middle] <= number) {
            low = middle;
          } else {
            high = middle - 1;
          }
        }
        const auto* from =
            reinterpret_cast<const float4*>(atoms + (row_begin[low] + static_cast<unsigned>(number - row_offset[low])));
        place = __ldg(from);
        look = __ldg(from + 1);
        // In double: the difference of two large coordinates.
        place.x = static_cast<float>(static_cast<double>(place.x) - corner[0]);
        place.y = static_cast<float>(static_cast<double>(place.y) - corner[1]);
        place.z = static_cast<float>(static_cast<double>(place.z) - corner[2]);
        const float dx = place.x - fminf(fmaxf(place.x, lower[0]), upper[0]);
        const float dy = place.y - fminf(fmaxf(place.y, lower[1]), upper[1]);
        const float dz = place.z - fminf(fmaxf(place.z, lower[2]), upper[2]);
        // place.w is the cutoff, look.w the scale.
        reaches = dx * dx + dy * dy + dz * dz <= place.w * place.w * 1.0001f;
        place = {place.x * look.w, place.y * look.w, place.z * look.w, look.w};
      }
      // In the order of the atoms, so that the sum is the same every time.
      const unsigned votes = __ballot_sync(~0u, reaches);
      if (lane == 0) warp_hits[warp] = __popc(votes);
      __syncthreads();
      int to = listed + __popc(votes & ((1u << lane) - 1u));
#pragma unroll
      for (int w = 0; w < warps; ++w) {
        to += w < warp ? warp_hits[w] : 0;
        listed += warp_hits[w];
      }
      if (reaches) {
        places[to] = place;
        looks[to] = look;
      }
      __syncthreads();
      if (listed > list_length - threads) {
        add_list(listed);
        listed = 0;
        __syncthreads();
      }
    }
    __syncthreads();
  }
  add_list(listed);

  const int i = first[0] + x;
  const int j = first[1] + y;
  if (i >= g.counts[0] || j >= g.counts[1]) return;
#pragma unroll
  for (int p = 0; p < run; ++p) {
    const int k = first[2] + z + p;
    if (k >= g.counts[2]) return;
    const std::size_t to =
        static_cast<std::size_t>(i) +
        static_cast<std::size_t>(g.counts[0]) *
            (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.counts[1]) * static_cast<std::size_t>(k));
    store_density(out, to, rho[p]);
    if constexpr (coloured) {
      const float scale = rho[p] > 0.0f ? 1.0f / rho[p] : 0.0f;
      store_colour(out, to, red[p] * scale, green[p] * scale, blue[p] * scale);
    }
  }
}

}  // namespace

void start_gaussian_density_cuda(const DensityTask& task, Stream& stream, Job& job, DensityWorkspace::Memory& memory) {
  const SortedAtoms sorted = sort_density_atoms(task, stream, memory);
  const Grid& grid = task.grid;
  DensityGrid g{};
  std::size_t tiles = 1;
  double near_part = 1;  // of all cells, what one tile reads
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    g.step[axis] = grid.step[axis][axis];
    g.counts[axis] = axis == 2 ? task.layers.count : grid.counts[axis];
    tiles *= static_cast<std::size_t>((g.counts[axis] + side - 1) / side);
    const double reads = (side * std::abs(g.step[axis]) + 2 * sorted.largest_cutoff) * sorted.cells.inverse[axis] + 1;
    near_part *= std::min(1.0, reads / sorted.cells.counts[axis]);
  }
  g.first_layer = task.layers.first;
  g.tiles_x = static_cast<unsigned>((g.counts[0] + side - 1) / side);
  g.tiles_y = static_cast<unsigned>((g.counts[1] + side - 1) / side);
  // cutoff^2 / (2 sigma^2) / ln 2
  const auto limit =
      static_cast<float>(0.72134752044448170 * double{task.options.cutoff_sigmas} * double{task.options.cutoff_sigmas});
  const auto slope = static_cast<float>(gaussian_at_cutoff(task.options) / double{limit});
  const DensityOutput out{task.density.data, task.colours.data, task.density.element, task.colours.element};
  const double work = std::max(1.0, near_part * static_cast<double>(task.atoms.count)) * side * side * side;
  const auto first = static_cast<std::size_t>(std::clamp(2e10 / work, 512.0, 262144.0));
  const auto kernel = task.colours.empty() ? density_kernel<false> : density_kernel<true>;
  for_slices(tiles, first, stream, job, "surface density", [&](std::size_t begin, std::size_t count) {
    launch("surface density: tiles", stream, kernel, {static_cast<unsigned>(count)}, {threads}, g, sorted.cells,
           sorted.largest_cutoff, limit, slope, sorted.atoms, sorted.starts, begin, out);
  });
}

void finish_gaussian_density_cuda(DensityWorkspace::Memory& memory) {
  if (const std::uint32_t fault = *memory.fault.data()) {
    throw Error("atom " + std::to_string(fault) + ": a coordinate is not a finite number", Error::Kind::usage);
  }
}

}  // namespace isolume
