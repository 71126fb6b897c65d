// The kernel of the density at points, alone, with its gradient and tau, or with its mixed derivatives. A block
// evaluates the functions and their derivatives at its points in batches, in shared memory, and multiplies them with
// the coefficients of up to 96 orbitals by the matrix units, or of up to 192 from compute capability 9.0 on.
#pragma once

#include "compute/electron_density/density_function_batches.cuh"

namespace isolume {
namespace density_sums {

using derivative_tiles::Output;
using derivative_tiles::Parts;
using derivative_tiles::Points;

/// How much an orbital has at a point: 1 its value, 4 with first derivatives, 8 with the mixed ones x, y, z, xy, xz,
/// yz, xyz. With two `buffers` the functions of a batch are evaluated while those of the one before are multiplied: for
/// many orbitals, where a multiprocessor has one block. With one there are several blocks, which do so for each other.
template <int parts, int buffers = 1>
struct Shape {
  static constexpr int of_warp = parts == 8 ? 8 : parts == 4 ? 16 : 32;  // points
  static constexpr int points = 2 * of_warp;                             // of a block: 16 in a plane of 4 x 4 of a grid
  static constexpr int columns = parts * of_warp / 8;                    // of 8 products that a warp has
  static constexpr int blocks = 2;                                       // of 16 orbitals that a warp has
  static constexpr int orbitals_of_warp = 16 * blocks;                   // of which a block has one or more
  static constexpr int most_groups = 3 * buffers;                        // of orbitals in a block
  static constexpr int most_threads = 64 * most_groups;                  // two warps have the points of a group
  static constexpr int blocks_at_once = 2 / buffers;                     // in a multiprocessor, of so many groups
  static constexpr int batch = 24;                                       // functions at once
  static constexpr int value_row = parts * points + 4;  // rows that are read at once differ in their banks
  static constexpr int sums = parts == 8 ? 8 : parts == 4 ? 5 : 1;
  static constexpr int of_values = batch * value_row;
  static_assert(most_groups * sums * points <= buffers * of_values);
};

/// Orbitals of a block with so many threads.
ISOLUME_HOST_DEVICE constexpr int width_of(int threads) {
  return threads / 64 * Shape<4>::orbitals_of_warp;
}

/// Shared memory of a block, whose points have `sums` numbers, behind which is the rest of it: values and coefficients
/// of functions, and shells, as many as there are threads.
template <int parts, int buffers, int sums = Shape<parts>::sums>
struct Room {
  using S = Shape<parts, buffers>;
  double totals[2 * sums * S::points];  // by set, then sum
  double lower[3], upper[3];            // of the points
  unsigned votes[16];                   // by warp
  int row;                              // of coefficients; rows that are read at once differ in their banks
  alignas(16) double space[2];

  /// Of functions: by function, half of the points, part, point.
  __device__ double* values(int buffer) { return space + buffer * S::of_values; }
  /// Coefficients of orbitals, by function.
  __device__ double* rows(int buffer) { return values(buffers) + buffer * S::batch * row; }
  __device__ NearShell* shells() { return reinterpret_cast<NearShell*>(rows(buffers)); }
  static_assert(S::most_threads / 32 <= 16);

  static constexpr std::size_t bytes(int threads) {
    const auto row = static_cast<std::size_t>(width_of(threads) + 4);
    return sizeof(Room) + buffers * (S::of_values + S::batch * row) * sizeof(double) +
           static_cast<std::size_t>(threads) * sizeof(NearShell);
  }
};

/// Groups of orbitals that a block has on a device of this major compute capability: as many as are needed, and few
/// that have nothing to do. More than Shape<4>::most_groups, and an even number then, are for two buffers.
inline unsigned groups_of(unsigned orbitals, int major) {
  constexpr unsigned one = Shape<4>::orbitals_of_warp, few = Shape<4, 1>::most_groups, most = Shape<4, 2>::most_groups;
  const unsigned limit = major >= 9 && orbitals > few * one ? most : few;
  const unsigned passes = (orbitals + limit * one - 1) / (limit * one);
  const unsigned groups = (orbitals + passes * one - 1) / (passes * one);
  return groups > few ? (groups + 1) / 2 * 2 : groups;
}

#if __CUDA_ARCH__ >= 800
/// c += a b of 16 x 8 and 8 x 8 numbers, as a warp has them: a[2 h + r] that of row 8 r + lane / 4 and column 4 h +
/// lane % 4, b[h] of row 4 h + lane % 4 and column lane / 4, c[2 r + e] of row 8 r + lane / 4 and column 2 (lane % 4) +
/// e.
__device__ __forceinline__ void add_product(const double (&a)[4], const double (&b)[2], double (&c)[4]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, "
      "%5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, "
          "{%3}, {%0, %1};"
          : "+d"(c[2 * r]), "+d"(c[2 * r + 1])
          : "d"(a[2 * h + r]), "d"(b[h]));
    }
  }
#endif
}
#endif

/// A warp's part of the product. An element sum[m][n][2 r + e] is that of the orbital 16 m + 8 r + lane / 4 and the
/// column 8 n + 2 (lane % 4) + e, as the matrix units have it. `functions` is a multiple of 8.
template <int blocks, int columns, int value_row>
__device__ __forceinline__ void multiply(const double* rows, int coefficient_row, const double* values, int functions,
                                         int lane, double (&sum)[blocks][columns][4]) {
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
      for (int m = 0; m < blocks; ++m) add_product(a[m], b, sum[m][n]);
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

/// What a thread has of its block's points and orbitals.
struct Share {
  double position[3];  ///< bohr, of the point whose functions it evaluates
  std::size_t index;   ///< of that point
  bool inside;         ///< whether the grid has it
  int group, side;     ///< its warp has these orbitals of the block's and this half of the points
};

/// Begins a block of `points` points: its room has their bounds and no sums. All threads call it.
template <int points, class Room>
__device__ __forceinline__ Share share_of(const Points& where, unsigned tile, Room& room) {
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), warp = t / 32;
  Share mine;
  mine.inside = where.find<points>(tile, t % points, mine.position, mine.index);
  mine.group = warp / 2;
  mine.side = warp % 2;
  derivative_tiles::set_bounds<points>(mine.position, room.lower, room.upper);
  for (int e = t; e < static_cast<int>(sizeof(room.totals) / sizeof(double)); e += threads) room.totals[e] = 0;
  if (t == 0) room.row = width_of(threads) + 4;
  __syncthreads();
  return mine;
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

/// Orbitals from `block` on at the points of a block of threads: psi[m][n] is a warp's part, as multiply() has it. All
/// threads are past what they read of the room.
template <int parts, int buffers, int sums>
__device__ __forceinline__ void sum_functions(const Part& part, unsigned block, const double (&position)[3],
                                              Room<parts, buffers, sums>& room,
                                              double (&psi)[2][Shape<parts>::columns][4]) {
  using S = Shape<parts, buffers>;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const int here = t % S::points;  // the point whose functions the thread evaluates
  const int place = here / S::of_warp * (parts * S::of_warp) + here % S::of_warp;
  NearShell* const shells = room.shells();
  const auto evaluate_into = [&](const Batch& batch, int buffer) {
    evaluate<parts, S::points, S::value_row, S::of_warp>(part, shells, batch, position, room.values(buffer) + place);
  };
  const auto load_into = [&](const Batch& batch, int buffer) {
    load_rows(part, shells, batch, block, room.row - 4, room.row, room.rows(buffer));
  };
  const auto multiply_from = [&](const Batch& batch, int buffer) {
    multiply<S::blocks, S::columns, S::value_row>(room.rows(buffer) + warp / 2 * S::orbitals_of_warp, room.row,
                                                  room.values(buffer) + warp % 2 * (parts * S::of_warp), batch.padded(),
                                                  lane, psi);
  };
  for (unsigned begin = 0; begin < part.shell_count; begin += blockDim.x) {
    const int listed = list_near(part, begin, room.lower, room.upper, shells, room.votes);
    Batch now;  // none at first
    int buffer = 0;
    for (bool more = true; more; buffer ^= buffers - 1) {
      Batch following = now;
      more = following.next<S::batch>(shells, listed);
      if constexpr (buffers == 2) {
        if (more) load_into(following, buffer ^ 1);
        if (more) evaluate_into(following, buffer ^ 1);
        multiply_from(now, buffer);
      } else {
        multiply_from(now, buffer);
        __syncthreads();
        if (more) {
          load_into(following, buffer);
          evaluate_into(following, buffer);
        }
      }
      wait_for_copies();
      __syncthreads();
      now = following;
    }
  }
}

template <int parts, int buffers>
__global__ void __launch_bounds__(Shape<parts, buffers>::most_threads, Shape<parts, buffers>::blocks_at_once)
    sums_kernel(Points where, const __grid_constant__ Parts sets, Output out, unsigned first_tile) {
  using S = Shape<parts, buffers>;
  extern __shared__ double2 shared[];
  auto& room = *reinterpret_cast<Room<parts, buffers>*>(shared);
  double* const values = room.values(0);
  const Share mine = share_of<S::points>(where, first_tile + blockIdx.x, room);
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), lane = t % 32;
  const int groups = threads / 64, width = width_of(threads), group = mine.group, side = mine.side;

  for (int set = 0; set < sets.count; ++set) {
    const Part& part = sets.part[set];
    for (unsigned block = 0; block < part.orbitals; block += static_cast<unsigned>(width)) {
      double psi[S::blocks][S::columns][4] = {};
      sum_functions(part, block, mine.position, room, psi);
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
        room.totals[set * S::sums * S::points + e] += parts == 8 && e >= S::points ? 2 * sum : sum;
      }
      __syncthreads();
    }
  }
  if (!mine.inside || t >= S::points) return;
  if constexpr (parts == 8) {
    for (int set = 0; set < sets.count; ++set) {
      double* const of_point = out.sums + static_cast<std::size_t>(set) * out.of_set + mine.index * out.of_point;
      for (int k = 0; k < S::sums; ++k) of_point[k] = room.totals[(set * S::sums + k) * S::points + t];
    }
  } else {
    derivative_tiles::store<parts, S::points>(out, sets.count, room.totals, mine.index, t);
  }
}

}  // namespace density_sums
}  // namespace isolume
