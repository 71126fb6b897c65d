// The sum over pairs within a cutoff on CUDA: one thread an atom, through the cells around its own.
#include <algorithm>
#include <cmath>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/energy/energy_device.cuh"
#include "compute/electrostatics/energy/energy_pairs_cuda.h"

namespace isolume {

namespace {

SortedCells pair_cells(std::size_t atoms, const Cell& cell, double cutoff, PairGeometry& g) {
  SortedCells grid;
  const glm::dmat3 dual = glm::transpose(glm::inverse(cell.vectors));
  // About half a cutoff, but not far more cells than atoms.
  for (double side = cutoff / 2;; side *= 1.3) {
    double all = 1;
    for (int a = 0; a < 3; ++a) {
      const double across = 1 / glm::length(dual[a]);
      grid.count[a] = static_cast<int>(std::clamp(std::floor(across / side), 1.0, 4096.0));
      const double width = across / grid.count[a];
      g.width[a] = static_cast<float>(width);
      g.reach[a] = static_cast<int>(std::ceil(cutoff / width));
      for (int c = 0; c < 3; ++c) g.step[3 * a + c] = static_cast<float>(cell.vectors[a][c] / grid.count[a]);
      all *= grid.count[a];
    }
    if (all <= 2 * static_cast<double>(atoms) + 64) return grid;
  }
}

__global__ void relative_kernel(const FractionalCharge* sorted, std::uint32_t atoms, SortedCells grid, PairGeometry g,
                                float4* relative) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= atoms) return;
  const FractionalCharge p = sorted[i];
  float f[3];
  for (int a = 0; a < 3; ++a) f[a] = static_cast<float>(p.u[a] * static_cast<std::uint32_t>(grid.count[a])) * 0x1p-32f;
  float r[3];
  for (int c = 0; c < 3; ++c) r[c] = g.step[c] * f[0] + g.step[3 + c] * f[1] + g.step[6 + c] * f[2];
  relative[i] = make_float4(r[0], r[1], r[2], p.charge);
}

constexpr int pair_threads = 128;

/// Calls use(place of the atom or point from the corner of each cell around it, first and last atom of that cell).
template <class Use>
__device__ __forceinline__ void each_cell(const std::uint32_t (&u)[3], const SortedCells& grid, const PairGeometry& g,
                                          const std::uint32_t* __restrict__ first, float cutoff2, const Use& use) {
  int c[3];
  float f[3];  // place within the cell
  for (int a = 0; a < 3; ++a) {
    c[a] = static_cast<int>(__umulhi(u[a], static_cast<std::uint32_t>(grid.count[a])));
    f[a] = static_cast<float>(u[a] * static_cast<std::uint32_t>(grid.count[a])) * 0x1p-32f;
  }
  // The square of the distance to the cells at an offset along an axis, where axes are at right angles.
  const auto gap2 = [&](int d, int a) {
    if (!g.upright || d == 0) return 0.0f;
    const float gap = (d > 0 ? static_cast<float>(d) - f[a] : f[a] - static_cast<float>(d + 1)) * g.width[a] * 0.99999f;
    return gap * gap;
  };
  const auto wrapped = [&](int at, int a) {
    if (!g.periodic) return at;
    while (at < 0) at += grid.count[a];
    while (at >= grid.count[a]) at -= grid.count[a];
    return at;
  };
  for (int dz = -g.reach[2]; dz <= g.reach[2]; ++dz) {
    const int cz = wrapped(c[2] + dz, 2);
    const float left_z = cutoff2 - gap2(dz, 2);
    if (cz < 0 || cz >= grid.count[2] || left_z < 0) continue;
    for (int dy = -g.reach[1]; dy <= g.reach[1]; ++dy) {
      const int cy = wrapped(c[1] + dy, 1);
      const float left_y = left_z - gap2(dy, 1);
      if (cy < 0 || cy >= grid.count[1] || left_y < 0) continue;
      const int row = (cz * grid.count[1] + cy) * grid.count[0];
      for (int dx = -g.reach[0]; dx <= g.reach[0]; ++dx) {
        const int cx = wrapped(c[0] + dx, 0);
        if (cx < 0 || cx >= grid.count[0] || left_y < gap2(dx, 0)) continue;
        float3 at;
        const float e[3] = {f[0] - static_cast<float>(dx), f[1] - static_cast<float>(dy),
                            f[2] - static_cast<float>(dz)};
        at.x = g.step[0] * e[0] + g.step[3] * e[1] + g.step[6] * e[2];
        at.y = g.step[1] * e[0] + g.step[4] * e[1] + g.step[7] * e[2];
        at.z = g.step[2] * e[0] + g.step[5] * e[1] + g.step[8] * e[2];
        use(at, first[row + cx], first[row + cx + 1]);
      }
    }
  }
}

/// A block has a tile of points, a thread `each` of them along z: 8 x 4 x (4 each).
constexpr int tile_x = 8, tile_y = 4, tile_z = 4;
static_assert(tile_x * tile_y * tile_z == pair_threads);
constexpr int most_each = 4;

__host__ __device__ inline int tiles_along(int points, int tile) {
  return (points + tile - 1) / tile;
}

/// A tile as seen from its first point.
struct MapTile {
  float step[9];                      // between points, angstrom
  float lower[3], upper[3];           // the box around its points, angstrom
  float reach_low[3], reach_high[3];  // where atoms within the cutoff may be, in cells along the cell's vectors
};

MapTile tile_of(const GridView& points, const CellView& cell, const SortedCells& grid, const PairGeometry& g,
                double cutoff, int each) {
  MapTile tile{};
  const int last[3] = {tile_x - 1, tile_y - 1, tile_z * each - 1};
  for (int k = 0; k < 9; ++k) tile.step[k] = static_cast<float>(points.step[k]);
  for (int a = 0; a < 3; ++a) {
    double lower = 0, upper = 0, low = 0, high = 0;
    for (int k = 0; k < 3; ++k) {
      const double along = last[k] * points.step[3 * k + a];
      (along < 0 ? lower : upper) += along;
      double cells = 0;
      for (int c = 0; c < 3; ++c) cells += cell.inverse[a + 3 * c] * last[k] * points.step[3 * k + c];
      (cells < 0 ? low : high) += cells * grid.count[a];
    }
    const double reach = 1.0001 * cutoff / static_cast<double>(g.width[a]) + 1e-4;
    tile.lower[a] = static_cast<float>(lower);
    tile.upper[a] = static_cast<float>(upper);
    tile.reach_low[a] = static_cast<float>(low - reach);
    tile.reach_high[a] = static_cast<float>(high + reach);
  }
  return tile;
}

/// The threads of a block collect the atoms that are within the cutoff of the box around their points, a cell each at a
/// time, and go through all that were found: `held` at once.
constexpr unsigned held = 256;

template <int each>
__global__ void __launch_bounds__(pair_threads)
    map_kernel(GridView points, CellView cell, MapTile tile, const float4* __restrict__ relative,
               const std::uint32_t* __restrict__ first, SortedCells grid, PairGeometry g, const ShortRange* function,
               float factor, float* values) {
  __shared__ float series[ShortRange::most];
  __shared__ float4 near[held];
  __shared__ unsigned filled;
  const int thread = static_cast<int>(threadIdx.x);
  for (int k = thread; k < ShortRange::most; k += pair_threads) series[k] = function->energy[k];
  if (thread == 0) filled = 0;
  const int terms = function->terms;
  const float cutoff2 = function->cutoff2;
  const float scale = function->scale;
  const float offset = function->offset;
  const int across = tiles_along(points.counts[0], tile_x), down = tiles_along(points.counts[1], tile_y);
  const int block = static_cast<int>(blockIdx.x);
  const int x0 = block % across * tile_x, y0 = block / across % down * tile_y;
  const int z0 = block / across / down * tile_z * each;
  const auto row = static_cast<std::size_t>(points.counts[0]);
  const std::size_t plane = row * static_cast<std::size_t>(points.counts[1]);
  std::uint32_t u[3];
  grid_fractions(points, cell, static_cast<std::size_t>(z0) * plane + static_cast<std::size_t>(y0) * row + x0, u);
  int low[3];    // the first cell, from that of the tile's first point
  int cells[3];  // how many along an axis
  int home[3];
  float within[3];
  for (int a = 0; a < 3; ++a) {
    home[a] = static_cast<int>(__umulhi(u[a], static_cast<std::uint32_t>(grid.count[a])));
    within[a] = static_cast<float>(u[a] * static_cast<std::uint32_t>(grid.count[a])) * 0x1p-32f;
    low[a] = static_cast<int>(floorf(within[a] + tile.reach_low[a]));
    cells[a] = static_cast<int>(floorf(within[a] + tile.reach_high[a])) - low[a] + 1;
  }
  const int all = cells[0] * cells[1] * cells[2];
  const auto wrapped = [&](int at, int a) {
    if (!g.periodic) return at;
    while (at < 0) at += grid.count[a];
    while (at >= grid.count[a]) at -= grid.count[a];
    return at;
  };
  const int x = thread % tile_x, y = thread / tile_x % tile_y, z = thread / (tile_x * tile_y) * each;
  float px[each], py[each], pz[each], sum[each];
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const auto i = static_cast<float>(x), j = static_cast<float>(y), k = static_cast<float>(z + e);
    px[e] = tile.step[0] * i + tile.step[3] * j + tile.step[6] * k;
    py[e] = tile.step[1] * i + tile.step[4] * j + tile.step[7] * k;
    pz[e] = tile.step[2] * i + tile.step[5] * j + tile.step[8] * k;
    sum[e] = 0;
  }
  __syncthreads();
  int next = thread;  // of the cells
  std::uint32_t atom = 0, end = 0;
  float corner[3] = {};
  for (;;) {
    bool left = false;
    for (;;) {
      if (atom == end) {
        if (next >= all) break;
        const int d[3] = {low[0] + next % cells[0], low[1] + next / cells[0] % cells[1],
                          low[2] + next / cells[0] / cells[1]};
        next += pair_threads;
        int at[3];
        bool there = true;
        for (int a = 0; a < 3; ++a) {
          at[a] = wrapped(home[a] + d[a], a);
          there = there && at[a] >= 0 && at[a] < grid.count[a];
        }
        if (!there) continue;
        for (int c = 0; c < 3; ++c) {
          corner[c] = 0;
          for (int a = 0; a < 3; ++a) corner[c] += g.step[3 * a + c] * (static_cast<float>(d[a]) - within[a]);
        }
        const int index = (at[2] * grid.count[1] + at[1]) * grid.count[0] + at[0];
        atom = first[index];
        end = first[index + 1];
        continue;
      }
      const float4 other = relative[atom];
      const float place[3] = {corner[0] + other.x, corner[1] + other.y, corner[2] + other.z};
      float away = 0;
      for (int a = 0; a < 3; ++a) {
        const float gap = fmaxf(fmaxf(tile.lower[a] - place[a], place[a] - tile.upper[a]), 0.0f);
        away += gap * gap;
      }
      if (away < 1.0001f * cutoff2) {
        const unsigned to = atomicAdd(&filled, 1u);
        left = to >= held;
        if (left) break;
        near[to] = make_float4(place[0], place[1], place[2], other.w);
      }
      ++atom;
    }
    __syncthreads();
    const unsigned found = min(filled, held);
    for (unsigned i = 0; i < found; ++i) {
      const float4 other = near[i];
      float r2[each];
      bool any = false;
#pragma unroll
      for (int e = 0; e < each; ++e) {
        const float ex = px[e] - other.x, ey = py[e] - other.y, ez = pz[e] - other.z;
        r2[e] = ex * ex + ey * ey + ez * ez;
        any = any || r2[e] < cutoff2;
      }
      if (!any) continue;
      float t[each], s[each];
#pragma unroll
      for (int e = 0; e < each; ++e) {
        t[e] = r2[e] * scale + offset;
        s[e] = series[terms - 1];
      }
      for (int k = terms - 2; k >= 0; --k) {
        const float term = series[k];
#pragma unroll
        for (int e = 0; e < each; ++e) s[e] = s[e] * t[e] + term;
      }
#pragma unroll
      for (int e = 0; e < each; ++e) {
        const float value = (r2[e] >= 1e-8f ? fast_rsqrt(r2[e]) : 0.0f) - s[e];
        if (r2[e] < cutoff2) sum[e] += other.w * value;
      }
    }
    if (!__syncthreads_or(left)) break;
    if (thread == 0) filled = 0;
    __syncthreads();
  }
  if (x0 + x >= points.counts[0] || y0 + y >= points.counts[1]) return;
#pragma unroll
  for (int e = 0; e < each; ++e) {
    const int k = z0 + z + e;
    if (k >= points.counts[2]) return;
    values[static_cast<std::size_t>(k) * plane + static_cast<std::size_t>(y0 + y) * row +
           static_cast<std::size_t>(x0 + x)] += factor * sum[e];
  }
}

template <bool all>
__global__ void __launch_bounds__(pair_threads)
    pairs_kernel(const FractionalCharge* sorted, const float4* __restrict__ relative,
                 const std::uint32_t* __restrict__ atom, const std::uint32_t* __restrict__ first, std::uint32_t atoms,
                 SortedCells grid, PairGeometry g, const ShortRange* function, ExclusionView x, float* forces,
                 float* energies, double* sums) {
  __shared__ float energy_series[ShortRange::most];
  __shared__ float force_series[ShortRange::most];
  for (int k = static_cast<int>(threadIdx.x); k < ShortRange::most; k += pair_threads) {
    energy_series[k] = function->energy[k];
    force_series[k] = function->force[k];
  }
  const int terms = function->terms;
  const float cutoff2 = function->cutoff2;
  const float scale = function->scale;
  const float offset = function->offset;
  __syncthreads();
  const std::uint32_t index = blockIdx.x * pair_threads + threadIdx.x;
  const bool real = index < atoms;
  float force[3] = {};
  float potential = 0;
  float virial[6] = {};
  float own_charge = 0;
  std::uint32_t i = 0;
  if (real) {
    const FractionalCharge p = sorted[index];
    own_charge = coulomb_f * p.charge;
    i = atom[index];
    const std::uint64_t mask = x.offsets ? x.mask[i] : 0;
    const bool far = x.offsets && x.far[i];
    each_cell(p.u, grid, g, first, cutoff2, [&](float3 at, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t j = begin; j < end; ++j) {
        const float4 other = relative[j];
        const float ex = at.x - other.x;
        const float ey = at.y - other.y;
        const float ez = at.z - other.z;
        const float r2 = ex * ex + ey * ey + ez * ez;
        if (!(r2 < cutoff2)) continue;
        // Of another atom in the same place 1/r is left out, and the smooth function stays.
        const bool apart = r2 >= 1e-8f;
        if (!apart && j == index) continue;
        if (x.offsets && is_excluded(x, i, atom[j], mask, far)) continue;
        const float root = apart ? fast_rsqrt(r2) : 0.0f;
        const float t = r2 * scale + offset;
        float s = force_series[terms - 2];
        for (int k = terms - 3; k >= 0; --k) s = s * t + force_series[k];
        const float w = other.w * (root * root * root - s);
        force[0] += w * ex;
        force[1] += w * ey;
        force[2] += w * ez;
        if constexpr (all) {
          s = energy_series[terms - 1];
          for (int k = terms - 2; k >= 0; --k) s = s * t + energy_series[k];
          potential += other.w * (root - s);
          virial[0] += w * ex * ex;
          virial[1] += w * ey * ey;
          virial[2] += w * ez * ez;
          virial[3] += w * ex * ey;
          virial[4] += w * ex * ez;
          virial[5] += w * ey * ez;
        }
      }
    });
    if (forces) {
      for (int a = 0; a < 3; ++a) forces[3 * static_cast<std::size_t>(i) + a] = own_charge * force[a];
    }
    if (energies) energies[i] = 0.5f * own_charge * potential;
  }
  if constexpr (all) {
    double total[6];
    for (int k = 0; k < 6; ++k) total[k] = 0.5 * static_cast<double>(own_charge) * static_cast<double>(virial[k]);
    add_energy_sums(sums, sum_pairs, 0.5 * static_cast<double>(own_charge) * static_cast<double>(potential), total);
  }
}

}  // namespace

GridView GridView::of(const Grid& grid) {
  GridView v{};
  for (int a = 0; a < 3; ++a) {
    v.origin[a] = grid.origin[a];
    v.counts[a] = grid.counts[a];
    for (int c = 0; c < 3; ++c) v.step[3 * a + c] = grid.step[a][c];
  }
  return v;
}

PairsCuda::PairsCuda(std::size_t atoms, const Cell& cell, bool periodic, const ShortRange& function, Device device)
    : view_(CellView::of(cell)),
      cutoff_(function.cutoff),
      sort_(atoms, pair_cells(atoms, cell, function.cutoff, geometry_), device),
      relative_(atoms * 4, device, "pairs"),
      function_(DeviceArray<ShortRange>::from_host({&function, 1}, device, "pairs")) {
  geometry_.periodic = periodic;
  geometry_.upright = cell.orthogonal();
}

void PairsCuda::sort(const float* positions, const float* charges, Stream& stream) {
  sort_.sort(positions, charges, view_, stream);
  const auto atoms = static_cast<std::uint32_t>(sort_.size());
  launch("pairs: places", stream, relative_kernel, blocks_for(atoms, 128), CudaDim{128, 1, 1}, sort_.sorted(), atoms,
         sort_.grid(), geometry_, reinterpret_cast<float4*>(relative_.data()));
}

void PairsCuda::add_map(const GridView& grid, float scale, float* values, Stream& stream) {
  // Tiles that are long compared with the cutoff would collect many atoms that most of their points are far from.
  const double along = std::hypot(grid.step[6], grid.step[7], grid.step[8]);
  const int each = most_each * along <= 0.7 * cutoff_ ? most_each : 1;
  const std::size_t tiles = static_cast<std::size_t>(tiles_along(grid.counts[0], tile_x)) *
                            static_cast<std::size_t>(tiles_along(grid.counts[1], tile_y)) *
                            static_cast<std::size_t>(tiles_along(grid.counts[2], tile_z * each));
  const MapTile tile = tile_of(grid, view_, sort_.grid(), geometry_, cutoff_, each);
  const auto go = [&](auto kernel) {
    launch("map: pairs", stream, kernel, blocks_for(tiles, 1), CudaDim{pair_threads, 1, 1}, grid, view_, tile,
           reinterpret_cast<const float4*>(relative_.data()), sort_.first(), sort_.grid(), geometry_, function_.data(),
           scale, values);
  };
  each == most_each ? go(map_kernel<most_each>) : go(map_kernel<1>);
}

void PairsCuda::run(const float* positions, EnergyDevice& device, bool all, float* forces, float* energies,
                    Stream& stream) {
  sort(positions, device.charges(), stream);
  const auto atoms = static_cast<std::uint32_t>(sort_.size());
  const auto* relative = reinterpret_cast<const float4*>(relative_.data());
  const auto go = [&](auto kernel) {
    launch("pairs", stream, kernel, blocks_for(atoms, pair_threads), CudaDim{pair_threads, 1, 1}, sort_.sorted(),
           relative, sort_.atom(), sort_.first(), atoms, sort_.grid(), geometry_, function_.data(), device.exclusions(),
           forces, energies, device.sums());
  };
  all ? go(pairs_kernel<true>) : go(pairs_kernel<false>);
}

}  // namespace isolume
