// The kernels of SPME's mesh on CUDA.
#include "compute/potential/spme_kernels.h"

#include <algorithm>

#include "compute/launch.cuh"
#include "compute/potential/energy_device.cuh"

namespace isolume {

namespace {

struct Gradient {
  float by[9];
};

/// Mesh point below a coordinate, and how far beyond it.
__device__ __forceinline__ int split(std::uint32_t u, int n, float& beyond) {
  beyond = static_cast<float>(u * static_cast<std::uint32_t>(n)) * 0x1p-32f;
  return static_cast<int>(__umulhi(u, static_cast<std::uint32_t>(n)));
}

constexpr int most_side = 15;
constexpr int spread_threads = 256;

/// An atom's weights within a block.
template <int order>
struct Held {
  float x[order], y[order], z[order];
  int at[3];  // of its first point, from the corner of the brick
};

template <int order>
__global__ void __launch_bounds__(spread_threads)
    spread_kernel(const FractionalCharge* atoms, const std::uint32_t* first, CellGrid grid, float largest,
                  float* mesh) {
  constexpr int held = order <= 5 ? 128 : 64;
  // Rows and planes are offset so that the points of a spline fall into different banks.
  __shared__ int points[(most_side + 1) * (most_side + 1) * most_side];
  __shared__ Held<order> hold[held];
  __shared__ std::uint32_t begins[8];
  __shared__ std::uint32_t ends[9];  // running counts
  __shared__ int filled;
  const int brick[3] = {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z)};
  int corner[3];
  int side[3];
  for (int a = 0; a < 3; ++a) {
    corner[a] = brick[a] * grid.n[a] / grid.count[a];
    side[a] = (brick[a] + 1) * grid.n[a] / grid.count[a] - corner[a];
  }
  const int row = side[0] + 1;
  const int plane = row * side[1] + (row * side[1] % 32 < 8 ? 8 : 0);
  for (int i = static_cast<int>(threadIdx.x); i < plane * side[2]; i += spread_threads) points[i] = 0;
  if (threadIdx.x < 8) {
    // This brick and those before it along each axis; an axis of one brick is met once.
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool double_met = false;
    int at[3];
    for (int a = 0; a < 3; ++a) {
      const int back = static_cast<int>(threadIdx.x >> a) & 1;
      double_met = double_met || (back && grid.count[a] == 1);
      at[a] = brick[a] - back;
      if (at[a] < 0) at[a] += grid.count[a];
    }
    if (!double_met) {
      const int index = (at[2] * grid.count[1] + at[1]) * grid.count[0] + at[0];
      begin = first[index];
      end = first[index + 1];
    }
    begins[threadIdx.x] = begin;
    ends[threadIdx.x + 1] = end - begin;
    __syncwarp(0xff);
    if (threadIdx.x == 0) {
      ends[0] = 0;
      for (int k = 0; k < 8; ++k) ends[k + 1] += ends[k];
    }
  }
  if (threadIdx.x == 0) filled = 0;
  __syncthreads();
  const std::uint32_t total = ends[8];
  // |Q| is at most the sum of the charges times the largest product of weights, which is below 0.3 for order 4.
  constexpr float peak = order == 4   ? 0.2965f
                         : order == 5 ? 0.215f
                         : order == 6 ? 0.1665f
                         : order == 7 ? 0.134f
                                      : 0.111f;
  const float bound = fmaxf(static_cast<float>(total) * largest * peak, 1e-20f);
  const float scale = 2.1e9f / bound;

  for (std::uint32_t start = 0; start < total; start += held) {
    const std::uint32_t c = start + threadIdx.x;
    if (threadIdx.x < held && c < total) {
      int k = 0;
      while (c >= ends[k + 1]) ++k;
      const FractionalCharge p = atoms[begins[k] + c - ends[k]];
      int at[3];
      float beyond[3];
      bool reaches = true;
      for (int a = 0; a < 3; ++a) {
        at[a] = split(p.u[a], grid.n[a], beyond[a]) - corner[a];
        if (at[a] < 0) at[a] += grid.n[a];
        // Beyond the brick it may still stand just below the corner: its points run on from there.
        if (at[a] >= side[a] && grid.count[a] > 1) at[a] -= grid.n[a];
        reaches = reaches && at[a] + order > 0;
      }
      if (reaches) {
        Held<order>& h = hold[atomicAdd(&filled, 1)];
        float slope[order];
        float m[order];
        bspline<order>(beyond[0], m, slope);
        for (int i = 0; i < order; ++i) h.x[i] = m[i] * p.charge * scale;
        bspline<order>(beyond[1], h.y, slope);
        bspline<order>(beyond[2], h.z, slope);
        for (int a = 0; a < 3; ++a) h.at[a] = at[a];
      }
    }
    __syncthreads();
    const int tasks = filled * order * order;
    for (int t = static_cast<int>(threadIdx.x); t < tasks; t += spread_threads) {
      const Held<order>& h = hold[t / (order * order)];
      const int y_part = t % order;
      const int z_part = t / order % order;
      int y = h.at[1] + y_part;
      int z = h.at[2] + z_part;
      if (grid.count[1] == 1 && y >= side[1]) y -= side[1];
      if (grid.count[2] == 1 && z >= side[2]) z -= side[2];
      if (y < 0 || z < 0 || y >= side[1] || z >= side[2]) continue;
      const float w = h.y[y_part] * h.z[z_part];
      int* line = points + z * plane + y * row;
#pragma unroll
      for (int i = 0; i < order; ++i) {
        int x = h.at[0] + i;
        if (grid.count[0] == 1 && x >= side[0]) x -= side[0];
        if (x >= 0 && x < side[0]) atomicAdd(line + x, __float2int_rn(h.x[i] * w));
      }
    }
    __syncthreads();
    if (threadIdx.x == 0) filled = 0;
    __syncthreads();
  }
  const float inverse = 1 / scale;
  const int cells = side[0] * side[1] * side[2];
  for (int i = static_cast<int>(threadIdx.x); i < cells; i += spread_threads) {
    const int x = i % side[0];
    const int y = i / side[0] % side[1];
    const int z = i / side[0] / side[1];
    mesh[(static_cast<std::size_t>(corner[2] + z) * grid.n[1] + corner[1] + y) * grid.n[0] + corner[0] + x] =
        static_cast<float>(points[z * plane + y * row + x]) * inverse;
  }
}

__global__ void influence_kernel(SpmeInfluence influence, std::uint32_t size, float* out) {
  const std::uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= size) return;
  const int half = influence.n[0] / 2 + 1;
  const int i = static_cast<int>(at % half);
  const int j = static_cast<int>(at / half % influence.n[1]);
  const int k = static_cast<int>(at / half / influence.n[1]);
  out[at] = static_cast<float>(influence.value(i, j, k));
}

template <bool with_sums>
__global__ void multiply_kernel(SpmeInfluence influence, std::uint32_t size, const float* factors, float2* spectrum,
                                double* sums) {
  double energy = 0;
  double virial[6] = {};
  const int half = influence.n[0] / 2 + 1;
  for (std::uint32_t at = blockIdx.x * blockDim.x + threadIdx.x; at < size; at += gridDim.x * blockDim.x) {
    const float g = factors[at];
    float2 s = spectrum[at];
    if constexpr (with_sums) {
      const int i = static_cast<int>(at % half);
      const int j = static_cast<int>(at / half % influence.n[1]);
      const int k = static_cast<int>(at / half / influence.n[1]);
      // A wave and its opposite, which the half spectrum leaves out.
      const float e = g * (s.x * s.x + s.y * s.y) * (i == 0 ? 0.5f : 1.0f);
      if (e != 0) {
        const int a = 2 * j > influence.n[1] ? j - influence.n[1] : j;
        const int b = 2 * k > influence.n[2] ? k - influence.n[2] : k;
        float w[3];
        for (int axis = 0; axis < 3; ++axis) {
          w[axis] = static_cast<float>(i) * static_cast<float>(influence.dual[axis]) +
                    static_cast<float>(a) * static_cast<float>(influence.dual[3 + axis]) +
                    static_cast<float>(b) * static_cast<float>(influence.dual[6 + axis]);
        }
        const float w2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
        const float spread = 2 * (1 / w2 + static_cast<float>(influence.exponent)) * e;
        energy += static_cast<double>(e);
        for (int axis = 0; axis < 3; ++axis) virial[axis] += static_cast<double>(e - spread * w[axis] * w[axis]);
        virial[3] -= static_cast<double>(spread * w[0] * w[1]);
        virial[4] -= static_cast<double>(spread * w[0] * w[2]);
        virial[5] -= static_cast<double>(spread * w[1] * w[2]);
      }
    }
    s.x *= g;
    s.y *= g;
    spectrum[at] = s;
  }
  if constexpr (with_sums) add_energy_sums(sums, sum_long_range, energy, virial);
}

constexpr int gather_threads = 128;

/// `lanes` threads an atom, each with one plane of its points.
template <int order, bool energy_wanted>
__global__ void __launch_bounds__(gather_threads)
    gather_kernel(const FractionalCharge* atoms, const std::uint32_t* which, std::uint32_t count, int nx, int ny,
                  int nz, const float* __restrict__ mesh, Gradient gradient, bool add, float* forces, float* energies) {
  constexpr int lanes = order == 4 ? 4 : 8;
  const std::uint32_t index = (blockIdx.x * gather_threads + threadIdx.x) / lanes;
  const int part = static_cast<int>(threadIdx.x % lanes);
  const std::uint32_t safe = index < count ? index : count - 1;
  const FractionalCharge p = atoms[safe];
  float beyond[3];
  const int x0 = split(p.u[0], nx, beyond[0]);
  const int y0 = split(p.u[1], ny, beyond[1]);
  const int z0 = split(p.u[2], nz, beyond[2]);
  float wx[order], dx[order], wy[order], dy[order], wz[order], dz[order];
  bspline<order>(beyond[0], wx, dx);
  bspline<order>(beyond[1], wy, dy);
  bspline<order>(beyond[2], wz, dz);
  float own = 0;
  float own_slope = 0;
#pragma unroll
  for (int k = 0; k < order; ++k) {
    if (k == part) {
      own = wz[k];
      own_slope = dz[k];
    }
  }
  int z = z0 + part;
  while (z >= nz) z -= nz;
  int offset[order];
#pragma unroll
  for (int i = 0; i < order; ++i) offset[i] = x0 + i >= nx ? x0 + i - nx : x0 + i;
  float value = 0;
  float by_x = 0;
  float by_y = 0;
  if (part < order) {
    const float* base = mesh + static_cast<std::size_t>(z) * ny * nx;
#pragma unroll
    for (int j = 0; j < order; ++j) {
      const int y = y0 + j >= ny ? y0 + j - ny : y0 + j;
      const float* line = base + static_cast<std::size_t>(y) * nx;
      float v = 0;
      float s = 0;
#pragma unroll
      for (int i = 0; i < order; ++i) {
        const float m = __ldg(line + offset[i]);
        v += wx[i] * m;
        s += dx[i] * m;
      }
      value += wy[j] * v;
      by_x += wy[j] * s;
      by_y += dy[j] * v;
    }
  }
  float g[3] = {own * by_x, own * by_y, own_slope * value};
  float e = own * value;
#pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) {
    for (float& v : g) v += __shfl_xor_sync(~0u, v, step);
    if (energy_wanted) e += __shfl_xor_sync(~0u, e, step);
  }
  if (index >= count) return;
  const std::uint32_t atom = which[index];
  if (forces && part < 3) {
    const float f =
        -p.charge * (gradient.by[part] * g[0] + gradient.by[3 + part] * g[1] + gradient.by[6 + part] * g[2]);
    float* to = forces + 3 * static_cast<std::size_t>(atom) + part;
    *to = add ? *to + f : f;
  }
  if (energy_wanted && part == 3) {
    const float f = 0.5f * p.charge * e;
    energies[atom] = add ? energies[atom] + f : f;
  }
}

/// One thread a point of a grid.
template <int order>
__global__ void __launch_bounds__(gather_threads)
    map_kernel(GridView grid, CellView cell, int nx, int ny, int nz, const float* __restrict__ mesh, float scale,
               float constant, float* values) {
  const std::size_t index = static_cast<std::size_t>(blockIdx.x) * gather_threads + threadIdx.x;
  if (index >= static_cast<std::size_t>(grid.counts[0]) * grid.counts[1] * grid.counts[2]) return;
  std::uint32_t u[3];
  grid_fractions(grid, cell, index, u);
  float beyond[3];
  const int x0 = split(u[0], nx, beyond[0]);
  const int y0 = split(u[1], ny, beyond[1]);
  const int z0 = split(u[2], nz, beyond[2]);
  float wx[order], wy[order], wz[order], slope[order];
  bspline<order>(beyond[0], wx, slope);
  bspline<order>(beyond[1], wy, slope);
  bspline<order>(beyond[2], wz, slope);
  int offset[order];
#pragma unroll
  for (int i = 0; i < order; ++i) offset[i] = x0 + i >= nx ? x0 + i - nx : x0 + i;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < order; ++k) {
    const int z = z0 + k >= nz ? z0 + k - nz : z0 + k;
#pragma unroll
    for (int j = 0; j < order; ++j) {
      const int y = y0 + j >= ny ? y0 + j - ny : y0 + j;
      const float* line = mesh + (static_cast<std::size_t>(z) * ny + y) * nx;
      float v = 0;
#pragma unroll
      for (int i = 0; i < order; ++i) v += wx[i] * __ldg(line + offset[i]);
      sum += wz[k] * wy[j] * v;
    }
  }
  values[index] = scale * sum + constant;
}

}  // namespace

CellGrid mesh_bricks(glm::ivec3 mesh) {
  CellGrid grid;
  grid.bricks = true;
  for (int a = 0; a < 3; ++a) {
    grid.n[a] = mesh[a];
    grid.count[a] = std::max(1, mesh[a] / 8);
  }
  return grid;
}

void spme_spread_cuda(int order, const AtomSort& atoms, float largest, float* mesh, Stream& stream) {
  const CellGrid& g = atoms.grid();
  const CudaDim bricks{static_cast<unsigned>(g.count[0]), static_cast<unsigned>(g.count[1]),
                       static_cast<unsigned>(g.count[2])};
  with_order(order, [&](auto p) {
    launch("mesh: charges", stream, spread_kernel<p.value>, bricks, CudaDim{spread_threads, 1, 1}, atoms.sorted(),
           atoms.first(), g, largest, mesh);
  });
}

void spme_influence_cuda(const SpmeInfluence& influence, float* out, Stream& stream) {
  const auto size = static_cast<std::uint32_t>((influence.n[0] / 2 + 1) * influence.n[1] * influence.n[2]);
  launch("mesh: influence function", stream, influence_kernel, blocks_for(size, 128), CudaDim{128, 1, 1}, influence,
         size, out);
}

void spme_multiply_cuda(const SpmeInfluence& influence, const float* factors, std::complex<float>* spectrum,
                        double* sums, Stream& stream) {
  const auto size = static_cast<std::uint32_t>((influence.n[0] / 2 + 1) * influence.n[1] * influence.n[2]);
  auto* s = reinterpret_cast<float2*>(spectrum);
  const CudaDim blocks{std::min(blocks_for(size, 256).x, 1056u), 1, 1};
  if (sums) {
    launch("mesh: influence", stream, multiply_kernel<true>, blocks, CudaDim{256, 1, 1}, influence, size, factors, s,
           sums);
  } else {
    launch("mesh: influence", stream, multiply_kernel<false>, blocks, CudaDim{256, 1, 1}, influence, size, factors, s,
           sums);
  }
}

void spme_gather_cuda(int order, const AtomSort& atoms, const float* mesh, const double (&gradient)[9], bool add,
                      float* forces, float* energies, Stream& stream) {
  Gradient g;
  for (int k = 0; k < 9; ++k) g.by[k] = static_cast<float>(gradient[k]);
  const int* n = atoms.grid().n;
  with_order(order, [&](auto p) {
    const std::size_t threads = atoms.size() * (p.value == 4 ? 4 : 8);
    const auto go = [&](auto kernel) {
      launch("mesh: forces", stream, kernel, blocks_for(threads, gather_threads), CudaDim{gather_threads, 1, 1},
             atoms.sorted(), atoms.atom(), static_cast<std::uint32_t>(atoms.size()), n[0], n[1], n[2], mesh, g, add,
             forces, energies);
    };
    energies ? go(gather_kernel<p.value, true>) : go(gather_kernel<p.value, false>);
  });
}

void spme_map_cuda(int order, glm::ivec3 n, const float* mesh, const GridView& grid, const CellView& cell, float scale,
                   float constant, float* values, Stream& stream) {
  const std::size_t points = static_cast<std::size_t>(grid.counts[0]) * static_cast<std::size_t>(grid.counts[1]) *
                             static_cast<std::size_t>(grid.counts[2]);
  with_order(order, [&](auto p) {
    launch("map: mesh", stream, map_kernel<p.value>, blocks_for(points, gather_threads), CudaDim{gather_threads, 1, 1},
           grid, cell, n.x, n.y, n.z, mesh, scale, constant, values);
  });
}

}  // namespace isolume
