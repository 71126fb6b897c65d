// The density's derivatives at one point by a whole block of threads, for kernels that go from point to point.
#pragma once

#include "compute/electron_density/density_derivatives_tiles.cuh"

namespace isolume {
namespace point_sums {

using density_tiles::function_count;
using density_tiles::Part;
using density_tiles::TileShell;

constexpr int threads = 256;
constexpr int warps = threads / 32;
constexpr int window = 256;  // functions at once

/// Shared memory of a block. parts: 4 for the gradient, 10 for the Hessian.
template <int parts>
struct Room {
  static constexpr int sum_count = derivative_tiles::Shape<parts>::sums;
  double values[window * parts];  // by function; afterwards orbitals, by warp, then part, then lane
  unsigned rows[window];          // of the functions among the coefficients
  int votes[warps];               // functions that the warps' shells have
  double totals[warps][sum_count];
  double sums[sum_count];  // density, gradient, tau, Hessian
};
static_assert(warps * 32 <= window);

/// Sets room.sums; all threads of the block have the same position, and may read the sums afterwards. A thread has a
/// shell, then a warp 32 orbitals; where there are few orbitals, several warps share the functions.
template <int parts>
__device__ void sum_at(const Part& part, const double (&position)[3], Room<parts>& room) {
  constexpr int sum_count = Room<parts>::sum_count;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  for (int e = t; e < warps * sum_count; e += threads) room.totals[e / sum_count][e % sum_count] = 0;
  for (unsigned block = 0; block < part.orbitals; block += threads) {
    const int groups = static_cast<int>(min(part.orbitals - block, static_cast<unsigned>(threads)) + 31) / 32;
    const int shares = warps / groups;  // of the functions
    const int group = warp % groups, share = warp / groups;
    const unsigned orbital = block + static_cast<unsigned>(32 * group + lane);
    const bool counts = share < shares && orbital < part.orbitals;
    double psi[parts] = {};
    for (unsigned begin = 0; begin < part.shell_count; begin += threads) {
      // The functions of the shells that reach the point follow each other, in the order of the threads.
      int mine = 0;
      if (begin + threadIdx.x < part.shell_count) {
        const TileShell& shell = part.shells[begin + threadIdx.x];
        double d2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const double d = shell.centre[axis] - position[axis];
          d2 = fma(d, d, d2);
        }
        const double reach = static_cast<double>(shell.reach);
        if (reach >= 0 && d2 <= reach * reach) mine = function_count(shell.l);
      }
      int before = mine;
      for (int step = 1; step < 32; step *= 2) {
        const int other = __shfl_up_sync(~0u, before, step);
        if (lane >= step) before += other;
      }
      if (lane == 31) room.votes[warp] = before;
      before -= mine;
      __syncthreads();
      int all = 0;
      for (int w = 0; w < warps; ++w) {
        if (w < warp) before += room.votes[w];
        all += room.votes[w];
      }
      __syncthreads();
      for (int first = 0; first < all; first += window) {
        const int count = min(window, all - first);
        const int from = max(first - before, 0), to = min(mine, first + window - before);
        if (from < to) {
          const TileShell& shell = part.shells[begin + threadIdx.x];
          const int slot = before + from - first;
          const derivative_tiles::Piece piece{begin + threadIdx.x, from, to - from, slot};
          derivative_tiles::evaluate<parts, parts, 1>(part, shell, piece, position, room.values + slot * parts);
          for (int n = from; n < to; ++n) room.rows[slot + n - from] = shell.first_function + static_cast<unsigned>(n);
        }
        __syncthreads();
        if (counts) {
          const double* const coefficients = part.coefficients + orbital;
          const int end = count * (share + 1) / shares;
#pragma unroll 4
          for (int f = count * share / shares; f < end; ++f) {
            const double c = coefficients[static_cast<std::size_t>(room.rows[f]) * part.orbitals];
#pragma unroll
            for (int k = 0; k < parts; ++k) psi[k] = fma(c, room.values[f * parts + k], psi[k]);
          }
        }
        __syncthreads();
      }
    }
    if (shares > 1) {
#pragma unroll
      for (int k = 0; k < parts; ++k) room.values[(warp * parts + k) * 32 + lane] = psi[k];
      __syncthreads();
      if (share == 0) {
        for (int s = 1; s < shares; ++s) {
#pragma unroll
          for (int k = 0; k < parts; ++k) psi[k] += room.values[((s * groups + group) * parts + k) * 32 + lane];
        }
      }
      __syncthreads();
    }
    if (share == 0) {
      double sum[sum_count] = {};
      derivative_tiles::add_orbital<parts>(orbital < part.orbitals ? part.weights[orbital] : 0.0, psi, sum);
#pragma unroll
      for (int k = 0; k < sum_count; ++k) {
        for (int other = 16; other > 0; other /= 2) sum[k] += __shfl_xor_sync(~0u, sum[k], other);
        if (lane == 0) room.totals[warp][k] += sum[k];
      }
    }
  }
  __syncthreads();
  if (t < sum_count) {
    double sum = 0;
    for (int w = 0; w < warps; ++w) sum += room.totals[w][t];
    room.sums[t] = sum;
  }
  __syncthreads();
}

}  // namespace point_sums
}  // namespace isolume
