// The kernel of densities and of many orbitals at once: a block a tile of 4 x 4 x 4 points, a product of coefficients
// and functions.
#pragma once

#include <cstddef>

#include "compute/base/cuda_tuning.h"
#include "compute/base/launch.cuh"
#include "compute/orbitals/density_bodies.h"

namespace isolume {
namespace density_tiles {

constexpr int threads = 256;
constexpr int points = density_points;
constexpr int side = density_side;
constexpr int most_functions = 28;  // of a batch: those of one shell with l = 6
constexpr int chunk = 256;          // shells that are tested before those that reach the tile are evaluated
// Rows of shared memory are padded so that the four that a product reads at once lie in different banks.
constexpr int value_row = points + 4;

/// One shell on the device.
struct TileShell {
  double centre[3];  // bohr
  float reach;       // bohr, negative where it counts nowhere
  int l;
  unsigned first_primitive, primitives, first_function;
};

/// A set of orbitals over its functions.
struct Part {
  const TileShell* shells;
  const double* exponents;
  const double* factors;
  const double* coefficients;  // by function, `orbitals` values each
  const double* weights;
  unsigned shell_count, orbitals;
};

/// Where the points of a launch are: on a grid, or in a list.
struct Points {
  double origin[3], step[3][3];  // bohr
  int counts[3];
  unsigned tiles_x, tiles_y;
  const double* list;  // null for a grid
  unsigned list_count;

  __device__ void position(const int (&first)[3], int n, unsigned tile, double (&to)[3]) const {
    if (list) {
      const unsigned at = min(tile * points + n, list_count - 1);
      for (int axis = 0; axis < 3; ++axis) to[axis] = list[3 * at + axis];
      return;
    }
    const int i = first[0] + n % side, j = first[1] + n / side % side, k = first[2] + n / side / side;
    for (int axis = 0; axis < 3; ++axis) {
      to[axis] = origin[axis] + i * step[0][axis] + j * step[1][axis] + k * step[2][axis];
    }
  }
  __device__ bool inside(const int (&first)[3], int n, unsigned tile) const {
    if (list) return tile * points + n < list_count;
    return first[0] + n % side < counts[0] && first[1] + n / side % side < counts[1] &&
           first[2] + n / side / side < counts[2];
  }
  __device__ std::size_t index(const int (&first)[3], int n, unsigned tile) const {
    if (list) return tile * points + n;
    const auto i = static_cast<std::size_t>(first[0] + n % side);
    const auto j = static_cast<std::size_t>(first[1] + n / side % side);
    const auto k = static_cast<std::size_t>(first[2] + n / side / side);
    return i + static_cast<std::size_t>(counts[0]) * (j + static_cast<std::size_t>(counts[1]) * k);
  }
};

struct Parts {
  Part part[2];
  int count;
};

/// What becomes of the orbitals' values; the others are null.
struct Output {
  float* density;
  DensityValue* sums;
  float* amplitudes;           // orbital after orbital
  std::size_t amplitude_size;  // of one
  unsigned amplitude_count;
};

__device__ __forceinline__ int function_count(int l) {
  return (l + 1) * (l + 2) / 2;
}

__device__ inline double power(double x, int n) {
  double value = 1;
  for (int i = 0; i < n; ++i) value *= x;
  return value;
}

/// The functions of one shell at one point, `value_row` apart.
__device__ inline void evaluate(const Part& part, const TileShell& shell, const double (&position)[3], double* to) {
  const double x = position[0] - shell.centre[0];
  const double y = position[1] - shell.centre[1];
  const double z = position[2] - shell.centre[2];
  const double r2 = x * x + y * y + z * z;
  double radial = 0;
  for (unsigned p = shell.first_primitive; p < shell.first_primitive + shell.primitives; ++p) {
    radial += part.factors[p] * exp(-part.exponents[p] * r2);
  }
  if (shell.l == 0) {
    to[0] = radial;
  } else if (shell.l == 1) {
    to[0] = radial * x;
    to[value_row] = radial * y;
    to[2 * value_row] = radial * z;
  } else if (shell.l == 2) {
    const double rx = radial * x, ry = radial * y, rz = radial * z;
    to[0] = rx * x;
    to[value_row] = rx * y;
    to[2 * value_row] = rx * z;
    to[3 * value_row] = ry * y;
    to[4 * value_row] = ry * z;
    to[5 * value_row] = rz * z;
  } else {
    for (int i = shell.l; i >= 0; --i) {
      const double over_x = radial * power(x, i);
      for (int j = shell.l - i; j >= 0; --j, to += value_row) *to = over_x * power(y, j) * power(z, shell.l - i - j);
    }
  }
}

/// A warp's part of the product: 8 blocks orbitals and 8 columns points. An element of `sum` is that of the orbital 8 a
/// + lane / 4 and of the point 8 b + 2 (lane % 4) + e, as the matrix units have it. Values of a function are
/// `row_of_values` apart; `group` columns at a time follow each other, and the next ones are `group_stride` further on.
template <int blocks, int columns, int group, int group_stride, int row_of_values>
__device__ __forceinline__ void multiply(const double* rows, int row_length, const double* values, int functions,
                                         int lane, double (&sum)[blocks][columns][2]) {
#if __CUDA_ARCH__ >= 800
  for (int f = 0; f < functions; f += 4) {
    double a[blocks];
#pragma unroll
    for (int n = 0; n < blocks; ++n) a[n] = rows[(f + lane % 4) * row_length + 8 * n + lane / 4];
#pragma unroll
    for (int n = 0; n < columns; ++n) {
      const double b = values[(f + lane % 4) * row_of_values + n / group * group_stride + 8 * (n % group) + lane / 4];
#pragma unroll
      for (int m = 0; m < blocks; ++m) {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
            : "+d"(sum[m][n][0]), "+d"(sum[m][n][1])
            : "d"(a[m]), "d"(b));
      }
    }
  }
#else
  for (int f = 0; f < functions; ++f) {
    double a[blocks];
#pragma unroll
    for (int n = 0; n < blocks; ++n) a[n] = rows[f * row_length + 8 * n + lane / 4];
#pragma unroll
    for (int n = 0; n < columns; ++n) {
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const double b = values[f * row_of_values + n / group * group_stride + 8 * (n % group) + 2 * (lane % 4) + e];
#pragma unroll
        for (int m = 0; m < blocks; ++m) sum[m][n][e] = fma(a[m], b, sum[m][n][e]);
      }
    }
  }
#endif
}

/// Coefficients of a function in shared memory, of 32 `blocks` orbitals.
template <int blocks>
constexpr int row_length_of = 32 * blocks + 4;

template <int blocks>
constexpr int density_blocks = blocks_at_once(blocks_wanted::electron_density, threads,
                                              most_functions*(value_row + row_length_of<blocks>)*sizeof(double) +
                                                  (chunk + most_functions + 16) * sizeof(int));

/// `blocks`: a block of threads has 32 times as many orbitals at once.
template <int blocks>
__global__ void __launch_bounds__(threads, density_blocks<blocks>)
    density_kernel(Points where, const __grid_constant__ Parts parts, Output out, unsigned first_tile) {
  constexpr int width = 32 * blocks;
  constexpr int row_length = row_length_of<blocks>;
  __shared__ double values[most_functions * value_row];
  __shared__ double rows[most_functions * row_length];
  __shared__ unsigned list[chunk];
  __shared__ unsigned votes[threads / 32];
  __shared__ float lower[3], upper[3];
  __shared__ int slots[most_functions];
  const unsigned tile = first_tile + blockIdx.x;
  const int first[3] = {static_cast<int>(tile % where.tiles_x) * side,
                        static_cast<int>(tile / where.tiles_x % where.tiles_y) * side,
                        static_cast<int>(tile / where.tiles_x / where.tiles_y) * side};
  const int t = static_cast<int>(threadIdx.x);
  const int lane = t % 32;
  const int warp = t / 32;
  if (t < 3) {
    // The box around the tile's corners, relative to the grid's origin.
    for (int corner = 0; corner < 8; ++corner) {
      double p = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const int at = (corner >> axis & 1) ? min(first[axis] + side, where.counts[axis]) - 1 : first[axis];
        p += at * where.step[axis][t];
      }
      lower[t] = corner == 0 ? static_cast<float>(p) : fminf(lower[t], static_cast<float>(p));
      upper[t] = corner == 0 ? static_cast<float>(p) : fmaxf(upper[t], static_cast<float>(p));
    }
  }
  __syncthreads();
  // A warp has these orbitals of the block's and these points of the tile's.
  const int orbital = warp / 2 * 8 * blocks;
  const int point = warp % 2 * 32;
  double density = 0, absolute = 0;  // of the point t, for t < points

  for (int n_part = 0; n_part < parts.count; ++n_part) {
    const Part& part = parts.part[n_part];
    for (unsigned block = 0; block < part.orbitals; block += width) {
      double psi[blocks][4][2] = {};
      for (unsigned begin = 0; begin < part.shell_count; begin += chunk) {
        bool here = false;
        if (begin + threadIdx.x < part.shell_count) {
          const TileShell& shell = part.shells[begin + threadIdx.x];
          float d2 = 0;
          for (int axis = 0; axis < 3; ++axis) {
            const auto c = static_cast<float>(shell.centre[axis] - where.origin[axis]);
            const float d = c - fminf(fmaxf(c, lower[axis]), upper[axis]);
            d2 += d * d;
          }
          here = where.list != nullptr || (shell.reach >= 0 && d2 <= shell.reach * shell.reach);
        }
        const unsigned vote = __ballot_sync(~0u, here);
        if (lane == 0) votes[warp] = vote;
        __syncthreads();
        int listed = 0;
        for (int w = 0; w < threads / 32; ++w) {
          if (w == warp && here) list[listed + __popc(vote & ((1u << lane) - 1u))] = begin + threadIdx.x;
          listed += __popc(votes[w]);
        }
        __syncthreads();
        for (int done = 0; done < listed;) {
          // As many shells as fit.
          int functions = 0, shells = 0;
          for (; done + shells < listed; ++shells) {
            const int count = function_count(part.shells[list[done + shells]].l);
            if (functions + count > most_functions) break;
            if (t == shells) slots[shells] = functions;
            functions += count;
          }
          const int padded = (functions + 3) / 4 * 4;
          __syncthreads();
          double position[3];
          where.position(first, t % points, tile, position);
          for (int n = t / points; n < shells; n += threads / points) {
            evaluate(part, part.shells[list[done + n]], position, values + slots[n] * value_row + t % points);
          }
          for (int e = functions * value_row + t; e < padded * value_row; e += threads) values[e] = 0;
          for (int e = functions * row_length + t; e < padded * row_length; e += threads) rows[e] = 0;
          for (int n = 0; n < shells; ++n) {
            const TileShell& shell = part.shells[list[done + n]];
            const int count = function_count(shell.l) * width;
            for (int e = t; e < count; e += threads) {
              const unsigned i = block + e % width;
              rows[(slots[n] + e / width) * row_length + e % width] =
                  i < part.orbitals
                      ? part.coefficients[(shell.first_function + e / width) * static_cast<std::size_t>(part.orbitals) +
                                          i]
                      : 0.0;
            }
          }
          __syncthreads();
          multiply<blocks, 4, 4, 0, value_row>(rows + orbital, row_length, values + point, padded, lane, psi);
          __syncthreads();
          done += shells;
        }
      }
      if (out.amplitudes) {
#pragma unroll
        for (int a = 0; a < blocks; ++a) {
          const unsigned i = block + orbital + 8 * a + lane / 4;
          if (i >= out.amplitude_count) break;
          float* to = out.amplitudes + i * out.amplitude_size;
#pragma unroll
          for (int n = 0; n < 8; ++n) {
            const int p = point + n / 2 * 8 + 2 * (lane % 4) + n % 2;
            if (where.inside(first, p, tile))
              to[where.index(first, p, tile)] = static_cast<float>(psi[a][n / 2][n % 2]);
          }
        }
        continue;
      }
      // The warp's orbitals, then the four warps that have the same points.
      for (int pass = 0; pass < (out.sums ? 2 : 1); ++pass) {
        double sum[8] = {};
#pragma unroll
        for (int a = 0; a < blocks; ++a) {
          const unsigned i = block + orbital + 8 * a + lane / 4;
          double weight = i < part.orbitals ? part.weights[i] : 0.0;
          if (pass == 1) weight = fabs(weight);
#pragma unroll
          for (int n = 0; n < 8; ++n) sum[n] = fma(weight, psi[a][n / 2][n % 2] * psi[a][n / 2][n % 2], sum[n]);
        }
#pragma unroll
        for (int n = 0; n < 8; ++n) {
          for (int other = 4; other < 32; other *= 2) sum[n] += __shfl_xor_sync(~0u, sum[n], other);
          if (lane < 4) values[warp / 2 * points + point + n / 2 * 8 + 2 * lane + n % 2] = sum[n];
        }
        __syncthreads();
        if (t < points) {
          double& to = pass == 0 ? density : absolute;
          for (int n = 0; n < threads / points; ++n) to += values[n * points + t];
        }
        __syncthreads();
      }
    }
  }
  if (out.amplitudes || t >= points || !where.inside(first, t, tile)) return;
  const std::size_t to = where.index(first, t, tile);
  if (out.density) out.density[to] = static_cast<float>(density);
  if (out.sums) out.sums[to] = {density, absolute};
}

}  // namespace density_tiles
}  // namespace isolume
