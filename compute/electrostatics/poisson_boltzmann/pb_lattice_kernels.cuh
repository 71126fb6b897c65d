// Coulomb's part where the surface cuts and in the solute, from the lattices of a Coulomb sum: of many charges on CUDA.
#pragma once

#include "compute/electrostatics/coulomb_sum/coulomb_view.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_read_kernels.cuh"

namespace isolume {
namespace {

/// The place at a part of a cut edge, counted from its lower node.
__device__ __forceinline__ void place_of(const PbNodes& n, const PbCut& cut, double part, double* out) {
  const std::size_t nx = static_cast<std::size_t>(n.counts[0]), ny = static_cast<std::size_t>(n.counts[1]);
  const std::size_t node = cut.node;
  const int place[3] = {static_cast<int>(node % nx), static_cast<int>(node / nx % ny),
                        static_cast<int>(node / (nx * ny))};
  for (int axis = 0; axis < 3; ++axis)
    out[axis] = n.along(axis, place[axis]) + (axis == cut.axis ? part * n.step[axis] : 0.0);
}

/// As pb_jumps_kernel, a warp for each cut.
template <bool smooth>
__global__ void __launch_bounds__(point_block)
    pb_lattice_jumps_kernel(PbNodes n, CoulombView lattice, const PbCut* __restrict__ cuts, unsigned count, double unit,
                            double* __restrict__ value, double* __restrict__ jump, double* __restrict__ through) {
  const unsigned at = blockIdx.x * (point_block / 32) + threadIdx.x / 32;
  if (at >= count) return;
  const PbCut cut = cuts[at];
  const double share = static_cast<double>(cut.share);
  double places[2][3];
  if (smooth) {
    place_of(n, cut, cut.in ? 0.0 : 1.0, places[0]);
    place_of(n, cut, cut.in ? 1.0 : 0.0, places[1]);
  } else {
    place_of(n, cut, cut.in ? share : 1 - share, places[0]);
    place_of(n, cut, 0.5, places[1]);
  }
  float4 sums[2];
  coulomb_of_warp<2>(lattice, places, sums);
  if (threadIdx.x % 32 != 0) return;
  const double sign = cut.in ? 1.0 : -1.0;
  const auto along = [&](const float4& sum) {
    return static_cast<double>(cut.axis == 0 ? sum.x : cut.axis == 1 ? sum.y : sum.z);
  };
  value[at] = unit * static_cast<double>(sums[0].w);
  jump[at] = smooth ? 0.0 : sign * unit * along(sums[0]);
  through[at] = smooth ? unit * static_cast<double>(sums[1].w) : sign * unit * along(sums[1]);
}

constexpr int lattice_nodes = 4;  ///< of a row that a warp sums at once

/// Adds Coulomb's potential at the grid's nodes that are in the solute. A warp for some neighbours along x.
__global__ void __launch_bounds__(point_block)
    pb_lattice_coulomb_kernel(PbField field, PbNodes grid, int3 first, CoulombView lattice, double scale,
                              float* __restrict__ out) {
  const std::size_t warp = (std::size_t{blockIdx.x} * point_block + threadIdx.x) / 32;
  const std::size_t runs = (static_cast<std::size_t>(grid.counts[0]) + lattice_nodes - 1) / lattice_nodes;
  const std::size_t row = warp / runs, ny = static_cast<std::size_t>(grid.counts[1]);
  if (row >= ny * static_cast<std::size_t>(grid.counts[2])) return;
  const int begin = lattice_nodes * static_cast<int>(warp % runs), j = static_cast<int>(row % ny),
            k = static_cast<int>(row / ny);
  // All lanes look at all of the nodes, so that they stay together. Nodes of the solvent are where another is.
  bool used[lattice_nodes];
  int some = -1;
  for (int e = 0; e < lattice_nodes; ++e) {
    const int i = begin + e;
    used[e] = i < grid.counts[0] && field.inside[field.nodes.index(i + first.x, j + first.y, k + first.z)] != 0;
    if (used[e]) some = i;
  }
  if (some < 0) return;
  double places[lattice_nodes][3];
  for (int e = 0; e < lattice_nodes; ++e) {
    places[e][0] = grid.along(0, used[e] ? begin + e : some);
    places[e][1] = grid.along(1, j);
    places[e][2] = grid.along(2, k);
  }
  float4 sums[lattice_nodes];
  coulomb_of_warp<lattice_nodes, false>(lattice, places, sums);
  if (threadIdx.x % 32 != 0) return;
  for (int e = 0; e < lattice_nodes; ++e)
    if (used[e]) out[grid.index(begin + e, j, k)] += static_cast<float>(scale * static_cast<double>(sums[e].w));
}

}  // namespace
}  // namespace isolume
