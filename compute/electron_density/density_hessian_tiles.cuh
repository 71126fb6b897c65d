// The kernel of the density's second derivatives: a block has 32 points. Orbitals and their gradients are one product,
// as in density_derivatives_tiles.cuh; sum_i w_i psi_i d2 psi_i is a sum over functions of their second derivatives
// times sum_i w_i C_i psi_i, a product with the same coefficients the other way. Orbitals have no second derivatives
// then: five products in place of ten.
#pragma once

#include "compute/electron_density/density_derivatives_tiles.cuh"

namespace isolume {
namespace derivative_tiles {

struct HessianShape {
  static constexpr int sums = Shape<10>::sums;
  static constexpr int blocks = 4;              // of 8 orbitals that a warp has
  static constexpr int columns = 2;             // of 8 points that a warp has
  static constexpr int batch = 24;              // functions at once: few, and the block waits more than it computes
  static constexpr int width = 2 * 8 * blocks;  // orbitals that a block of threads has
  // Rows that are read at once differ in their banks.
  static constexpr int value_row = 4 * points + 4;
  static constexpr int coefficient_row = width + 4;
  static constexpr int point_row = points + 4;
  // Shared memory has the functions' values and their coefficients, afterwards coefficients, their sums over orbitals,
  // and weights times orbitals.
  static constexpr int room = batch * (value_row + coefficient_row);
  static constexpr int back_at = batch * coefficient_row;
  static constexpr int weighted_at = back_at + batch * point_row;
  static_assert(weighted_at + width * point_row <= room);
  static_assert(2 * sums * points <= weighted_at);
  static_assert(warps * 6 * points <= room);
};

/// What an orbital adds to all but psi d2 psi. psi: value and first derivatives.
__device__ __forceinline__ void add_slopes(double weight, const double (&psi)[4], double (&sum)[HessianShape::sums]) {
  const double w = weight * psi[0], wx = weight * psi[1], wy = weight * psi[2], wz = weight * psi[3];
  sum[0] = fma(w, psi[0], sum[0]);
  for (int axis = 0; axis < 3; ++axis) sum[1 + axis] = fma(2 * w, psi[1 + axis], sum[1 + axis]);
  sum[4] += 0.5 * (wx * psi[1] + wy * psi[2] + wz * psi[3]);
  sum[5] = fma(2 * wx, psi[1], sum[5]);
  sum[6] = fma(2 * wx, psi[2], sum[6]);
  sum[7] = fma(2 * wx, psi[3], sum[7]);
  sum[8] = fma(2 * wy, psi[2], sum[8]);
  sum[9] = fma(2 * wy, psi[3], sum[9]);
  sum[10] = fma(2 * wz, psi[3], sum[10]);
}

/// Adds 2 sum_f back_f d2 chi_f of some components of a shell at one point; those of `back` are `row` apart.
template <int row>
__device__ void add_second(const Part& part, const TileShell& shell, const Piece& piece, const double (&position)[3],
                           const double* back, double (&sum)[6]) {
  const double x = position[0] - shell.centre[0];
  const double y = position[1] - shell.centre[1];
  const double z = position[2] - shell.centre[2];
  const double r2 = x * x + y * y + z * z;
  double r0 = 0, r1 = 0, r2nd = 0;
  for (unsigned p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
    const double a = part.exponents[p];
    const double e = part.factors[p] * exp(-a * r2);
    r0 += e;
    r1 = fma(-2 * a, e, r1);
    r2nd = fma(4 * a * a, e, r2nd);
  }
  // Sums over the components of the polynomial and its derivatives.
  double p = 0, dx = 0, dy = 0, dz = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
  int component = 0;
  for (int i = shell.l; i >= 0; --i) {
    for (int j = shell.l - i; j >= 0; --j, ++component) {
      if (component < piece.from || component >= piece.from + piece.count) continue;
      const Along px(x, i), py(y, j), pz(z, shell.l - i - j);
      const double c = *back;
      back += row;
      const double cx = c * px.value, cy = c * py.value;
      const double of_xy = cx * py.value, of_xz = cx * pz.value, of_yz = cy * pz.value;
      p = fma(of_xy, pz.value, p);
      dx = fma(of_yz, px.first, dx);
      dy = fma(of_xz, py.first, dy);
      dz = fma(of_xy, pz.first, dz);
      xx = fma(of_yz, px.second, xx);
      yy = fma(of_xz, py.second, yy);
      zz = fma(of_xy, pz.second, zz);
      xy = fma(c * pz.value, px.first * py.first, xy);
      xz = fma(cy, px.first * pz.first, xz);
      yz = fma(cx, py.first * pz.first, yz);
    }
  }
  const double pr1 = p * r1, pr2 = p * r2nd;
  sum[0] += 2 * (xx * r0 + 2 * dx * x * r1 + pr1 + x * x * pr2);
  sum[1] += 2 * (xy * r0 + (dx * y + dy * x) * r1 + x * y * pr2);
  sum[2] += 2 * (xz * r0 + (dx * z + dz * x) * r1 + x * z * pr2);
  sum[3] += 2 * (yy * r0 + 2 * dy * y * r1 + pr1 + y * y * pr2);
  sum[4] += 2 * (yz * r0 + (dy * z + dz * y) * r1 + y * z * pr2);
  sum[5] += 2 * (zz * r0 + 2 * dz * z * r1 + pr1 + z * z * pr2);
}

/// back[f] = sum_i rows[f][i] weighted[i] of a batch of functions at the 8 points from `point` on.
__device__ __forceinline__ void multiply_back(const double* rows, const double* weighted, int lane, int point,
                                              double* back) {
  using S = HessianShape;
  constexpr int tiles = S::batch / 8;
  double sum[tiles][2] = {};
#if __CUDA_ARCH__ >= 800
  for (int i = 0; i < S::width; i += 4) {
    const double b = weighted[(i + lane % 4) * S::point_row + point + lane / 4];
#pragma unroll
    for (int m = 0; m < tiles; ++m) {
      const double a = rows[(8 * m + lane / 4) * S::coefficient_row + i + lane % 4];
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+d"(sum[m][0]), "+d"(sum[m][1])
          : "d"(a), "d"(b));
    }
  }
#else
  for (int i = 0; i < S::width; ++i) {
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const double b = weighted[i * S::point_row + point + 2 * (lane % 4) + e];
#pragma unroll
      for (int m = 0; m < tiles; ++m) sum[m][e] = fma(rows[(8 * m + lane / 4) * S::coefficient_row + i], b, sum[m][e]);
    }
  }
#endif
#pragma unroll
  for (int m = 0; m < tiles; ++m) {
#pragma unroll
    for (int e = 0; e < 2; ++e) back[(8 * m + lane / 4) * S::point_row + point + 2 * (lane % 4) + e] = sum[m][e];
  }
}

__global__ void __launch_bounds__(threads)
    hessian_kernel(Points where, const __grid_constant__ Parts sets, Output out, unsigned first_tile) {
  using S = HessianShape;
  __shared__ double room[S::room];
  __shared__ double totals[2 * S::sums * points];  // by set, then sum
  __shared__ unsigned list[threads];
  __shared__ unsigned votes[warps];
  __shared__ double lower[3], upper[3];
  __shared__ Piece pieces[S::batch];
  double* const values = room;
  double* const rows = room + S::batch * S::value_row;
  double* const back_rows = room;
  double* const back = room + S::back_at;
  double* const weighted = room + S::weighted_at;  // weight times orbital
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
    double* const of_set = totals + set * S::sums * points;
    double second[6] = {};  // of the warp's shells at the lane's point
    for (unsigned block = 0; block < part.orbitals; block += S::width) {
      double psi[S::blocks][4 * S::columns][2] = {};
      for (unsigned begin = 0; begin < part.shell_count; begin += threads) {
        const int listed = list_shells(part, begin, lower, upper, list, votes);
        for (int next = 0, from = 0; next < listed;) {
          const Batch<S::batch> now(part, list, listed, next, from, pieces);
          const int padded = (now.functions + 3) / 4 * 4;
          __syncthreads();
          for (int n = warp; n < now.count; n += warps) {
            const Piece piece = pieces[n];
            evaluate<4, S::value_row, points>(part, part.shells[piece.shell], piece, position,
                                              values + piece.slot * S::value_row + lane);
          }
          for (int e = now.functions * S::value_row + t; e < padded * S::value_row; e += threads) values[e] = 0;
          load_rows<S::width, S::coefficient_row>(part, pieces, now.count, now.functions, padded, block, rows);
          __syncthreads();
          density_tiles::multiply<S::blocks, 4 * S::columns, S::columns, points, S::value_row>(
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
            const int row = orbital + 8 * a + lane / 4;
            const unsigned i = block + static_cast<unsigned>(row);
            const double weight = i < part.orbitals ? part.weights[i] : 0.0;
            double one[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) one[k] = psi[a][k * S::columns + n][e];
            add_slopes(weight, one, sum);
            weighted[row * S::point_row + point + 8 * n + 2 * (lane % 4) + e] = weight * one[0];
          }
#pragma unroll
          for (int k = 0; k < S::sums; ++k) {
            for (int other = 4; other < 32; other *= 2) sum[k] += __shfl_xor_sync(~0u, sum[k], other);
            if (lane < 4) values[(half * S::sums + k) * points + point + 8 * n + 2 * lane + e] = sum[k];
          }
        }
      }
      __syncthreads();
      for (int e = t; e < S::sums * points; e += threads) of_set[e] += values[e] + values[S::sums * points + e];
      __syncthreads();
      // What the same orbitals have of each function, and its second derivatives.
      for (unsigned begin = 0; begin < part.shell_count; begin += threads) {
        const int listed = list_shells(part, begin, lower, upper, list, votes);
        for (int next = 0, from = 0; next < listed;) {
          const Batch<S::batch> now(part, list, listed, next, from, pieces);
          __syncthreads();
          load_rows<S::width, S::coefficient_row>(part, pieces, now.count, now.functions, S::batch, block, back_rows);
          __syncthreads();
          multiply_back(back_rows, weighted, lane, 8 * warp, back);
          __syncthreads();
          for (int n = warp; n < now.count; n += warps) {
            const Piece piece = pieces[n];
            add_second<S::point_row>(part, part.shells[piece.shell], piece, position,
                                     back + piece.slot * S::point_row + lane, second);
          }
          __syncthreads();
        }
      }
    }
    for (int k = 0; k < 6; ++k) room[(warp * 6 + k) * points + lane] = second[k];
    __syncthreads();
    for (int e = t; e < 6 * points; e += threads) {
      double sum = 0;
      for (int w = 0; w < warps; ++w) sum += room[w * 6 * points + e];
      of_set[5 * points + e] += sum;
    }
    __syncthreads();
  }
  if (inside && warp == 0) store<10>(out, sets.count, totals, index, lane);
}

}  // namespace derivative_tiles
}  // namespace isolume
