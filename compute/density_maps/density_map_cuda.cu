// Density maps on CUDA: a block a tile of 8 x 8 x 8 points, a warp a part of the atoms near it; tables in shared
// memory.
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
constexpr int lanes = 32;
constexpr int warps = 4;  // that share the atoms near a tile
constexpr int threads = lanes * warps;
constexpr int batch = lanes;  // atoms whose tables a warp makes at a time
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

/// What a warp has for itself; in the end the tile's points as its atoms make them.
struct WarpRoom {
  alignas(16) float tables[3][batch][side];  // along x with the height, along y, along z
  CellAtom near_atoms[batch];
};
static_assert(3 * batch >= side * side);

__global__ void __launch_bounds__(threads)
    density_map_kernel(MapGrid g, DensityCells cells, double largest_box, const CellAtom* __restrict__ atoms,
                       const std::uint32_t* __restrict__ starts, std::size_t first_tile, MapOut out) {
  __shared__ WarpRoom rooms[warps];
  __shared__ double parts[warps][numbers];
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const int warp = static_cast<int>(threadIdx.x) / lanes;
  WarpRoom& room = rooms[warp];
  // A lane has two columns of 8 points along z.
  const int x = lane % side;
  const int y = lane / side;
  constexpr int other = lanes / side;
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
  float rho[2][side] = {};

  unsigned before = 0;  // batches of the rows of cells that are done
  for (int cz = cell_lower[2]; cz <= cell_upper[2]; ++cz) {
    for (int cy = cell_lower[1]; cy <= cell_upper[1]; ++cy) {
      const int base = cells.counts[0] * (cy + cells.counts[1] * cz);
      const std::uint32_t begin = starts[base + cell_lower[0]];
      const std::uint32_t end = starts[base + cell_upper[0] + 1];
      const unsigned batches = (end - begin + batch - 1) / batch;
      // The warps take batches in turn.
      for (unsigned b = (static_cast<unsigned>(warp) + warps - before % warps) % warps; b < batches; b += warps) {
        // The atoms whose boxes reach the tile, in their order.
        const std::uint32_t at = begin + b * batch + static_cast<unsigned>(lane);
        bool reaches = at < end;
        CellAtom atom{};
        if (reaches) {
          atom = atoms[at];
          for (int axis = 0; axis < 3; ++axis) {
            atom.position[axis] = static_cast<float>(static_cast<double>(atom.position[axis]) - corner[axis]);
            reaches = reaches && atom.position[axis] >= lower[axis] - atom.cutoff &&
                      atom.position[axis] <= upper[axis] + atom.cutoff;
          }
        }
        const unsigned votes = __ballot_sync(~0u, reaches);
        if (reaches) room.near_atoms[__popc(votes & ((1u << lane) - 1u))] = atom;
        const int count = __popc(votes);
        __syncwarp();
        for (int entry = lane; entry < count * 3 * side; entry += lanes) {
          const int n = entry / (3 * side);
          const int axis = entry / side % 3;
          const int i = entry % side;
          const CellAtom& near = room.near_atoms[n];
          const float d = static_cast<float>(i) * static_cast<float>(g.step[axis]) - near.position[axis];
          // scale^2 d^2 is the exponent of 2.
          float value = fabsf(d) <= near.cutoff ? exp2f(-d * d * near.scale * near.scale) : 0.0f;
          if (axis == 0) value *= near.colour[0];
          room.tables[axis][n][i] = value;
        }
        __syncwarp();
        for (int n = 0; n < count; ++n) {
          const float along_x = room.tables[0][n][x];
          const float across[2] = {along_x * room.tables[1][n][y], along_x * room.tables[1][n][y + other]};
          const float4 low = *reinterpret_cast<const float4*>(room.tables[2][n]);
          const float4 high = *reinterpret_cast<const float4*>(room.tables[2][n] + 4);
          for (int column = 0; column < 2; ++column) {
            rho[column][0] = fmaf(across[column], low.x, rho[column][0]);
            rho[column][1] = fmaf(across[column], low.y, rho[column][1]);
            rho[column][2] = fmaf(across[column], low.z, rho[column][2]);
            rho[column][3] = fmaf(across[column], low.w, rho[column][3]);
            rho[column][4] = fmaf(across[column], high.x, rho[column][4]);
            rho[column][5] = fmaf(across[column], high.y, rho[column][5]);
            rho[column][6] = fmaf(across[column], high.z, rho[column][6]);
            rho[column][7] = fmaf(across[column], high.w, rho[column][7]);
          }
        }
        __syncwarp();
      }
      before += batches;
    }
  }

  float* const mine = &room.tables[0][0][0];
  for (int column = 0; column < 2; ++column)
    for (int k = 0; k < side; ++k) mine[x + side * (y + column * other + side * k)] = rho[column][k];
  __syncthreads();
  double sums[numbers] = {};
  for (int point = static_cast<int>(threadIdx.x); point < side * side * side; point += threads) {
    const int i = first[0] + point % side;
    const int j = first[1] + point / side % side;
    const int k = first[2] + point / side / side;
    if (i >= g.counts[0] || j >= g.counts[1] || k >= g.counts[2]) continue;
    float b = 0;
    for (int w = 0; w < warps; ++w) b += (&rooms[w].tables[0][0][0])[point];
    const std::size_t at =
        static_cast<std::size_t>(i) +
        static_cast<std::size_t>(g.counts[0]) *
            (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.counts[1]) * static_cast<std::size_t>(k));
    if (out.density) out.density[at] = b;
    if (!out.map) continue;
    const float a = out.map[at];
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
  if (!out.map) return;
  for (unsigned s = 0; s < numbers; ++s) {
    for (int offset = lanes / 2; offset > 0; offset /= 2) sums[s] += __shfl_down_sync(~0u, sums[s], offset);
    if (lane == 0) parts[warp][s] = sums[s];
  }
  __syncthreads();
  if (threadIdx.x >= numbers) return;
  double total = 0;
  for (int w = 0; w < warps; ++w) total += parts[w][threadIdx.x];
  out.sums[threadIdx.x * out.tiles + tile] = total;
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
