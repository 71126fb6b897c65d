// Gaussian density on CUDA: atoms sorted into cells, a block a tile of 8 x 8 x 8 points, sums in registers.
#include <algorithm>
#include <cmath>
#include <cub/block/block_scan.cuh>

#include "compute/backends.h"
#include "compute/device_array.h"
#include "compute/potential/launch.cuh"
#include "compute/slices.h"

namespace isolume {

namespace {

constexpr int side = 8;       // points of a tile along each axis
constexpr int threads = 128;  // x, y, and two halves of z
constexpr int own_points = side * side * side / threads;
constexpr int batch = 32;  // atoms whose tables are in shared memory

/// An atom as it is uploaded (the layout of DensityAtom) and as it is sorted.
struct RawAtom {
  float position[3];
  float radius;
  float colour[3];
};
static_assert(sizeof(RawAtom) == sizeof(DensityAtom));

struct alignas(16) CellAtom {
  float position[3];
  float sigma;
  float colour[3];
  float cutoff;
};

/// Cells that atoms are sorted into by their centres.
struct Cells {
  double origin[3];
  double inverse[3];  ///< 1 / side
  int counts[3];
  unsigned total;  ///< also the key of atoms that are in no cell: too far from the grid to count

  __host__ __device__ int along(int axis, double at) const {
    const double cell = floor((at - origin[axis]) * inverse[axis]);
    return cell < 0 ? 0 : cell >= counts[axis] ? counts[axis] - 1 : static_cast<int>(cell);
  }
};

struct DensityGrid {
  double origin[3];
  double step[3];
  int counts[3];
  unsigned tiles_x, tiles_y;
  float largest_cutoff;
};

__global__ void key_kernel(const RawAtom* __restrict__ atoms, std::size_t count, Cells cells, double reach_x,
                           double reach_y, double reach_z, std::uint32_t* keys, std::uint32_t* numbers) {
  const std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const double reach[3] = {reach_x, reach_y, reach_z};
  bool inside = true;
  int cell[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double at = static_cast<double>(atoms[n].position[axis]);
    inside = inside && at >= cells.origin[axis] && at <= cells.origin[axis] + reach[axis];
    cell[axis] = cells.along(axis, at);
  }
  keys[n] =
      inside ? static_cast<unsigned>(cell[0] + cells.counts[0] * (cell[1] + cells.counts[1] * cell[2])) : cells.total;
  numbers[n] = static_cast<std::uint32_t>(n);
}

/// Puts the atoms into the order of their cells and notes where each cell begins; starts[total] is the end of the last.
__global__ void place_kernel(const RawAtom* __restrict__ atoms, std::size_t count,
                             const std::uint32_t* __restrict__ keys, const std::uint32_t* __restrict__ numbers,
                             unsigned total, float radius_scale, float cutoff_sigmas, CellAtom* __restrict__ sorted,
                             std::uint32_t* __restrict__ starts) {
  const std::size_t n = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const RawAtom from = atoms[numbers[n]];
  CellAtom atom;
  for (int c = 0; c < 3; ++c) {
    atom.position[c] = from.position[c];
    atom.colour[c] = from.colour[c];
  }
  const double sigma = static_cast<double>(radius_scale) * static_cast<double>(from.radius);
  atom.sigma = static_cast<float>(sigma);
  atom.cutoff = static_cast<float>(static_cast<double>(cutoff_sigmas) * sigma);
  sorted[n] = atom;
  const std::uint32_t key = keys[n];
  const std::int64_t before = n == 0 ? -1 : static_cast<std::int64_t>(keys[n - 1]);
  for (std::int64_t cell = before + 1; cell <= key; ++cell) starts[cell] = static_cast<std::uint32_t>(n);
  if (n + 1 == count) {
    for (std::int64_t cell = static_cast<std::int64_t>(key) + 1; cell <= total; ++cell) {
      starts[cell] = static_cast<std::uint32_t>(count);
    }
  }
}

/// An atom that reaches the tile, relative to the tile's first point.
struct TileAtom {
  float position[3];
  float exponent;  ///< of 2: -log2(e) / (2 sigma^2)
  float colour[3];
  float cutoff2;
};

/// Square of the distance to a point of an axis, and the axis's factor of the Gaussian.
struct AxisValue {
  float square;
  float factor;
};

using BlockScan = cub::BlockScan<int, threads>;

template <bool coloured>
__global__ void __launch_bounds__(threads)
    density_kernel(DensityGrid g, Cells cells, const CellAtom* __restrict__ atoms,
                   const std::uint32_t* __restrict__ starts, std::size_t first_tile, float* __restrict__ density,
                   float* __restrict__ colours) {
  __shared__ TileAtom list[threads + batch];
  __shared__ AxisValue tables[batch][3 * side];
  __shared__ std::uint32_t row_begin[threads];
  __shared__ int row_offset[threads + 1];
  __shared__ typename BlockScan::TempStorage scan_memory;
  const int t = static_cast<int>(threadIdx.x);
  const int x = t % side;
  const int y = t / side % side;
  const int z = t / side / side * own_points;
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
  for (int axis = 0; axis < 3; ++axis) {
    corner[axis] = g.origin[axis] + first[axis] * g.step[axis];
    step[axis] = static_cast<float>(g.step[axis]);
    const int last = min(side, g.counts[axis] - first[axis]) - 1;
    const double end = last * g.step[axis];
    lower[axis] = static_cast<float>(fmin(0.0, end));
    upper[axis] = static_cast<float>(fmax(0.0, end));
    const double reach = static_cast<double>(g.largest_cutoff) * 1.0001;
    cell_lower[axis] = cells.along(axis, corner[axis] + static_cast<double>(lower[axis]) - reach);
    cell_upper[axis] = cells.along(axis, corner[axis] + static_cast<double>(upper[axis]) + reach);
  }
  float rho[own_points] = {};
  float red[own_points] = {};
  float green[own_points] = {};
  float blue[own_points] = {};

  // Adds the first `count` atoms of the list.
  const auto add_batch = [&](int count) {
    for (int entry = t; entry < count * 3 * side; entry += threads) {
      const int n = entry / (3 * side);
      const int axis = entry % (3 * side) / side;
      const int point = entry % side;
      const float d = static_cast<float>(point) * step[axis] - list[n].position[axis];
      tables[n][axis * side + point] = {d * d, exp2f(list[n].exponent * d * d)};
    }
    __syncthreads();
    for (int n = 0; n < count; ++n) {
      const AxisValue ax = tables[n][x];
      const AxisValue ay = tables[n][side + y];
      const float square = ax.square + ay.square;
      const float factor = ax.factor * ay.factor;
      const float cutoff2 = list[n].cutoff2;
#pragma unroll
      for (int p = 0; p < own_points; ++p) {
        const AxisValue az = tables[n][2 * side + z + p];
        if (square + az.square <= cutoff2) {
          // Written out, so that the density does not depend on whether colours are asked for.
          rho[p] = fmaf(factor, az.factor, rho[p]);
          if constexpr (coloured) {
            const float value = factor * az.factor;
            red[p] = fmaf(value, list[n].colour[0], red[p]);
            green[p] = fmaf(value, list[n].colour[1], green[p]);
            blue[p] = fmaf(value, list[n].colour[2], blue[p]);
          }
        }
      }
    }
    __syncthreads();
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
    if (t == 0) row_offset[threads] = candidates;
    __syncthreads();
    for (int begin = 0; begin < candidates; begin += threads) {
      const int number = begin + t;
      bool reaches = false;
      TileAtom atom;
      if (number < candidates) {
        // The last row that begins at or before this number.
        int low = 0;
        int high = threads - 1;
        while (low < high) {
          const int middle = (low + high + 1) / 2;
          if (row_offset[middle] <= number) {
            low = middle;
          } else {
            high = middle - 1;
          }
        }
        const CellAtom from = atoms[row_begin[low] + static_cast<unsigned>(number - row_offset[low])];
        float distance2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
          // In double: the difference of two large coordinates.
          atom.position[axis] = static_cast<float>(static_cast<double>(from.position[axis]) - corner[axis]);
          const float d = atom.position[axis] - fminf(fmaxf(atom.position[axis], lower[axis]), upper[axis]);
          distance2 += d * d;
          atom.colour[axis] = from.colour[axis];
        }
        atom.cutoff2 = from.cutoff * from.cutoff;
        atom.exponent = -0.72134752044448170f / (from.sigma * from.sigma);
        reaches = distance2 <= atom.cutoff2 * 1.0001f;
      }
      // In the order of the atoms, so that the sum is the same every time.
      int place = 0;
      int hits = 0;
      __syncthreads();
      BlockScan(scan_memory).ExclusiveSum(reaches ? 1 : 0, place, hits);
      if (reaches) list[listed + place] = atom;
      listed += hits;
      __syncthreads();
      while (listed >= batch) {
        add_batch(batch);
        const int left = listed - batch;
        TileAtom moved;
        if (t < left) moved = list[t + batch];
        __syncthreads();
        if (t < left) list[t] = moved;
        listed = left;
        __syncthreads();
      }
    }
    __syncthreads();
  }
  if (listed > 0) add_batch(listed);

  const int i = first[0] + x;
  const int j = first[1] + y;
  if (i >= g.counts[0] || j >= g.counts[1]) return;
  for (int p = 0; p < own_points; ++p) {
    const int k = first[2] + z + p;
    if (k >= g.counts[2]) return;
    const std::size_t to =
        static_cast<std::size_t>(i) +
        static_cast<std::size_t>(g.counts[0]) *
            (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.counts[1]) * static_cast<std::size_t>(k));
    density[to] = rho[p];
    if constexpr (coloured) {
      const float scale = rho[p] > 0.0f ? 1.0f / rho[p] : 0.0f;
      colours[3 * to] = red[p] * scale;
      colours[3 * to + 1] = green[p] * scale;
      colours[3 * to + 2] = blue[p] * scale;
    }
  }
}

/// Cells over everything that can reach the grid, about one cutoff wide, and no more than a few for each atom.
Cells make_cells(const Grid& grid, double cutoff, std::size_t atoms) {
  Cells cells{};
  double extent[3];
  double side_length = std::max(cutoff, 1e-3);
  for (int axis = 0; axis < 3; ++axis) {
    const double a = grid.origin[axis];
    const double b = a + (grid.counts[axis] - 1) * grid.step[axis][axis];
    cells.origin[axis] = std::min(a, b) - cutoff * 1.0001;
    extent[axis] = std::abs(b - a) + 2 * cutoff * 1.0001;
  }
  const double most = std::min(4.0 * static_cast<double>(atoms) + 64, 16777216.0);
  double total = 0;
  do {
    total = 1;
    for (int axis = 0; axis < 3; ++axis) total *= std::floor(extent[axis] / side_length) + 1;
    if (total > most) side_length *= std::cbrt(total / most) * 1.01;
  } while (total > most);
  cells.total = 1;
  for (int axis = 0; axis < 3; ++axis) {
    cells.counts[axis] = static_cast<int>(extent[axis] / side_length) + 1;
    cells.inverse[axis] = 1 / side_length;
    cells.total *= static_cast<unsigned>(cells.counts[axis]);
  }
  return cells;
}

}  // namespace

void gaussian_density_cuda(std::span<const DensityAtom> atoms, const Grid& grid, const GaussianDensityOptions& options,
                           Span<float> density, Span<glm::vec3> colours, Job& job) {
  Stream stream(density.device);
  const CudaApi& api = cuda_api();
  float largest = 0;
  for (const DensityAtom& atom : atoms) largest = std::max(largest, atom.radius);
  const double cutoff = double{options.cutoff_sigmas} * double{options.radius_scale} * double{largest};
  const Cells cells = make_cells(grid, cutoff, atoms.size());
  const std::size_t n = atoms.size();
  DeviceArray<CellAtom> sorted(n, stream, "surface density: atoms");
  DeviceArray<std::uint32_t> starts(cells.total + 2u, stream, "surface density: cells");
  cuda_check(api.set_bytes(starts.data(), 0, starts.size() * sizeof(std::uint32_t), stream.handle()),
             "surface density: cells");
  if (n > 0) {
    const auto raw = DeviceArray<RawAtom>::from_host({reinterpret_cast<const RawAtom*>(atoms.data()), n}, stream,
                                                     "surface density: atoms");
    DeviceArray<std::uint32_t> keys(n, stream, "surface density: keys");
    DeviceArray<std::uint32_t> numbers(n, stream, "surface density: keys");
    DeviceArray<std::uint32_t> sorted_keys(n, stream, "surface density: keys");
    DeviceArray<std::uint32_t> sorted_numbers(n, stream, "surface density: keys");
    double reach[3];
    for (int axis = 0; axis < 3; ++axis) {
      reach[axis] = std::abs((grid.counts[axis] - 1) * grid.step[axis][axis]) + 2 * cutoff * 1.0001;
    }
    launch("surface density: keys", stream, key_kernel, blocks_for(n), {256}, raw.data(), n, cells, reach[0], reach[1],
           reach[2], keys.data(), numbers.data());
    {
      const LaunchTimer timer("surface density: sort", stream.device().index, stream.handle());
      int bits = 1;
      while (bits < 32 && (cells.total >> bits) != 0) ++bits;
      std::size_t bytes = 0;
      const auto sort = [&](void* temporary) {
        cuda_check(api.sort_pairs(temporary, &bytes, keys.data(), sorted_keys.data(), numbers.data(),
                                  sorted_numbers.data(), n, bits, stream.handle()),
                   "surface density: sort");
      };
      sort(nullptr);
      DeviceArray<unsigned char> temporary(std::max<std::size_t>(bytes, 1), stream, "surface density: sort");
      sort(temporary.data());
    }
    launch("surface density: order", stream, place_kernel, blocks_for(n), {256}, raw.data(), n, sorted_keys.data(),
           sorted_numbers.data(), cells.total, options.radius_scale, options.cutoff_sigmas, sorted.data(),
           starts.data());
    stream.synchronize("surface density: order");
  }
  DensityGrid g{};
  g.largest_cutoff = static_cast<float>(cutoff);
  std::size_t tiles = 1;
  double near_part = 1;  // of all cells, what one tile reads
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = grid.origin[axis];
    g.step[axis] = grid.step[axis][axis];
    g.counts[axis] = grid.counts[axis];
    tiles *= static_cast<std::size_t>((grid.counts[axis] + side - 1) / side);
    const double reads = (side * std::abs(g.step[axis]) + 2 * cutoff) * cells.inverse[axis] + 1;
    near_part *= std::min(1.0, reads / cells.counts[axis]);
  }
  g.tiles_x = static_cast<unsigned>((g.counts[0] + side - 1) / side);
  g.tiles_y = static_cast<unsigned>((g.counts[1] + side - 1) / side);
  const double work = std::max(1.0, near_part * static_cast<double>(n)) * side * side * side;
  const auto first = static_cast<std::size_t>(std::clamp(5e9 / work, 512.0, 65536.0));
  const auto kernel = colours.empty() ? density_kernel<false> : density_kernel<true>;
  for_slices(tiles, first, stream, job, "surface density", [&](std::size_t begin, std::size_t count) {
    launch("surface density: tiles", stream, kernel, {static_cast<unsigned>(count)}, {threads}, g, cells, sorted.data(),
           starts.data(), begin, density.data, reinterpret_cast<float*>(colours.data));
  });
  stream.synchronize("surface density: tiles");
}

}  // namespace isolume
