// The kernel of the density at points, alone, with its gradient and tau, or with its mixed derivatives. A block
// evaluates the functions and their derivatives at its points in batches, in shared memory, and multiplies them with
// the coefficients of up to 96 orbitals by the matrix units. Meanwhile the next batch is evaluated, where there is
// room.
#pragma once

#include "compute/electron_density/density_derivatives_tiles.cuh"

namespace isolume {
namespace density_sums {

using derivative_tiles::Along;
using derivative_tiles::function_count;
using derivative_tiles::Output;
using derivative_tiles::Part;
using derivative_tiles::Parts;
using derivative_tiles::Points;
using derivative_tiles::TileShell;

/// How much an orbital has at a point: 1 its value, 4 with first derivatives, 8 with the mixed ones x, y, z, xy, xz,
/// yz, xyz.
template <int parts>
struct Shape {
  static constexpr int of_warp = parts == 8 ? 8 : parts == 4 ? 16 : 32;  // points
  static constexpr int points = 2 * of_warp;                             // of a block: 16 in a plane of 4 x 4 of a grid
  static constexpr int columns = parts * of_warp / 8;                    // of 8 products that a warp has
  static constexpr int blocks = 2;                                       // of 16 orbitals that a warp has
  static constexpr int orbitals_of_warp = 16 * blocks;                   // of which a block has one or more
  static constexpr int most_groups = 3;                                  // of orbitals in a block
  static constexpr int most_threads = 64 * most_groups;                  // two warps have the points of a group
  static constexpr int width = most_groups * orbitals_of_warp;
  static constexpr int batch = 24;                      // functions at once
  static constexpr int value_row = parts * points + 4;  // rows that are read at once differ in their banks
  static constexpr int coefficient_row = width + 4;
  static constexpr int sums = parts == 8 ? 8 : parts == 4 ? 5 : 1;
  static_assert(most_groups * sums * points <= batch * value_row);
};

/// A shell that reaches the points of a block.
struct NearShell {
  double centre[3];
  unsigned first_primitive, primitives, first_function;
  int l;
};

/// Shared memory of a block, whose points have `sums` numbers. With two `buffers` the functions of a batch are
/// evaluated while those of the one before are multiplied.
template <int parts, int buffers, int sums = Shape<parts>::sums>
struct Room {
  using S = Shape<parts>;
  static constexpr int of_values = S::batch * S::value_row, of_rows = S::batch * S::coefficient_row;
  double space[buffers * (of_values + of_rows)];
  double totals[2 * sums * S::points];  // by set, then sum
  double lower[3], upper[3];            // of the points
  NearShell shells[S::most_threads];
  unsigned votes[S::most_threads / 32];

  /// Of functions: by function, half of the points, part, point.
  __device__ double* values(int buffer) { return space + buffer * of_values; }
  /// Coefficients of orbitals, by function.
  __device__ double* rows(int buffer) { return space + buffers * of_values + buffer * of_rows; }
};

/// Buffers for a device of this major compute capability: two where a multiprocessor then holds two blocks still.
ISOLUME_HOST_DEVICE constexpr int buffers_of(int major) {
  return major >= 9 ? 2 : 1;
}
template <int parts>
constexpr std::size_t shared_bytes(int major) {
  return buffers_of(major) == 2 ? sizeof(Room<parts, 2>) : sizeof(Room<parts, 1>);
}

/// Groups of orbitals that a block has: as many as are needed, and few that have nothing to do.
inline unsigned groups_of(unsigned orbitals) {
  using S = Shape<8>;  // as the others
  const unsigned passes = (orbitals + S::width - 1) / S::width;
  return (orbitals + passes * S::orbitals_of_warp - 1) / (passes * S::orbitals_of_warp);
}

/// Sums over a shell's primitives: c exp(-a r^2) and its derivatives by r^2.
struct Radial {
  double of[4];
};

template <int orders>
__device__ __forceinline__ Radial radial_of(const Part& part, const NearShell& shell, double r2) {
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
  const double r0 = radial.of[0], a = px.value, b = py.value, c = pz.value;
  to[0] = a * b * c * r0;
  if constexpr (parts > 1) {
    const double r1 = radial.of[1];
    const double ax = a * (2 * at[0]), by = b * (2 * at[1]), cz = c * (2 * at[2]);
    to[column] = b * c * fma(px.first, r0, ax * r1);
    to[2 * column] = a * c * fma(py.first, r0, by * r1);
    to[3 * column] = a * b * fma(pz.first, r0, cz * r1);
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

/// Functions of a batch: of shells of one angular momentum that follow each other in the list.
struct Batch {
  int first = 0, shells = 0;  // in the list
  int l = 0;
  int from = 0, of_shell = 0;  // components of each: all but where these are too many for a batch

  __device__ int functions() const { return shells * of_shell; }
  __device__ int padded() const { return (functions() + 7) / 8 * 8; }

  /// The next batch of `listed` shells, the same for all threads of a warp; false after the last.
  template <int most>
  __device__ bool next(const NearShell* list, int listed) {
    const int all = function_count(l);
    if (shells > 0 && from + of_shell < all) {
      from += of_shell;
      of_shell = min(all - from, most);
      return true;
    }
    first += shells;
    if (first >= listed) return false;
    const int at = first + static_cast<int>(threadIdx.x) % 32;
    l = list[first].l;
    const unsigned others = __ballot_sync(~0u, at >= listed || list[at].l != l);
    const int alike = others == 0 ? 32 : __ffs(static_cast<int>(others)) - 1;
    from = 0;
    of_shell = min(function_count(l), most);
    shells = min(alike, most / of_shell);
    return true;
  }
};

/// A batch's functions at one of `points` points, and rows of zeros up to the padded number. Parts of a function are
/// `column` apart.
template <int parts, int points, int row, int column>
__device__ __forceinline__ void evaluate(const Part& part, const NearShell* list, const Batch& batch,
                                         const double (&position)[3], double* to) {
  const int share = static_cast<int>(threadIdx.x) / points, shares = static_cast<int>(blockDim.x) / points;
  for (int n = share; n < batch.shells; n += shares) {
    const NearShell& shell = list[batch.first + n];
    const double at[3] = {position[0] - shell.centre[0], position[1] - shell.centre[1], position[2] - shell.centre[2]};
    constexpr int orders = parts == 8 ? 4 : parts == 4 ? 2 : 1;
    const Radial radial = radial_of<orders>(part, shell, at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    double* const of_shell = to + n * batch.of_shell * row;
    switch (batch.l) {
      case 0:
        put_shell<parts, row, column, 0>(at, radial, of_shell);
        continue;
      case 1:
        put_shell<parts, row, column, 1>(at, radial, of_shell);
        continue;
      case 2:
        put_shell<parts, row, column, 2>(at, radial, of_shell);
        continue;
      default:
        break;
    }
    int component = -batch.from;
    for (int i = batch.l; i >= 0; --i) {
      for (int j = batch.l - i; j >= 0; --j, ++component) {
        if (component < 0 || component >= batch.of_shell) continue;
        put<parts, column>(Along(at[0], i), Along(at[1], j), Along(at[2], batch.l - i - j), at, radial,
                           of_shell + component * row);
      }
    }
  }
  for (int n = batch.functions() + share; n < batch.padded(); n += shares) {
#pragma unroll
    for (int k = 0; k < parts; ++k) to[n * row + k * column] = 0;
  }
}

/// Copies two numbers into shared memory, without waiting for them where the device can.
__device__ __forceinline__ void copy(const double* from, double* to) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from)
               : "memory");
#else
  *reinterpret_cast<double2*>(to) = *reinterpret_cast<const double2*>(from);
#endif
}

/// Until what this thread copies is there.
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

/// The coefficients of a batch's functions for `width` orbitals from `block` on; rows of zeros up to the padded number.
/// They are there after wait_for_copies() and __syncthreads().
template <int row>
__device__ __forceinline__ void load_rows(const Part& part, const NearShell* list, const Batch& batch, unsigned block,
                                          int width, double* rows) {
  const int pairs = width / 2, t = static_cast<int>(threadIdx.x);
  const int shares = static_cast<int>(blockDim.x) / pairs, functions = batch.functions(), padded = batch.padded();
  const int at = 2 * (t % pairs);
  const bool inside = block + static_cast<unsigned>(at) < part.orbitals;  // of which there is an even number
  const int each = 65536 / batch.of_shell + 1;
  for (int f = t / pairs; f < padded; f += shares) {
    double* const to = rows + f * row + at;
    if (inside && f < functions) {
      const int n = f * each >> 16;  // f / of_shell
      const std::size_t function =
          list[batch.first + n].first_function + static_cast<unsigned>(batch.from + f - n * batch.of_shell);
      copy(part.coefficients + function * part.orbitals + block + at, to);
    } else {
      to[0] = to[1] = 0;
    }
  }
}

/// Lists those of the next shells, as many as the block has threads, that reach the points, in their order; how many.
__device__ __forceinline__ int list_near(const Part& part, unsigned begin, const double* lower, const double* upper,
                                         NearShell* list, unsigned* votes) {
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const unsigned mine = min(begin + threadIdx.x, part.shell_count - 1);
  const TileShell shell = part.shells[mine];
  double d2 = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = shell.centre[axis] - fmin(fmax(shell.centre[axis], lower[axis]), upper[axis]);
    d2 = fma(d, d, d2);
  }
  const double reach = static_cast<double>(shell.reach);
  const bool here = mine == begin + threadIdx.x && reach >= 0 && d2 <= reach * reach;
  const unsigned vote = __ballot_sync(~0u, here);
  if (lane == 0) votes[warp] = vote;
  __syncthreads();
  int listed = 0;
  for (int w = 0; w < static_cast<int>(blockDim.x) / 32; ++w) {
    if (w == warp && here) {
      list[listed + __popc(vote & ((1u << lane) - 1u))] = {{shell.centre[0], shell.centre[1], shell.centre[2]},
                                                           shell.first_primitive,
                                                           shell.primitives,
                                                           shell.first_function,
                                                           shell.l};
    }
    listed += __popc(votes[w]);
  }
  __syncthreads();
  return listed;
}

#if __CUDA_ARCH__ >= 800
/// c += a b of 16 x 8 and 8 x 8 numbers, as a warp has them: a[2 h + r] that of row 8 r + lane / 4 and column
/// 4 h + lane % 4, b[h] of row 4 h + lane % 4 and column lane / 4, c[2 r + e] of row 8 r + lane / 4 and column
/// 2 (lane % 4) + e.
__device__ __forceinline__ void add_product(const double (&a)[4], const double (&b)[2], double (&c)[4]) {
#if __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
#pragma unroll
  for (int h = 0; h < 2; ++h) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
          : "+d"(c[2 * r]), "+d"(c[2 * r + 1])
          : "d"(a[2 * h + r]), "d"(b[h]));
    }
  }
#endif
}
#endif

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
                                              double (&psi)[Shape<parts>::blocks][Shape<parts>::columns][4]) {
  using S = Shape<parts>;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const int width = static_cast<int>(blockDim.x) / 64 * S::orbitals_of_warp;
  const int here = t % S::points;  // the point whose functions the thread evaluates
  const int place = here / S::of_warp * (parts * S::of_warp) + here % S::of_warp;
  const auto evaluate_into = [&](const Batch& batch, int buffer) {
    evaluate<parts, S::points, S::value_row, S::of_warp>(part, room.shells, batch, position,
                                                         room.values(buffer) + place);
  };
  const auto load_into = [&](const Batch& batch, int buffer) {
    load_rows<S::coefficient_row>(part, room.shells, batch, block, width, room.rows(buffer));
  };
  const auto multiply_from = [&](const Batch& batch, int buffer) {
    multiply<S::blocks, S::columns, S::coefficient_row, S::value_row>(
        room.rows(buffer) + warp / 2 * S::orbitals_of_warp, room.values(buffer) + warp % 2 * (parts * S::of_warp),
        batch.padded(), lane, psi);
  };
  // Half of the warps multiply first, so that both kinds of work go on at once.
  const bool evaluates_first = 2 * warp < static_cast<int>(blockDim.x) / 32;
  for (unsigned begin = 0; begin < part.shell_count; begin += blockDim.x) {
    const int listed = list_near(part, begin, room.lower, room.upper, room.shells, room.votes);
    Batch now;  // none at first
    int buffer = 0;
    for (bool more = true; more; buffer ^= buffers - 1) {
      Batch following = now;
      more = following.next<S::batch>(room.shells, listed);
      if constexpr (buffers == 2) {
        if (more) load_into(following, buffer ^ 1);
#pragma unroll 1
        for (int half = 0; half < 2; ++half) {
          if ((half == 0) == evaluates_first) {
            if (more) evaluate_into(following, buffer ^ 1);
          } else {
            multiply_from(now, buffer);
          }
        }
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

template <int parts>
__global__ void __launch_bounds__(Shape<parts>::most_threads, 2)
    sums_kernel(Points where, const __grid_constant__ Parts sets, Output out, unsigned first_tile) {
  using S = Shape<parts>;
#ifdef __CUDA_ARCH__
  constexpr int buffers = buffers_of(__CUDA_ARCH__ / 100);
#else
  constexpr int buffers = 1;
#endif
  extern __shared__ double2 shared[];
  auto& room = *reinterpret_cast<Room<parts, buffers>*>(shared);
  double* const values = room.values(0);
  const unsigned tile = first_tile + blockIdx.x;
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int lane = t % 32, warp = t / 32;
  const int groups = threads / 64, width = groups * S::orbitals_of_warp;
  double position[3];
  std::size_t index = 0;
  const int here = t % S::points;
  const bool inside = where.find<S::points>(tile, here, position, index);
  derivative_tiles::set_bounds<S::points>(position, room.lower, room.upper);
  for (int e = t; e < 2 * S::sums * S::points; e += threads) room.totals[e] = 0;
  __syncthreads();
  // A warp has these orbitals of the block's and these points of the tile's.
  const int group = warp / 2, side = warp % 2;

  for (int set = 0; set < sets.count; ++set) {
    const Part& part = sets.part[set];
    for (unsigned block = 0; block < part.orbitals; block += static_cast<unsigned>(width)) {
      double psi[S::blocks][S::columns][4] = {};
      sum_functions(part, block, position, room, psi);
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
  if (!inside || t >= S::points) return;
  if constexpr (parts == 8) {
    for (int set = 0; set < sets.count; ++set) {
      double* const of_point = out.sums + static_cast<std::size_t>(set) * out.of_set + index * out.of_point;
      for (int k = 0; k < S::sums; ++k) of_point[k] = room.totals[(set * S::sums + k) * S::points + here];
    }
  } else {
    derivative_tiles::store<parts, S::points>(out, sets.count, room.totals, index, here);
  }
}

}  // namespace density_sums
}  // namespace isolume
