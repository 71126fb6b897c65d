// Charges onto SPME's mesh on CUDA: a block a brick, in shared memory.
#include <algorithm>

#include "compute/base/launch.cuh"
#include "compute/electrostatics/ewald/spme_kernels.h"
#include "compute/electrostatics/ewald/spme_places.cuh"

namespace isolume {

namespace {

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
    spread_kernel(const FractionalCharge* atoms, const std::uint32_t* first, SortedCells grid, float largest,
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

}  // namespace

SortedCells mesh_bricks(glm::ivec3 mesh) {
  SortedCells grid;
  grid.bricks = true;
  for (int a = 0; a < 3; ++a) {
    grid.n[a] = mesh[a];
    grid.count[a] = std::max(1, mesh[a] / 8);
  }
  return grid;
}

void spme_spread_cuda(int order, const AtomSort& atoms, float largest, float* mesh, Stream& stream) {
  const SortedCells& g = atoms.grid();
  const CudaDim bricks{static_cast<unsigned>(g.count[0]), static_cast<unsigned>(g.count[1]),
                       static_cast<unsigned>(g.count[2])};
  with_order(order, [&](auto p) {
    launch("mesh: charges", stream, spread_kernel<p.value>, bricks, CudaDim{spread_threads, 1, 1}, atoms.sorted(),
           atoms.first(), g, largest, mesh);
  });
}

}  // namespace isolume
