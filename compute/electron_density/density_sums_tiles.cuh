// The kernel of the density at points with its gradient and tau, or with its mixed derivatives. A block evaluates the
// functions and their derivatives at its points in batches, in shared memory, and multiplies them with the coefficients
// of up to 96 orbitals by the matrix units.
#pragma once

#include "compute/electron_density/density_derivatives_tiles.cuh"

namespace isolume {
namespace density_sums {

using derivative_tiles::Along;
using derivative_tiles::Batch;
using derivative_tiles::function_count;
using derivative_tiles::Output;
using derivative_tiles::Part;
using derivative_tiles::Parts;
using derivative_tiles::Piece;
using derivative_tiles::Points;
using derivative_tiles::TileShell;

/// How much an orbital has at a point: 4 with first derivatives, 8 with the mixed ones x, y, z, xy, xz, yz, xyz.
template <int parts>
struct Shape {
  static constexpr int of_warp = parts == 4 ? 16 : 8;    // points
  static constexpr int points = 2 * of_warp;             // of a block, 4 x 4 x 1 or 4 x 4 x 2 of a grid
  static constexpr int columns = parts * of_warp / 8;    // of 8 products that a warp has
  static constexpr int blocks = 2;                       // of 16 orbitals that a warp has
  static constexpr int orbitals_of_warp = 16 * blocks;   // of which a block has one or more
  static constexpr int most_groups = 3;                  // of orbitals in a block
  static constexpr int most_threads = 64 * most_groups;  // two warps have the points of a group
  static constexpr int width = most_groups * orbitals_of_warp;
  static constexpr int batch = 24;                      // functions at once
  static constexpr int value_row = parts * points + 4;  // rows that are read at once differ in their banks
  static constexpr int coefficient_row = width + 4;
  static constexpr int sums = parts == 8 ? 8 : 5;
  static_assert(most_groups * sums * points <= batch * value_row);
};

/// Groups of orbitals that a block has: as many as are needed, and few that have nothing to do.
inline unsigned groups_of(unsigned orbitals) {
  using S = Shape<8>;
  const unsigned passes = (orbitals + S::width - 1) / S::width;
  return (orbitals + passes * S::orbitals_of_warp - 1) / (passes * S::orbitals_of_warp);
}

/// Sums over a shell's primitives: c exp(-a r^2) and its derivatives by r^2.
struct Radial {
  double of[4];
};

template <int orders>
__device__ __forceinline__ Radial radial_of(const Part& part, const TileShell& shell, double r2) {
  Radial sum{};
  for (unsigned p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
    const double a = -part.exponents[p];
    double e = part.factors[p] * exp(a * r2);
    sum.of[0] += e;
#pragma unroll
    for (int k = 1; k < orders; ++k) {
      e *= a;
      sum.of[k] += e;
    }
  }
  return sum;
}

/// One function with its derivatives, `column` apart. Each axis takes the derivative of its power, or 2 x and one more
/// derivative of the radial sums.
template <int parts, int column>
__device__ __forceinline__ void put(const Along& px, const Along& py, const Along& pz, const double (&at)[3],
                                    const Radial& radial, double* to) {
  const double r0 = radial.of[0], r1 = radial.of[1];
  const double x2 = 2 * at[0], y2 = 2 * at[1], z2 = 2 * at[2];
  const double a = px.value, b = py.value, c = pz.value;
  const double ax = a * x2, by = b * y2, cz = c * z2;
  const double ab = a * b, ac = a * c, bc = b * c;
  to[0] = ab * c * r0;
  to[column] = bc * fma(px.first, r0, ax * r1);
  to[2 * column] = ac * fma(py.first, r0, by * r1);
  to[3 * column] = ab * fma(pz.first, r0, cz * r1);
  if constexpr (parts == 8) {
    const double r2 = radial.of[2];
    const auto both = [&](double u0, double u1, double v0, double v1) {
      return fma(u0 * v0, r0, fma(fma(u0, v1, u1 * v0), r1, u1 * v1 * r2));
    };
    to[4 * column] = c * both(px.first, ax, py.first, by);
    to[5 * column] = b * both(px.first, ax, pz.first, cz);
    to[6 * column] = a * both(py.first, by, pz.first, cz);
    const double p0 = px.first * py.first, p1 = fma(px.first, by, ax * py.first), p2 = ax * by;
    to[7 * column] =
        fma(p0 * pz.first, r0,
            fma(fma(p1, pz.first, p0 * cz), r1, fma(fma(p2, pz.first, p1 * cz), r2, p2 * cz * radial.of[3])));
  }
}

/// All functions of a shell of angular momentum l at one point, `row` apart.
template <int parts, int row, int column, int l>
__device__ __forceinline__ void put_shell(const double (&at)[3], const Radial& radial, double* to) {
#pragma unroll
  for (int i = l; i >= 0; --i) {
#pragma unroll
    for (int j = l - i; j >= 0; --j, to += row)
      put<parts, column>(Along(at[0], i), Along(at[1], j), Along(at[2], l - i - j), at, radial, to);
  }
}

/// Some functions of a shell at one point.
template <int parts, int row, int column>
__device__ void evaluate(const Part& part, const Piece& piece, const double (&position)[3], double* to) {
  const TileShell& shell = part.shells[piece.shell];
  const double at[3] = {position[0] - shell.centre[0], position[1] - shell.centre[1], position[2] - shell.centre[2]};
  const Radial radial = radial_of < parts == 8 ? 4 : 2 > (part, shell, at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
  switch (shell.l) {
    case 0:
      return put_shell<parts, row, column, 0>(at, radial, to);
    case 1:
      return put_shell<parts, row, column, 1>(at, radial, to);
    case 2:
      return put_shell<parts, row, column, 2>(at, radial, to);
    default:
      break;
  }
  int component = 0;
  for (int i = shell.l; i >= 0; --i) {
    for (int j = shell.l - i; j >= 0; --j, ++component) {
      if (component < piece.from || component >= piece.from + piece.count) continue;
      put<parts, column>(Along(at[0], i), Along(at[1], j), Along(at[2], shell.l - i - j), at, radial, to);
      to += row;
    }
  }
}

/// Copies a number into shared memory, without waiting for it where the device can.
__device__ __forceinline__ void copy(const double* from, double* to) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from)
               : "memory");
#else
  *to = *from;
#endif
}

/// Until what this thread copies is there.
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

/// The coefficients of a batch's functions for `width` orbitals from `block` on; rows of zeros up to `padded`. They are
/// there after wait_for_copies() and __syncthreads().
template <int row>
__device__ void load_rows(const Part& part, const Piece* pieces, int count, int functions, int padded, unsigned block,
                          int width, double* rows) {
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  for (int f = functions + warp; f < padded; f += warps) {
    for (int i = lane; i < width; i += 32) rows[f * row + i] = 0;
  }
  int turn = warp;  // the warp's next row of the batch
  for (int n = 0; n < count; ++n) {
    const Piece piece = pieces[n];
    const std::size_t first = part.shells[piece.shell].first_function + static_cast<unsigned>(piece.from);
    for (; turn < piece.slot + piece.count; turn += warps) {
      const double* const from =
          part.coefficients + (first + static_cast<std::size_t>(turn - piece.slot)) * part.orbitals + block;
      double* const to = rows + turn * row;
      for (int i = lane; i < width; i += 32) {
        if (block + static_cast<unsigned>(i) < part.orbitals) {
          copy(from + i, to + i);
        } else {
          to[i] = 0;
        }
      }
    }
  }
}

/// A warp's part of the product. An element sum[m][n][2 r + e] is that of the orbital 16 m + 8 r + lane / 4 and the
/// column 8 n + 2 (lane % 4) + e, as the matrix units have it. `functions` is a multiple of 8.
template <int blocks, int columns, int coefficient_row, int value_row>
__device__ __forceinline__ void multiply(const double* rows, const double* values, int functions, int lane,
                                         double (&sum)[blocks][columns][4]) {
#if __CUDA_ARCH__ >= 800
  rows += (lane % 4) * coefficient_row + lane / 4;
  values += (lane % 4) * value_row + lane / 4;
  for (int f = 0; f < functions; f += 8, rows += 8 * coefficient_row, values += 8 * value_row) {
    double a[blocks][4];
#pragma unroll
    for (int m = 0; m < blocks; ++m) {
      a[m][0] = rows[16 * m];
      a[m][1] = rows[16 * m + 8];
      a[m][2] = rows[4 * coefficient_row + 16 * m];
      a[m][3] = rows[4 * coefficient_row + 16 * m + 8];
    }
#pragma unroll
    for (int n = 0; n < columns; ++n) {
      const double b[2] = {values[8 * n], values[4 * value_row + 8 * n]};
#pragma unroll
      for (int m = 0; m < blocks; ++m) {
        double(&c)[4] = sum[m][n];
#if __CUDA_ARCH__ >= 900
        asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
            : "d"(a[m][0]), "d"(a[m][1]), "d"(a[m][2]), "d"(a[m][3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
        for (int k = 0; k < 2; ++k) {
#pragma unroll
          for (int r = 0; r < 2; ++r) {
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+d"(c[2 * r]), "+d"(c[2 * r + 1])
                : "d"(a[m][2 * k + r]), "d"(b[k]));
          }
        }
#endif
      }
    }
  }
#else
  for (int f = 0; f < functions; ++f) {
    double a[blocks][2];
#pragma unroll
    for (int m = 0; m < blocks; ++m) {
#pragma unroll
      for (int r = 0; r < 2; ++r) a[m][r] = rows[f * coefficient_row + 16 * m + 8 * r + lane / 4];
    }
#pragma unroll
    for (int n = 0; n < columns; ++n) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const double b = values[f * value_row + 8 * n + 2 * (lane % 4) + e];
#pragma unroll
        for (int m = 0; m < blocks; ++m) {
#pragma unroll
          for (int r = 0; r < 2; ++r) sum[m][n][2 * r + e] = fma(a[m][r], b, sum[m][n][2 * r + e]);
        }
      }
    }
  }
#endif
}

/// What one orbital adds to the density and its derivatives y, z, yz, x, xy, xz, xyz, half of all but the first.
__device__ __forceinline__ void add_mixed(double weight, const double (&psi)[8], double (&sum)[8]) {
  const double w = weight * psi[0], wx = weight * psi[1], wy = weight * psi[2], wz = weight * psi[3];
  sum[0] = fma(w, psi[0], sum[0]);
  sum[1] = fma(w, psi[2], sum[1]);
  sum[2] = fma(w, psi[3], sum[2]);
  sum[3] = fma(w, psi[6], fma(wy, psi[3], sum[3]));
  sum[4] = fma(w, psi[1], sum[4]);
  sum[5] = fma(w, psi[4], fma(wx, psi[2], sum[5]));
  sum[6] = fma(w, psi[5], fma(wx, psi[3], sum[6]));
  sum[7] = fma(w, psi[7], fma(wx, psi[6], fma(wy, psi[5], fma(wz, psi[4], sum[7]))));
}

template <int parts>
__global__ void __launch_bounds__(Shape<parts>::most_threads, 2)
    sums_kernel(Points where, const __grid_constant__ Parts sets, Output out, unsigned first_tile) {
  using S = Shape<parts>;
  __shared__ double values[S::batch * S::value_row];
  __shared__ double rows[S::batch * S::coefficient_row];
  __shared__ double totals[2 * S::sums * S::points];  // by set, then sum
  __shared__ unsigned list[S::most_threads];
  __shared__ unsigned votes[S::most_threads / 32];
  __shared__ double lower[3], upper[3];
  __shared__ Piece pieces[S::batch];
  const unsigned tile = first_tile + blockIdx.x;
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int lane = t % 32, warp = t / 32;
  const int groups = threads / 64, width = groups * S::orbitals_of_warp;
  double position[3];
  std::size_t index = 0;
  const int here = t % S::points;  // the point whose functions the thread evaluates
  const bool inside = where.find<S::points>(tile, here, position, index);
  derivative_tiles::set_bounds(position, lower, upper);
  for (int e = t; e < 2 * S::sums * S::points; e += threads) totals[e] = 0;
  double* const to = values + here / S::of_warp * (parts * S::of_warp) + here % S::of_warp;
  __syncthreads();
  // A warp has these orbitals of the block's and these points of the tile's.
  const int group = warp / 2, side = warp % 2;

  for (int set = 0; set < sets.count; ++set) {
    const Part& part = sets.part[set];
    for (unsigned block = 0; block < part.orbitals; block += static_cast<unsigned>(width)) {
      double psi[S::blocks][S::columns][4] = {};
      for (unsigned begin = 0; begin < part.shell_count; begin += blockDim.x) {
        const int listed = derivative_tiles::list_shells(part, begin, lower, upper, list, votes);
        for (int next = 0, from = 0; next < listed;) {
          const Batch<S::batch> now(part, list, listed, next, from, pieces);
          const int padded = (now.functions + 7) / 8 * 8;
          __syncthreads();
          load_rows<S::coefficient_row>(part, pieces, now.count, now.functions, padded, block, width, rows);
          for (int n = t / S::points; n < now.count; n += threads / S::points) {
            evaluate<parts, S::value_row, S::of_warp>(part, pieces[n], position, to + pieces[n].slot * S::value_row);
          }
          for (int e = now.functions * S::value_row + t; e < padded * S::value_row; e += threads) values[e] = 0;
          wait_for_copies();
          __syncthreads();
          multiply<S::blocks, S::columns, S::coefficient_row, S::value_row>(
              rows + group * S::orbitals_of_warp, values + side * (parts * S::of_warp), padded, lane, psi);
          __syncthreads();
        }
      }
      // The orbitals of a warp, then the groups.
#pragma unroll
      for (int n = 0; n < S::of_warp / 8; ++n) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          double sum[S::sums] = {};
#pragma unroll
          for (int m = 0; m < S::blocks; ++m) {
#pragma unroll
            for (int r = 0; r < 2; ++r) {
              const unsigned i = block + static_cast<unsigned>(group * S::orbitals_of_warp + 16 * m + 8 * r + lane / 4);
              const double weight = i < part.orbitals ? part.weights[i] : 0.0;
              double one[parts];
#pragma unroll
              for (int k = 0; k < parts; ++k) one[k] = psi[m][k * (S::of_warp / 8) + n][2 * r + e];
              if constexpr (parts == 8) {
                add_mixed(weight, one, sum);
              } else {
                derivative_tiles::add_orbital<parts>(weight, one, sum);
              }
            }
          }
#pragma unroll
          for (int k = 0; k < S::sums; ++k) {
            for (int other = 4; other < 32; other *= 2) sum[k] += __shfl_xor_sync(~0u, sum[k], other);
            if (lane < 4) values[(group * S::sums + k) * S::points + side * S::of_warp + 8 * n + 2 * lane + e] = sum[k];
          }
        }
      }
      __syncthreads();
      for (int e = t; e < S::sums * S::points; e += threads) {
        double sum = 0;
        for (int g = 0; g < groups; ++g) sum += values[g * S::sums * S::points + e];
        totals[set * S::sums * S::points + e] += parts == 8 && e >= S::points ? 2 * sum : sum;
      }
      __syncthreads();
    }
  }
  if (!inside || t >= S::points) return;
  if constexpr (parts == 8) {
    for (int set = 0; set < sets.count; ++set) {
      double* const of_point = out.sums + static_cast<std::size_t>(set) * out.of_set + index * out.of_point;
      for (int k = 0; k < S::sums; ++k) of_point[k] = totals[(set * S::sums + k) * S::points + here];
    }
  } else {
    derivative_tiles::store<parts, S::points>(out, sets.count, totals, index, here);
  }
}

}  // namespace density_sums
}  // namespace isolume
