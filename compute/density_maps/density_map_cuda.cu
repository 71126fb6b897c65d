// Density maps on CUDA: a block a tile of 8 x 8 x 8 points; tables of the atoms near it in shared memory.
#include <algorithm>
#include <cmath>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/launch.cuh"
#include "compute/base/slices.h"
#include "compute/density/density_cells.cuh"
#include "compute/density_maps/density_map_stream.h"

namespace isolume {

namespace {

constexpr int side = 8;
constexpr int threads = 64;  // a thread a column of 8 points along z
constexpr int batch = 32;    // atoms whose tables are made at a time
constexpr int total_threads = 256;
constexpr unsigned numbers = 18;  // sums of a tile

struct MapGrid {
  double origin[3];
  double step[3];
  int counts[3];
  unsigned tiles_x, tiles_y;
};

struct MapOut {
  float* density;    // or null
  const float* map;  // or null: no sums
  float map_threshold, model_threshold;
  double* sums;  // 18 numbers, each of all tiles
  std::size_t tiles;
};

/// The sum over the block of one number of each thread, on thread 0.
__device__ double sum_of_block(double value, double* shared) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = value;
  __syncthreads();
  return shared[0] + shared[1];
}

__global__ void __launch_bounds__(threads)
    density_map_kernel(MapGrid g, DensityCells cells, double largest_box, const CellAtom* __restrict__ atoms,
                       const std::uint32_t* __restrict__ starts, std::size_t first_tile, MapOut out) {
  __shared__ float along_x[batch][side];  // with the height
  __shared__ float along_y[batch][side];
  __shared__ __align__(16) float along_z[batch][side];
  __shared__ CellAtom near_atoms[batch];
  __shared__ int near_count;
  __shared__ double room[2];
  const int t = static_cast<int>(threadIdx.x);
  const int x = t % side;
  const int y = t / side;
  const std::size_t tile = first_tile + blockIdx.x;
  const int first[3] = {static_cast<int>(tile % g.tiles_x) * side,
                        static_cast<int>(tile / g.tiles_x % g.tiles_y) * side,
                        static_cast<int>(tile / g.tiles_x / g.tiles_y) * side};
  double corner[3];
  float lower[3];
  float upper[3];  // of the tile's points, relative to its first
  int cell_lower[3];
  int cell_upper[3];
  for (int axis = 0; axis < 3; ++axis) {
    corner[axis] = g.origin[axis] + first[axis] * g.step[axis];
    const int last = min(side, g.counts[axis] - first[axis]) - 1;
    const double end = last * g.step[axis];
    lower[axis] = static_cast<float>(fmin(0.0, end));
    upper[axis] = static_cast<float>(fmax(0.0, end));
    const double reach = largest_box * 1.0001;
    cell_lower[axis] = cells.along(axis, corner[axis] + static_cast<double>(lower[axis]) - reach);
    cell_upper[axis] = cells.along(axis, corner[axis] + static_cast<double>(upper[axis]) + reach);
  }
  float rho[side] = {};

  for (int cz = cell_lower[2]; cz <= cell_upper[2]; ++cz) {
    for (int cy = cell_lower[1]; cy <= cell_upper[1]; ++cy) {
      const int base = cells.counts[0] * (cy + cells.counts[1] * cz);
      const std::uint32_t begin = starts[base + cell_lower[0]];
      const std::uint32_t end = starts[base + cell_upper[0] + 1];
      for (std::uint32_t from = begin; from < end; from += batch) {
        __syncthreads();
        if (t < 32) {
          // One warp keeps the atoms whose boxes reach the tile, in their order.
          bool reaches = false;
          CellAtom atom{};
          if (from + t < end) {
            atom = atoms[from + t];
            reaches = true;
            for (int axis = 0; axis < 3; ++axis) {
              atom.position[axis] = static_cast<float>(static_cast<double>(atom.position[axis]) - corner[axis]);
              reaches = reaches && atom.position[axis] >= lower[axis] - atom.cutoff &&
                        atom.position[axis] <= upper[axis] + atom.cutoff;
            }
          }
          const unsigned votes = __ballot_sync(~0u, reaches);
          if (reaches) near_atoms[__popc(votes & ((1u << t) - 1u))] = atom;
          if (t == 0) near_count = __popc(votes);
        }
        __syncthreads();
        const int count = near_count;
        for (int entry = t; entry < count * 3 * side; entry += threads) {
          const int n = entry / (3 * side);
          const int axis = entry / side % 3;
          const int i = entry % side;
          const CellAtom& atom = near_atoms[n];
          const float d = static_cast<float>(i) * static_cast<float>(g.step[axis]) - atom.position[axis];
          // scale^2 d^2 is the exponent of 2.
          float value = fabsf(d) <= atom.cutoff ? exp2f(-d * d * atom.scale * atom.scale) : 0.0f;
          if (axis == 0) value *= atom.colour[0];
          (axis == 0 ? along_x : axis == 1 ? along_y : along_z)[n][i] = value;
        }
        __syncthreads();
        for (int n = 0; n < count; ++n) {
          const float across = along_x[n][x] * along_y[n][y];
          const float4 low = *reinterpret_cast<const float4*>(along_z[n]);
          const float4 high = *reinterpret_cast<const float4*>(along_z[n] + 4);
          rho[0] = fmaf(across, low.x, rho[0]);
          rho[1] = fmaf(across, low.y, rho[1]);
          rho[2] = fmaf(across, low.z, rho[2]);
          rho[3] = fmaf(across, low.w, rho[3]);
          rho[4] = fmaf(across, high.x, rho[4]);
          rho[5] = fmaf(across, high.y, rho[5]);
          rho[6] = fmaf(across, high.z, rho[6]);
          rho[7] = fmaf(across, high.w, rho[7]);
        }
      }
    }
  }

  double sums[18] = {};
  const bool inside = first[0] + x < g.counts[0] && first[1] + y < g.counts[1];
  if (inside) {
    for (int k = 0; k < side; ++k) {
      if (first[2] + k >= g.counts[2]) break;
      const std::size_t at = static_cast<std::size_t>(first[0] + x) +
                             static_cast<std::size_t>(g.counts[0]) *
                                 (static_cast<std::size_t>(first[1] + y) +
                                  static_cast<std::size_t>(g.counts[1]) * static_cast<std::size_t>(first[2] + k));
      if (out.density) out.density[at] = rho[k];
      if (!out.map) continue;
      const float a = out.map[at];
      const float b = rho[k];
      const bool keep[3] = {true, a > out.map_threshold, b > out.model_threshold};
      for (int m = 0; m < 3; ++m) {
        if (!keep[m]) continue;
        const double da = static_cast<double>(a);
        const double db = static_cast<double>(b);
        sums[6 * m] += 1;
        sums[6 * m + 1] += da;
        sums[6 * m + 2] += db;
        sums[6 * m + 3] += da * da;
        sums[6 * m + 4] += db * db;
        sums[6 * m + 5] += da * db;
      }
    }
  }
  if (!out.map) return;
  for (int s = 0; s < 18; ++s) {
    const double total = sum_of_block(sums[s], room);
    if (t == 0) out.sums[static_cast<std::size_t>(s) * out.tiles + tile] = total;
  }
}

/// A block adds up one number of all tiles, in a fixed order.
__global__ void __launch_bounds__(total_threads)
    map_total_kernel(const double* __restrict__ sums, std::size_t tiles, double* __restrict__ totals) {
  __shared__ double room[total_threads];
  double sum = 0;
  for (std::size_t tile = threadIdx.x; tile < tiles; tile += total_threads) sum += sums[blockIdx.x * tiles + tile];
  room[threadIdx.x] = sum;
  for (int half = total_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < half) room[threadIdx.x] += room[threadIdx.x + static_cast<unsigned>(half)];
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = room[0];
}

std::size_t tiles_of(const Grid& grid) {
  std::size_t tiles = 1;
  for (int axis = 0; axis < 3; ++axis) tiles *= static_cast<std::size_t>((grid.counts[axis] + side - 1) / side);
  return tiles;
}

}  // namespace

void start_density_map_cuda(const DensityAtomView& view, const DensityMapTask& task, Stream& stream, Job& job,
                            DensityMapMemory& memory) {
  GaussianDensityOptions options;
  options.radius_scale = 1;
  options.cutoff_sigmas = map_box_sigmas;
  const Device device = stream.device();
  const Grid& grid = task.grid;
  const SortedAtoms sorted =
      sort_density_atoms({view, device, grid, {0, grid.counts.z}, options, Values(task.density), Colours{}}, stream,
                         memory.workspace.memory());
  MapGrid g{};
  const std::size_t tiles = tiles_of(grid);
  double near_part = 1;  // of all cells, what one tile reads
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    g.step[axis] = grid.step[axis][axis];
    g.counts[axis] = grid.counts[axis];
    const double reads = (side * std::abs(g.step[axis]) + 2 * sorted.largest_cutoff) * sorted.cells.inverse[axis] + 1;
    near_part *= std::min(1.0, reads / sorted.cells.counts[axis]);
  }
  g.tiles_x = static_cast<unsigned>((g.counts[0] + side - 1) / side);
  g.tiles_y = static_cast<unsigned>((g.counts[1] + side - 1) / side);
  MapOut out{};
  if (!task.density.empty()) out.density = task.density.data;
  double* totals = nullptr;
  if (task.comparison) {
    out.map = task.comparison->map.data;
    out.map_threshold = task.comparison->map_threshold;
    out.model_threshold = task.comparison->model_threshold;
    out.sums = memory.tile_sums.room(tiles * numbers, device, "sums of the correlation");
    out.tiles = tiles;
    totals = memory.totals.room(numbers, device, "sums of the correlation");
  }
  memory.compared = task.comparison != nullptr;
  const double work = std::max(1.0, near_part * static_cast<double>(view.count)) * side * side * side;
  const auto first = static_cast<std::size_t>(std::clamp(2e10 / work, 512.0, 262144.0));
  for_slices(tiles, first, stream, job, "density map", [&](std::size_t begin, std::size_t count) {
    launch("density map: tiles", stream, density_map_kernel, {static_cast<unsigned>(count)}, {threads}, g, sorted.cells,
           sorted.largest_cutoff, sorted.atoms, sorted.starts, begin, out);
  });
  if (totals)
    launch("density map: sums", stream, map_total_kernel, {numbers}, {total_threads}, out.sums, tiles, totals);
}

ComparedSums finish_density_map_cuda(DensityMapMemory& memory) {
  finish_gaussian_density_cuda(memory.workspace.memory());
  if (!memory.compared) return {};
  const double* totals = memory.totals.data();
  return {map_sums(totals), map_sums(totals + 6), map_sums(totals + 12)};
}

ComparedSums density_map_cuda(const DensityMapTask& task, Device device, Job& job) {
  DensityMapMemory memory;
  // The cells of surfaces sort the atoms as they are: a radius is a width, red is the height. Green and blue, which are
  // read but not looked at, are what follows.
  constexpr unsigned words = sizeof(MapAtom) / sizeof(float);
  static_assert(sizeof(MapAtom) == 5 * sizeof(float));
  const std::span<const MapAtom> atoms = task.atoms;
  DeviceArray<float> there(words * atoms.size() + 2, device, "density map: atoms");
  Stream stream(device);
  copy_memory(there.data(), device, atoms.data(), Device::cpu(), atoms.size_bytes(), stream.handle());
  start_density_map_cuda({there.data(), there.data() + 3, atoms.size(), words, words, task.largest_sigma}, task, stream,
                         job, memory);
  stream.synchronize("density map: tiles");
  return finish_density_map_cuda(memory);
}

}  // namespace isolume
