// The kernel of the density's second derivatives: a block has 32 points. Orbitals and their gradients are one product,
// as in density_sums_tiles.cuh; sum_i w_i psi_i d2 psi_i is a sum over functions of their second derivatives times
// sum_i w_i C_i psi_i, a product with the same coefficients the other way. Orbitals have no second derivatives then:
// five products in place of ten.
#pragma once

#include "compute/electron_density/density_sums_tiles.cuh"

namespace isolume {
namespace density_sums {

struct HessianShape {
  using Forward = Shape<4>;
  static constexpr int points = Forward::points;
  static constexpr int sums = 11;  // density, gradient, tau, Hessian
  static constexpr int functions = Forward::batch;
  static constexpr int point_row = points + 4;  // rows that are read at once differ in their banks
  static constexpr int of_share = functions * point_row;
  // Of the room's space, for each group of orbitals: weights times orbitals, and sums.
  static constexpr int weighted = Forward::orbitals_of_warp * point_row, partial = sums * points;
  static_assert(weighted + partial <= Forward::of_values / 3 + Forward::batch * Forward::orbitals_of_warp);
  static_assert(2 * 6 * points <= weighted);
  // And of the values, afterwards: what the orbitals have of a batch's functions, by share of them.
  static_assert(Forward::most_groups * of_share <= Forward::of_values);
};

template <int buffers>
using HessianRoom = Room<4, buffers, HessianShape::sums>;

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

/// Adds 2 sum_f back_f d2 chi_f of the thread's shells of a batch at its point; `back` is that of the first of
/// `shares`.
__device__ __forceinline__ void add_second(const Part& part, const NearShell* list, const Batch& batch,
                                           const double (&position)[3], const double* back, int shares,
                                           double (&sum)[6]) {
  using S = HessianShape;
  const int t = static_cast<int>(threadIdx.x);
  for (int n = t / S::points; n < batch.shells; n += static_cast<int>(blockDim.x) / S::points) {
    const NearShell& shell = list[batch.first + n];
    const double x = position[0] - shell.centre[0];
    const double y = position[1] - shell.centre[1];
    const double z = position[2] - shell.centre[2];
    // Derivatives by r^2, of which d/dx takes 2 x.
    const Radial radial = radial_of<3>(part, shell, x * x + y * y + z * z);
    const double r0 = radial.of[0], r1 = 2 * radial.of[1], r2 = 4 * radial.of[2];
    // Sums over the components of the polynomial and its derivatives.
    double p = 0, dx = 0, dy = 0, dz = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
    const double* from = back + n * batch.of_shell * S::point_row + t % S::points;
    int component = -batch.from;
    for (int i = batch.l; i >= 0; --i) {
      for (int j = batch.l - i; j >= 0; --j, ++component) {
        if (component < 0 || component >= batch.of_shell) continue;
        const Along px(x, i), py(y, j), pz(z, batch.l - i - j);
        double c = 0;
        for (int share = 0; share < shares; ++share) c += from[share * S::of_share];
        from += S::point_row;
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
    const double pr1 = p * r1, pr2 = p * r2;
    sum[0] += 2 * (xx * r0 + 2 * dx * x * r1 + pr1 + x * x * pr2);
    sum[1] += 2 * (xy * r0 + (dx * y + dy * x) * r1 + x * y * pr2);
    sum[2] += 2 * (xz * r0 + (dx * z + dz * x) * r1 + x * z * pr2);
    sum[3] += 2 * (yy * r0 + 2 * dy * y * r1 + pr1 + y * y * pr2);
    sum[4] += 2 * (yz * r0 + (dy * z + dz * y) * r1 + y * z * pr2);
    sum[5] += 2 * (zz * r0 + 2 * dz * z * r1 + pr1 + z * z * pr2);
  }
}

/// A warp's weights times orbitals, as the matrix units take them: of its share of the orbitals, one group or with two
/// buffers two, at 16 points or at 8.
template <int buffers>
struct Weighted {
  static constexpr int steps = 4 * buffers, columns = 2 / buffers;
  double of[steps][columns][2];  // by 8 orbitals, 8 points, then orbitals 4 apart

  __device__ Weighted(const double* from, int lane) {
#pragma unroll
    for (int q = 0; q < steps; ++q) {
#pragma unroll
      for (int n = 0; n < columns; ++n) {
#pragma unroll
        for (int h = 0; h < 2; ++h)
          of[q][n][h] = from[(8 * q + 4 * h + lane % 4) * HessianShape::point_row + 8 * n + lane / 4];
      }
    }
  }
};

/// What a share of the orbitals has of a batch's functions at a warp's points: back[f] = sum_i rows[f][i] weighted_i.
template <int buffers>
__device__ __forceinline__ void multiply_back(const double* rows, int row, const Weighted<buffers>& weighted, int lane,
                                              double* back) {
  using S = HessianShape;
  constexpr int steps = Weighted<buffers>::steps, columns = Weighted<buffers>::columns;
  double sum[2][columns][4] = {};
#pragma unroll
  for (int q = 0; q < steps; ++q) {
#if __CUDA_ARCH__ >= 800
#pragma unroll
    for (int m = 0; m < 2; ++m) {
      double a[4];
#pragma unroll
      for (int r = 0; r < 2; ++r) {
#pragma unroll
        for (int h = 0; h < 2; ++h)
          a[2 * h + r] =
              16 * m + 8 * r < S::functions ? rows[(16 * m + 8 * r + lane / 4) * row + 8 * q + 4 * h + lane % 4] : 0.0;
      }
#pragma unroll
      for (int n = 0; n < columns; ++n) add_product(a, weighted.of[q][n], sum[m][n]);
    }
#else
#pragma unroll
    for (int n = 0; n < columns; ++n) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const double b = __shfl_sync(~0u, weighted.of[q][n][i / 4], 4 * (2 * (lane % 4) + e) + i % 4);
#pragma unroll
          for (int m = 0; m < 2; ++m) {
#pragma unroll
            for (int r = 0; r < 2; ++r) {
              if (16 * m + 8 * r < S::functions)
                sum[m][n][2 * r + e] =
                    fma(rows[(16 * m + 8 * r + lane / 4) * row + 8 * q + i], b, sum[m][n][2 * r + e]);
            }
          }
        }
      }
    }
#endif
  }
#pragma unroll
  for (int m = 0; m < 2; ++m) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      if (16 * m + 8 * r >= S::functions) continue;
#pragma unroll
      for (int n = 0; n < columns; ++n) {
#pragma unroll
        for (int e = 0; e < 2; ++e)
          back[(16 * m + 8 * r + lane / 4) * S::point_row + 8 * n + 2 * (lane % 4) + e] = sum[m][n][2 * r + e];
      }
    }
  }
}

/// Adds what a block's orbitals have of second derivatives, from `block` on, of the thread's shells at its point. All
/// threads are past what they read of the room's space.
template <int buffers>
__device__ __forceinline__ void sum_second(const Part& part, unsigned block, const double (&position)[3],
                                           const Weighted<buffers>& weighted, HessianRoom<buffers>& room,
                                           double (&second)[6]) {
  using S = HessianShape;
  const int t = static_cast<int>(threadIdx.x), lane = t % 32, warp = t / 32;
  const int share = warp / (2 * buffers), shares = static_cast<int>(blockDim.x) / (64 * buffers);
  NearShell* const shells = room.shells();
  const auto load_into = [&](const Batch& batch, int buffer) {
    load_rows(part, shells, batch, block, room.row - 4, room.row, room.rows(buffer));
  };
  const auto multiply_from = [&](int buffer) {
    multiply_back(room.rows(buffer) + share * buffers * S::Forward::orbitals_of_warp, room.row, weighted, lane,
                  room.values(buffer) + share * S::of_share + warp % (2 * buffers) * (16 / buffers));
  };
  const auto add_from = [&](const Batch& batch, int buffer) {
    add_second(part, shells, batch, position, room.values(buffer), shares, second);
  };
  for (unsigned begin = 0; begin < part.shell_count; begin += blockDim.x) {
    const int listed = list_near(part, begin, room.lower, room.upper, shells, room.votes);
    // Three at a time: one is loaded, one multiplied, the one before is added.
    Batch following, now, before;
    int buffer = 0;
    bool more = true;
    do {
      if (more) more = following.next<S::functions>(shells, listed);
      if constexpr (buffers == 2) {
        if (more) load_into(following, buffer ^ 1);
        add_from(before, buffer ^ 1);
        if (now.shells > 0) multiply_from(buffer);
      } else {
        add_from(before, buffer);
        __syncthreads();
        if (now.shells > 0) multiply_from(buffer);
        __syncthreads();
        if (more) load_into(following, buffer);
      }
      wait_for_copies();
      __syncthreads();
      before = now;
      now = more ? following : Batch();
      buffer ^= buffers - 1;
    } while (more || before.shells > 0);
  }
}

template <int buffers>
__global__ void __launch_bounds__(Shape<4, buffers>::most_threads, Shape<4, buffers>::blocks_at_once)
    hessian_kernel(Points where, const __grid_constant__ Parts sets, Output out, unsigned first_tile) {
  using S = HessianShape;
  constexpr int points = S::points;
  extern __shared__ double2 shared[];
  auto& room = *reinterpret_cast<HessianRoom<buffers>*>(shared);
  const Share mine = share_of<points>(where, first_tile + blockIdx.x, room);  // every warp has all points
  const int t = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), lane = t % 32, warp = t / 32;
  const int groups = threads / 64, width = width_of(threads), group = mine.group, side = mine.side;
  double* const weighted = room.space;  // weight times orbital, by orbital, then point
  double* const partial = room.space + groups * S::weighted;

  for (int set = 0; set < sets.count; ++set) {
    const Part& part = sets.part[set];
    double* const of_set = room.totals + set * S::sums * points;
    for (unsigned block = 0; block < part.orbitals; block += static_cast<unsigned>(width)) {
      {
        double psi[S::Forward::blocks][S::Forward::columns][4] = {};
        sum_functions(part, block, mine.position, room, psi);
#pragma unroll
        for (int n = 0; n < 2; ++n) {
#pragma unroll
          for (int e = 0; e < 2; ++e) {
            double sum[S::sums] = {};
#pragma unroll
            for (int m = 0; m < S::Forward::blocks; ++m) {
#pragma unroll
              for (int r = 0; r < 2; ++r) {
                const int row = group * S::Forward::orbitals_of_warp + 16 * m + 8 * r + lane / 4;
                const unsigned i = block + static_cast<unsigned>(row);
                const double weight = i < part.orbitals ? part.weights[i] : 0.0;
                double one[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) one[k] = psi[m][2 * k + n][2 * r + e];
                add_slopes(weight, one, sum);
                weighted[row * S::point_row + side * S::Forward::of_warp + 8 * n + 2 * (lane % 4) + e] =
                    weight * one[0];
              }
            }
#pragma unroll
            for (int k = 0; k < S::sums; ++k) {
              for (int other = 4; other < 32; other *= 2) sum[k] += __shfl_xor_sync(~0u, sum[k], other);
              if (lane < 4)
                partial[(group * S::sums + k) * points + side * S::Forward::of_warp + 8 * n + 2 * lane + e] = sum[k];
            }
          }
        }
      }
      __syncthreads();
      for (int e = t; e < S::sums * points; e += threads) {
        for (int g = 0; g < groups; ++g) of_set[e] += partial[g * S::sums * points + e];
      }
      const int share = warp / (2 * buffers);
      const Weighted<buffers> of_warp(weighted + share * buffers * S::weighted + warp % (2 * buffers) * (16 / buffers),
                                      lane);
      __syncthreads();
      double second[6] = {};
      sum_second<buffers>(part, block, mine.position, of_warp, room, second);
      __syncthreads();
      for (int k = 0; k < 6; ++k) room.space[(warp * 6 + k) * points + lane] = second[k];
      __syncthreads();
      for (int e = t; e < 6 * points; e += threads) {
        for (int w = 0; w < threads / 32; ++w) of_set[5 * points + e] += room.space[w * 6 * points + e];
      }
      __syncthreads();
    }
  }
  if (mine.inside && warp == 0) derivative_tiles::store<10>(out, sets.count, room.totals, mine.index, lane);
}

}  // namespace density_sums
}  // namespace isolume
