// The kernel of the density at 32 points of a block, and what the kernels of its derivatives share: places of points,
// shells and functions, and the sums of a point. Those kernels are in density_sums_tiles.cuh and
// density_hessian_tiles.cuh.
#pragma once

#include <cstddef>

#include "compute/electron_density/density_measure_math.h"
#include "compute/orbitals/density_tiles.cuh"

namespace isolume {
namespace derivative_tiles {

using density_tiles::function_count;
using density_tiles::Part;
using density_tiles::power;
using density_tiles::TileShell;

constexpr int threads = 128;
constexpr int warps = threads / 32;
constexpr int points = 32;  // of a block: 4 x 4 x 2 of a grid
constexpr int most_sums = 11;

/// How much is computed: 1 value, 4 with first derivatives, 10 with second ones (xx, xy, xz, yy, yz, zz).
template <int parts>
struct Shape {
  static constexpr int blocks = parts == 10 ? 2 : 4;    // of 8 orbitals that a warp has
  static constexpr int columns = 2;                     // of 8 points that a warp has
  static constexpr int batch = parts == 10 ? 12 : 24;   // functions at once
  static constexpr int value_row = parts * points + 4;  // the four rows that are read at once differ in their banks
  static constexpr int width = 2 * 8 * blocks;          // orbitals that a block of threads has
  static constexpr int coefficient_row = width + 4;
  static constexpr int sums = parts == 10 ? 11 : parts == 4 ? 5 : 1;  // density, gradient, tau, Hessian
};

/// Where the points of a launch are: on a grid, or in a list.
struct Points {
  double origin[3], step[3][3];  // bohr
  int counts[3];
  unsigned tiles_x, tiles_y;
  const double* list;  // null for a grid
  unsigned list_count;
  const unsigned* chosen;  // parts of 4 x 4 x 4 points of a grid, some tiles each; null for all
  unsigned chosen_count;

  /// Of the n-th point of a tile of `size` points, 4 x 4 x 1 or 4 x 4 x 2 of a grid; false where it is beyond the edge.
  /// It is then the place of another one.
  template <int size = points>
  __device__ bool find(unsigned tile, int n, double (&to)[3], std::size_t& index) const {
    if (list) {
      const unsigned at = tile * size + static_cast<unsigned>(n);
      const unsigned inside = min(at, list_count - 1);
      for (int axis = 0; axis < 3; ++axis) to[axis] = list[3 * static_cast<std::size_t>(inside) + axis];
      index = at;
      return at < list_count;
    }
    constexpr int depth = size / 16;
    constexpr unsigned tiles_of_part = 4 / depth;
    const unsigned part = chosen ? chosen[tile / tiles_of_part] : tile;
    const int first[3] = {static_cast<int>(part % tiles_x) * 4, static_cast<int>(part / tiles_x % tiles_y) * 4,
                          static_cast<int>(part / tiles_x / tiles_y) * (chosen ? 4 : depth) +
                              (chosen ? static_cast<int>(tile % tiles_of_part) * depth : 0)};
    const int at[3] = {first[0] + n % 4, first[1] + n / 4 % 4, first[2] + n / 16};
    bool inside = true;
    int held[3];
    for (int axis = 0; axis < 3; ++axis) {
      inside = inside && at[axis] < counts[axis];
      held[axis] = min(at[axis], counts[axis] - 1);
    }
    for (int axis = 0; axis < 3; ++axis)
      to[axis] = origin[axis] + held[0] * step[0][axis] + held[1] * step[1][axis] + held[2] * step[2][axis];
    index =
        static_cast<std::size_t>(at[0]) +
        static_cast<std::size_t>(counts[0]) *
            (static_cast<std::size_t>(at[1]) + static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(at[2]));
    return inside;
  }
};

struct Parts {
  Part part[2];
  int count;
};

/// What becomes of the sums: a field of one number, or all of them.
struct Output {
  float* values;  // by point; else null
  DensityMeasure measure;
  double* sums;  // by set, number and point, which are so far apart:
  std::size_t of_set, of_number, of_point;
};

/// Part of a shell in a batch.
struct Piece {
  unsigned shell;
  int from, count;  // components
  int slot;         // of the first in the batch
};

/// x^n with its first and second derivative.
struct Along {
  double value, first, second;
  __device__ Along(double x, int n) {
    value = power(x, n);
    first = n > 0 ? n * power(x, n - 1) : 0.0;
    second = n > 1 ? n * (n - 1) * power(x, n - 2) : 0.0;
  }
};

/// Components of a shell at one point, `row` apart, their derivatives `column` apart.
template <int parts, int row, int column>
__device__ void evaluate(const Part& part, const TileShell& shell, const Piece& piece, const double (&position)[3],
                         double* to) {
  const double x = position[0] - shell.centre[0];
  const double y = position[1] - shell.centre[1];
  const double z = position[2] - shell.centre[2];
  const double r2 = x * x + y * y + z * z;
  double r0 = 0;
  [[maybe_unused]] double r1 = 0, r2nd = 0;
  for (unsigned p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
    const double a = part.exponents[p];
    const double e = part.factors[p] * exp(-a * r2);
    r0 += e;
    if constexpr (parts > 1) r1 = fma(-2 * a, e, r1);
    if constexpr (parts > 4) r2nd = fma(4 * a * a, e, r2nd);
  }
  int component = 0;
  for (int i = shell.l; i >= 0; --i) {
    for (int j = shell.l - i; j >= 0; --j, ++component) {
      if (component < piece.from || component >= piece.from + piece.count) continue;
      const int k = shell.l - i - j;
      if constexpr (parts == 1) {
        *to = r0 * power(x, i) * power(y, j) * power(z, k);
      } else {
        const Along px(x, i), py(y, j), pz(z, k);
        const double yz = py.value * pz.value, xz = px.value * pz.value, xy = px.value * py.value;
        const double p = px.value * yz;
        const double dx = px.first * yz, dy = py.first * xz, dz = pz.first * xy;
        to[0] = p * r0;
        to[column] = fma(dx, r0, p * x * r1);
        to[2 * column] = fma(dy, r0, p * y * r1);
        to[3 * column] = fma(dz, r0, p * z * r1);
        if constexpr (parts == 10) {
          const double pr1 = p * r1, pr2 = p * r2nd;
          to[4 * column] = px.second * yz * r0 + 2 * dx * x * r1 + pr1 + x * x * pr2;
          to[5 * column] = px.first * py.first * pz.value * r0 + (dx * y + dy * x) * r1 + x * y * pr2;
          to[6 * column] = px.first * pz.first * py.value * r0 + (dx * z + dz * x) * r1 + x * z * pr2;
          to[7 * column] = py.second * xz * r0 + 2 * dy * y * r1 + pr1 + y * y * pr2;
          to[8 * column] = py.first * pz.first * px.value * r0 + (dy * z + dz * y) * r1 + y * z * pr2;
          to[9 * column] = pz.second * xy * r0 + 2 * dz * z * r1 + pr1 + z * z * pr2;
        }
      }
      to += row;
    }
  }
}

/// What one orbital adds at one point to density, gradient, tau and Hessian. psi: value and derivatives.
template <int parts>
__device__ __forceinline__ void add_orbital(double weight, const double (&psi)[parts],
                                            double (&sum)[Shape<parts>::sums]) {
  const double w = weight * psi[0];
  sum[0] = fma(w, psi[0], sum[0]);
  if constexpr (parts > 1) {
    const double wx = weight * psi[1], wy = weight * psi[2], wz = weight * psi[3];
    for (int axis = 0; axis < 3; ++axis) sum[1 + axis] = fma(2 * w, psi[1 + axis], sum[1 + axis]);
    sum[4] += 0.5 * (wx * psi[1] + wy * psi[2] + wz * psi[3]);
    if constexpr (parts == 10) {
      sum[5] += 2 * fma(w, psi[4], wx * psi[1]);
      sum[6] += 2 * fma(w, psi[5], wx * psi[2]);
      sum[7] += 2 * fma(w, psi[6], wx * psi[3]);
      sum[8] += 2 * fma(w, psi[7], wy * psi[2]);
      sum[9] += 2 * fma(w, psi[8], wy * psi[3]);
      sum[10] += 2 * fma(w, psi[9], wz * psi[3]);
    }
  }
}

template <int parts, int row>
__device__ PointDensity point_of(const double* totals, int n) {
  PointDensity of;
  of.density = totals[n];
  if constexpr (parts > 1) {
    for (int axis = 0; axis < 3; ++axis) of.gradient[axis] = totals[(1 + axis) * row + n];
    of.tau = totals[4 * row + n];
  }
  if constexpr (parts == 10) {
    for (int k = 0; k < 6; ++k) of.hessian[k] = totals[(5 + k) * row + n];
  }
  return of;
}

__device__ inline PointDensity sum_of(const PointDensity& a, const PointDensity& b, double of_b) {
  PointDensity c;
  c.density = a.density + of_b * b.density;
  c.tau = a.tau + of_b * b.tau;
  for (int axis = 0; axis < 3; ++axis) c.gradient[axis] = a.gradient[axis] + of_b * b.gradient[axis];
  for (int k = 0; k < 6; ++k) c.hessian[k] = a.hessian[k] + of_b * b.hessian[k];
  return c;
}

/// The box around the 32 points that each warp of a block has; for all threads after the next __syncthreads().
__device__ inline void set_bounds(const double (&position)[3], double* lower, double* upper) {
  for (int axis = 0; axis < 3; ++axis) {
    double low = position[axis], high = low;
    for (int other = 16; other > 0; other /= 2) {
      low = fmin(low, __shfl_xor_sync(~0u, low, other));
      high = fmax(high, __shfl_xor_sync(~0u, high, other));
    }
    if (threadIdx.x == 0) {
      lower[axis] = low;
      upper[axis] = high;
    }
  }
}

/// Lists which of the next shells, as many as the block has threads, reach the box, in their order; how many. `list`
/// has room for so many, `votes` for their warps.
__device__ inline int list_shells(const Part& part, unsigned begin, const double* lower, const double* upper,
                                  unsigned* list, unsigned* votes) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  bool here = false;
  if (begin + threadIdx.x < part.shell_count) {
    const TileShell& shell = part.shells[begin + threadIdx.x];
    double d2 = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = shell.centre[axis] - fmin(fmax(shell.centre[axis], lower[axis]), upper[axis]);
      d2 = fma(d, d, d2);
    }
    const double reach = static_cast<double>(shell.reach);
    here = reach >= 0 && d2 <= reach * reach;
  }
  const unsigned vote = __ballot_sync(~0u, here);
  if (lane == 0) votes[warp] = vote;
  __syncthreads();
  int listed = 0;
  for (int w = 0; w < static_cast<int>(blockDim.x) / 32; ++w) {
    if (w == warp && here) list[listed + __popc(vote & ((1u << lane) - 1u))] = begin + threadIdx.x;
    listed += __popc(votes[w]);
  }
  __syncthreads();
  return listed;
}

/// The pieces of a batch of `batch` functions: as many shells as fit; those that never do are split. `next` is the
/// place of the next shell in the list, `from` its first component.
template <int batch>
struct Batch {
  int functions = 0, count = 0;  // of pieces

  __device__ Batch(const Part& part, const unsigned* list, int listed, int& next, int& from, Piece* pieces) {
    while (next < listed && functions < batch) {
      const int all = function_count(part.shells[list[next]].l);
      const int left = all - from, room = batch - functions;
      if (left > room && all <= batch) break;
      const int taken = min(left, room);
      if (static_cast<int>(threadIdx.x) == count) pieces[count] = {list[next], from, taken, functions};
      functions += taken;
      ++count;
      from += taken;
      if (from == all) {
        ++next;
        from = 0;
      }
    }
  }
};

/// The coefficients of a batch's functions for `width` orbitals from `block` on, `row` apart; up to `padded` rows.
template <int width, int row>
__device__ void load_rows(const Part& part, const Piece* pieces, int count, int functions, int padded, unsigned block,
                          double* rows) {
  const int t = static_cast<int>(threadIdx.x);
  for (int e = functions * row + t; e < padded * row; e += threads) rows[e] = 0;
  for (int n = 0; n < count; ++n) {
    const Piece piece = pieces[n];
    const std::size_t first = part.shells[piece.shell].first_function + static_cast<unsigned>(piece.from);
    for (int e = t; e < piece.count * width; e += threads) {
      const unsigned i = block + static_cast<unsigned>(e % width);
      rows[(piece.slot + e / width) * row + e % width] =
          i < part.orbitals ? part.coefficients[(first + static_cast<std::size_t>(e / width)) * part.orbitals + i]
                            : 0.0;
    }
  }
}

/// The point's sums to where they belong; those of a kind are `row` apart.
template <int parts, int row = points>
__device__ void store(const Output& out, int set_count, const double* totals, std::size_t index, int lane) {
  using S = Shape<parts>;
  if (out.sums) {
    for (int set = 0; set < set_count; ++set) {
      double* to = out.sums + static_cast<std::size_t>(set) * out.of_set + index * out.of_point;
      for (int k = 0; k < S::sums; ++k)
        to[static_cast<std::size_t>(k) * out.of_number] = totals[(set * S::sums + k) * row + lane];
    }
    return;
  }
  PointDensity a = point_of<parts, row>(totals, lane), b, total = a;
  if (set_count == 2) {
    b = point_of<parts, row>(totals + S::sums * row, lane);
    total = sum_of(a, b, 1);
  } else {
    a = b = sum_of(a, a, -0.5);
  }
  out.values[index] = static_cast<float>(fmin(density_math::value_of(out.measure, a, b, total), 1e30));
}

/// Value, or value and gradient.
template <int parts>
__global__ void __launch_bounds__(threads)
    derivatives_kernel(Points where, const __grid_constant__ Parts sets, Output out, unsigned first_tile) {
  using S = Shape<parts>;
  __shared__ double values[S::batch * S::value_row];
  __shared__ double rows[S::batch * S::coefficient_row];
  __shared__ double totals[2 * S::sums * points];  // by set, then sum
  __shared__ unsigned list[threads];
  __shared__ unsigned votes[warps];
  __shared__ double lower[3], upper[3];
  __shared__ Piece pieces[S::batch];
  // Sums of the two halves of the orbitals, where the values were.
  static_assert(2 * S::sums * points <= S::batch * S::value_row);
  const unsigned tile = first_tile + blockIdx.x;
  const int t = static_cast<int>(threadIdx.x);
  const int lane = t % 32;
  const int warp = t / 32;
  double position[3];
  std::size_t index = 0;
  const bool inside = where.find(tile, lane, position, index);  // every warp has all points
  set_bounds(position, lower, upper);
  for (int e = t; e < 2 * S::sums * points; e += threads) totals[e] = 0;
  __syncthreads();
  // A warp has these orbitals of the block's and these points of the tile's.
  const int half = warp / 2;
  const int orbital = half * 8 * S::blocks;
  const int point = warp % 2 * 16;

  for (int set = 0; set < sets.count; ++set) {
    const Part& part = sets.part[set];
    for (unsigned block = 0; block < part.orbitals; block += S::width) {
      double psi[S::blocks][parts * S::columns][2] = {};
      for (unsigned begin = 0; begin < part.shell_count; begin += threads) {
        const int listed = list_shells(part, begin, lower, upper, list, votes);
        for (int next = 0, from = 0; next < listed;) {
          const Batch<S::batch> now(part, list, listed, next, from, pieces);
          const int padded = (now.functions + 3) / 4 * 4;
          __syncthreads();
          for (int n = warp; n < now.count; n += warps) {
            const Piece piece = pieces[n];
            evaluate<parts, S::value_row, points>(part, part.shells[piece.shell], piece, position,
                                                  values + piece.slot * S::value_row + lane);
          }
          for (int e = now.functions * S::value_row + t; e < padded * S::value_row; e += threads) values[e] = 0;
          load_rows<S::width, S::coefficient_row>(part, pieces, now.count, now.functions, padded, block, rows);
          __syncthreads();
          density_tiles::multiply<S::blocks, parts * S::columns, S::columns, points, S::value_row>(
              rows + orbital, S::coefficient_row, values + point, padded, lane, psi);
          __syncthreads();
        }
      }
      // The warp's orbitals, then the two halves.
#pragma unroll
      for (int n = 0; n < S::columns; ++n) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          double sum[S::sums] = {};
#pragma unroll
          for (int a = 0; a < S::blocks; ++a) {
            const unsigned i = block + static_cast<unsigned>(orbital + 8 * a + lane / 4);
            double one[parts];
#pragma unroll
            for (int k = 0; k < parts; ++k) one[k] = psi[a][k * S::columns + n][e];
            add_orbital<parts>(i < part.orbitals ? part.weights[i] : 0.0, one, sum);
          }
#pragma unroll
          for (int k = 0; k < S::sums; ++k) {
            for (int other = 4; other < 32; other *= 2) sum[k] += __shfl_xor_sync(~0u, sum[k], other);
            if (lane < 4) values[(half * S::sums + k) * points + point + 8 * n + 2 * lane + e] = sum[k];
          }
        }
      }
      __syncthreads();
      for (int e = t; e < S::sums * points; e += threads)
        totals[set * S::sums * points + e] += values[e] + values[S::sums * points + e];
      __syncthreads();
    }
  }
  if (inside && warp == 0) store<parts>(out, sets.count, totals, index, lane);
}

}  // namespace derivative_tiles
}  // namespace isolume
