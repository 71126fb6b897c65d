// The orbital on grids that do not lie along the axes, on CUDA: a thread a point.
#pragma once

#include "compute/orbitals/orbital_terms.cuh"

namespace isolume::orbital_kernels {

/// The grid in bohr.
struct BohrGrid {
  double origin[3];
  double step[3][3];
  int counts[3];
};

constexpr int point_threads = 128;

/// Grids that do not lie along the axes: a thread a point, all terms within reach of a block's points.
static __global__ void __launch_bounds__(point_threads)
    points_kernel(BohrGrid grid, Tiles g, std::size_t first, std::size_t count, float* __restrict__ amplitude) {
  __shared__ float boxes[6][point_threads / 32];
  __shared__ unsigned list[point_threads];
  __shared__ unsigned votes[point_threads / 32];
  const std::size_t point = first + static_cast<std::size_t>(blockIdx.x) * point_threads + threadIdx.x;
  const std::size_t mine = point < count ? point : count - 1;
  const auto nx = static_cast<std::size_t>(grid.counts[0]);
  const auto ny = static_cast<std::size_t>(grid.counts[1]);
  const double at[3] = {static_cast<double>(mine % nx), static_cast<double>(mine / nx % ny),
                        static_cast<double>(mine / nx / ny)};
  double position[3];
  float box[6];
  for (int axis = 0; axis < 3; ++axis) {
    const double offset = at[0] * grid.step[0][axis] + at[1] * grid.step[1][axis] + at[2] * grid.step[2][axis];
    position[axis] = grid.origin[axis] + offset;
    box[axis] = static_cast<float>(offset);
    box[axis + 3] = -static_cast<float>(offset);
  }
  const int warp = static_cast<int>(threadIdx.x) / 32;
  for (int n = 0; n < 6; ++n) {
    for (int lane = 16; lane > 0; lane /= 2) box[n] = fminf(box[n], __shfl_xor_sync(~0u, box[n], lane));
    if (threadIdx.x % 32 == 0) boxes[n][warp] = box[n];
  }
  __syncthreads();
  for (int n = 0; n < 6; ++n) {
    for (int w = 0; w < point_threads / 32; ++w) box[n] = fminf(box[n], boxes[n][w]);
  }
  double sum = 0;
  for (unsigned begin = 0; begin < g.term_count; begin += point_threads) {
    bool here = false;
    if (begin + threadIdx.x < g.term_count) {
      const Reach r = g.reach[begin + threadIdx.x];
      const float x = r.x - fminf(fmaxf(r.x, box[0]), -box[3]);
      const float y = r.y - fminf(fmaxf(r.y, box[1]), -box[4]);
      const float z = r.z - fminf(fmaxf(r.z, box[2]), -box[5]);
      here = r.cutoff >= 0 && (g.all_terms || x * x + y * y + z * z <= r.cutoff * r.cutoff);
    }
    const unsigned vote = __ballot_sync(~0u, here);
    if (threadIdx.x % 32 == 0) votes[warp] = vote;
    __syncthreads();
    int listed = 0;
    for (int w = 0; w < point_threads / 32; ++w) {
      if (w == warp && here) list[listed + __popc(vote & ((1u << (threadIdx.x % 32)) - 1u))] = begin + threadIdx.x;
      listed += __popc(votes[w]);
    }
    __syncthreads();
    for (int n = 0; n < listed; ++n) {
      const Meta term = g.terms[list[n]];
      const double* c = g.centres + 3 * term.centre;
      sum += term_value(static_cast<int>(term.degree), g.exponents[list[n]], g.coefficients + term.first,
                        position[0] - c[0], position[1] - c[1], position[2] - c[2]);
    }
    __syncthreads();
  }
  if (point < count) amplitude[point] = static_cast<float>(sum);
}

}  // namespace isolume::orbital_kernels
