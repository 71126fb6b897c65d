// Molecular orbitals on CUDA: a block a tile of 8 x 8 x 8 points, which first lists the terms that reach it.
#include "compute/backends.h"
#include "compute/device_array.h"
#include "compute/potential/launch.cuh"
#include "compute/slices.h"
#include "molecule/units.h"

namespace isolume {

namespace {

constexpr int side = 8;               // points of a tile along each axis
constexpr int threads = side * side;  // one for each x and y; a thread has all z
constexpr int batch = 8;              // terms whose tables are in shared memory

/// The grid in bohr.
struct BohrGrid {
  double origin[3];
  double step[3][3];
  int counts[3];
  unsigned tiles_x, tiles_y;

  __device__ double coordinate(int axis, double i, double j, double k) const {
    return origin[axis] + i * step[0][axis] + j * step[1][axis] + k * step[2][axis];
  }
};

/// d^p exp(-a d^2) of the terms of a batch: [term][axis][p][point].
struct Tables {
  double value[batch][3][max_degree + 1][side];
};

/// Adds a term to the column of points of one thread: exp(-a r^2) and the monomials are products over the axes.
template <int degree>
__device__ void add_separable(const double (*table)[max_degree + 1][side], const double* __restrict__ c, int x, int y,
                              double* sum) {
  double over_xy[degree + 1] = {};
#pragma unroll
  for (int i = 0; i <= degree; ++i) {
#pragma unroll
    for (int j = 0; j <= degree - i; ++j) {
      const double xy = table[0][i][x] * table[1][j][y];
#pragma unroll
      for (int k = 0; k <= degree - i - j; ++k) over_xy[k] = fma(__ldg(c++), xy, over_xy[k]);
    }
  }
#pragma unroll
  for (int z = 0; z < side; ++z) {
#pragma unroll
    for (int k = 0; k <= degree; ++k) sum[z] = fma(over_xy[k], table[2][k][z], sum[z]);
  }
}

/// Value of a term at a distance from its centre.
__device__ double term_value(const OrbitalTerm& term, const double* __restrict__ c, double x, double y, double z) {
  double value = 0;
  double power_x = 1;
  for (int i = 0; i <= term.degree; ++i, power_x *= x) {
    double power_xy = power_x;
    for (int j = 0; j <= term.degree - i; ++j, power_xy *= y) {
      double power_xyz = power_xy;
      for (int k = 0; k <= term.degree - i - j; ++k, power_xyz *= z) value = fma(__ldg(c++), power_xyz, value);
    }
  }
  return value * exp(-term.exponent * (x * x + y * y + z * z));
}

template <bool separable>
__global__ void __launch_bounds__(threads)
    orbital_kernel(BohrGrid g, const OrbitalTerm* __restrict__ terms, unsigned term_count,
                   const double* __restrict__ coefficients, std::size_t first_tile, float* __restrict__ amplitude) {
  __shared__ unsigned list[threads + batch];
  __shared__ unsigned warp_hits[threads / 32];
  __shared__ double lower[3], upper[3];
  __shared__ Tables tables;
  const std::size_t tile = first_tile + blockIdx.x;
  const int first[3] = {static_cast<int>(tile % g.tiles_x) * side,
                        static_cast<int>(tile / g.tiles_x % g.tiles_y) * side,
                        static_cast<int>(tile / g.tiles_x / g.tiles_y) * side};
  const int t = static_cast<int>(threadIdx.x);
  const int x = t % side;
  const int y = t / side;
  if (t < 3) {
    // The box around the tile's corners.
    for (int corner = 0; corner < 8; ++corner) {
      int at[3];
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] = (corner >> axis & 1) ? min(first[axis] + side, g.counts[axis]) - 1 : first[axis];
      }
      const double p = g.coordinate(t, at[0], at[1], at[2]);
      lower[t] = corner == 0 ? p : fmin(lower[t], p);
      upper[t] = corner == 0 ? p : fmax(upper[t], p);
    }
  }
  __syncthreads();
  double sum[side] = {};

  // Adds the first `count` terms of the list.
  const auto add_batch = [&](int count) {
    if constexpr (separable) {
      for (int entry = t; entry < count * 3 * side; entry += threads) {
        const int n = entry / (3 * side);
        const int axis = entry / side % 3;
        const int point = entry % side;
        const OrbitalTerm& term = terms[list[n]];
        const double d = g.origin[axis] + (first[axis] + point) * g.step[axis][axis] - term.centre[axis];
        double value = exp(-term.exponent * d * d);
        for (int p = 0; p <= term.degree; ++p, value *= d) tables.value[n][axis][p][point] = value;
      }
      __syncthreads();
      for (int n = 0; n < count; ++n) {
        const OrbitalTerm& term = terms[list[n]];
        const double* c = coefficients + term.first;
        const auto* table = tables.value[n];
        switch (term.degree) {
          case 0:
            add_separable<0>(table, c, x, y, sum);
            break;
          case 1:
            add_separable<1>(table, c, x, y, sum);
            break;
          case 2:
            add_separable<2>(table, c, x, y, sum);
            break;
          case 3:
            add_separable<3>(table, c, x, y, sum);
            break;
          case 4:
            add_separable<4>(table, c, x, y, sum);
            break;
          case 5:
            add_separable<5>(table, c, x, y, sum);
            break;
          default:
            add_separable<6>(table, c, x, y, sum);
            break;
        }
      }
    } else {
      for (int n = 0; n < count; ++n) {
        const OrbitalTerm& term = terms[list[n]];
        const double* c = coefficients + term.first;
        for (int z = 0; z < side; ++z) {
          const double i = first[0] + x;
          const double j = first[1] + y;
          const double k = first[2] + z;
          sum[z] += term_value(term, c, g.coordinate(0, i, j, k) - term.centre[0],
                               g.coordinate(1, i, j, k) - term.centre[1], g.coordinate(2, i, j, k) - term.centre[2]);
        }
      }
    }
    __syncthreads();
  };

  int listed = 0;
  for (unsigned begin = 0; begin < term_count; begin += threads) {
    const unsigned mine = begin + threadIdx.x;
    bool reaches = false;
    if (mine < term_count) {
      const OrbitalTerm& term = terms[mine];
      double d2 = 0;
      for (int axis = 0; axis < 3; ++axis) {
        const double c = term.centre[axis];
        const double d = c - fmin(fmax(c, lower[axis]), upper[axis]);
        d2 += d * d;
      }
      reaches = d2 <= term.cutoff * term.cutoff;
    }
    // In the order of the terms, so that the sum is the same every time.
    const unsigned votes = __ballot_sync(~0u, reaches);
    if (t % 32 == 0) warp_hits[t / 32] = static_cast<unsigned>(__popc(votes));
    __syncthreads();
    int place = listed + __popc(votes & ((1u << (t % 32)) - 1u));
    int hits = 0;
    for (int w = 0; w < threads / 32; ++w) {
      if (w < t / 32) place += static_cast<int>(warp_hits[w]);
      hits += static_cast<int>(warp_hits[w]);
    }
    if (reaches) list[place] = mine;
    listed += hits;
    __syncthreads();
    while (listed >= batch) {
      add_batch(batch);
      // What is left moves to the front.
      const int left = listed - batch;
      const unsigned moved = t < left ? list[t + batch] : 0u;
      __syncthreads();
      if (t < left) list[t] = moved;
      listed = left;
      __syncthreads();
    }
  }
  if (listed > 0) add_batch(listed);

  const int i = first[0] + x;
  const int j = first[1] + y;
  if (i >= g.counts[0] || j >= g.counts[1]) return;
  for (int z = 0; z < side && first[2] + z < g.counts[2]; ++z) {
    const std::size_t to =
        static_cast<std::size_t>(i) + static_cast<std::size_t>(g.counts[0]) *
                                          (static_cast<std::size_t>(j) + static_cast<std::size_t>(g.counts[1]) *
                                                                             static_cast<std::size_t>(first[2] + z));
    amplitude[to] = static_cast<float>(sum[z]);
  }
}

}  // namespace

void orbital_cuda(const OrbitalTerms& terms, const Grid& grid, Span<float> amplitude, Job& job) {
  Stream stream(amplitude.device);
  const auto term_list = DeviceArray<OrbitalTerm>::from_host(terms.terms, stream, "terms of the orbital");
  const auto coefficients = DeviceArray<double>::from_host(terms.coefficients, stream, "coefficients of the orbital");
  BohrGrid g{};
  std::size_t tiles = 1;
  for (int axis = 0; axis < 3; ++axis) {
    g.origin[axis] = units::angstrom_in_bohr * grid.origin[axis];
    g.counts[axis] = grid.counts[axis];
    for (int c = 0; c < 3; ++c) g.step[axis][c] = units::angstrom_in_bohr * grid.step[axis][c];
    tiles *= static_cast<std::size_t>((grid.counts[axis] + side - 1) / side);
  }
  g.tiles_x = static_cast<unsigned>((g.counts[0] + side - 1) / side);
  g.tiles_y = static_cast<unsigned>((g.counts[1] + side - 1) / side);
  const auto count = static_cast<unsigned>(terms.terms.size());
  const auto kernel = grid.axis_aligned() ? orbital_kernel<true> : orbital_kernel<false>;
  const std::size_t first = grid.axis_aligned() ? 8192 : 1024;
  for_slices(tiles, first, stream, job, "orbital", [&](std::size_t begin, std::size_t n) {
    launch("orbital: tiles", stream, kernel, {static_cast<unsigned>(n)}, {threads}, g, term_list.data(), count,
           coefficients.data(), begin, amplitude.data);
  });
  stream.synchronize("orbital: tiles");
}

}  // namespace isolume
