// Functions of a block of threads at its points: which shells reach them, and batches of their functions, with
// derivatives and with the coefficients of orbitals, in shared memory.
#pragma once

#include "compute/electron_density/density_derivatives_tiles.cuh"

namespace isolume {
namespace density_sums {

using derivative_tiles::Along;
using derivative_tiles::function_count;
using derivative_tiles::Part;
using derivative_tiles::TileShell;

/// A shell that reaches the points of a block.
struct NearShell {
  double centre[3];
  unsigned first_primitive, primitives, first_function;
  int l;
};

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
  int from = 0,
      of_shell = 0;  // components of each: all but where these are too many for a batch

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
__device__ __forceinline__ void load_rows(const Part& part, const NearShell* list, const Batch& batch, unsigned block,
                                          int width, int row, double* rows) {
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

}  // namespace density_sums
}  // namespace isolume
