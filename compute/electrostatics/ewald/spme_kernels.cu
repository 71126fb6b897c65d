// The kernels of SPME's mesh on CUDA: influence function, forces, potential on a grid.
#include "compute/electrostatics/ewald/spme_kernels.h"

#include <algorithm>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/energy/energy_device.cuh"
#include "compute/electrostatics/ewald/spme_places.cuh"

namespace isolume {

namespace {

struct Gradient {
  float by[9];
};

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
