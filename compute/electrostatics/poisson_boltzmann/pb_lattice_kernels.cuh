// Coulomb's part where the surface cuts, from the lattices of a Coulomb sum: of many charges on CUDA.
#pragma once

#include "compute/electrostatics/coulomb_sum/coulomb_view.cuh"
#include "compute/electrostatics/poisson_boltzmann/pb_setup_kernels.cuh"

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

}  // namespace
}  // namespace isolume
