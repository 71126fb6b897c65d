// What the kernels of the density and its derivatives share: places of points, shells and functions, and the sums of a
// point. The kernels are in density_sums_tiles.cuh and density_hessian_tiles.cuh.
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

constexpr int points = 32;  // of a block: 4 x 4 x 2 of a grid
constexpr int most_sums = 11;

/// How many sums a point has of how much is computed: 1 value, 4 with first derivatives, 10 with second ones (xx, xy,
/// xz, yy, yz, zz). They are density, gradient, tau, Hessian.
template <int parts>
struct Shape {
  static constexpr int sums = parts == 10 ? most_sums : parts == 4 ? 5 : 1;
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

/// The box around the `size` points that the first threads of a block have, and others again; for all threads after the
/// next __syncthreads(). Of two warps' points the second warp's are within the box as well.
template <int size = points>
__device__ inline void set_bounds(const double (&position)[3], double* lower, double* upper) {
  static_assert(size <= 64);
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
    if constexpr (size > 32) {
      __syncthreads();
      if (threadIdx.x == 32) {
        lower[axis] = fmin(low, lower[axis]);
        upper[axis] = fmax(high, upper[axis]);
      }
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

}  // namespace derivative_tiles
}  // namespace isolume
