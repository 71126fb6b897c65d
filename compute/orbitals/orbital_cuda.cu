// Molecular orbitals on CUDA: a block a tile of 8 x 8 x 16 points, which first lists the terms that reach it.
#include "compute/backends.h"
#include "compute/device_array.h"
#include "compute/potential/launch.cuh"
#include "compute/slices.h"
#include "molecule/units.h"

namespace isolume {

namespace {

constexpr int side = 8;                    // points of a tile along x and y
constexpr int depth = 16;                  // and along z
constexpr int threads = side * side;       // one for each x and y; a thread has all z
constexpr int entries = 2 * side + depth;  // of a table: points along x, y and z
constexpr int batch = 8;                   // terms whose tables are in shared memory
constexpr int rounds = 8;                  // of tests by all threads before terms are added
constexpr int votes_count = rounds * threads / 32;

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

/// d^p exp(-a d^2) of a term at the points of a tile along x, y and z: [p][point].
using Table = double[max_degree + 1][entries];

/// Adds a term to the column of points of one thread: exp(-a r^2) and the monomials are products over the axes.
template <int degree>
__device__ void add_separable(const Table& table, const double* __restrict__ c, int x, int y, double* sum) {
  double along_y[degree + 1];
#pragma unroll
  for (int j = 0; j <= degree; ++j) along_y[j] = table[j][side + y];
  double over_xy[degree + 1] = {};
#pragma unroll
  for (int i = 0; i <= degree; ++i) {
    const double along_x = table[i][x];
#pragma unroll
    for (int j = 0; j <= degree - i; ++j) {
      const double xy = along_x * along_y[j];
#pragma unroll
      for (int k = 0; k <= degree - i - j; ++k) over_xy[k] = fma(__ldg(c++), xy, over_xy[k]);
    }
  }
  // Two points a load, the same for the whole warp.
#pragma unroll
  for (int k = 0; k <= degree; ++k) {
#pragma unroll
    for (int z = 0; z < depth; z += 2) {
      const double2 along_z = *reinterpret_cast<const double2*>(&table[k][2 * side + z]);
      sum[z] = fma(over_xy[k], along_z.x, sum[z]);
      sum[z + 1] = fma(over_xy[k], along_z.y, sum[z + 1]);
    }
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
  __shared__ unsigned list[rounds * threads];
  __shared__ unsigned votes[votes_count];
  __shared__ double lower[3], upper[3];
  __shared__ alignas(16) Table tables[batch];
  const std::size_t tile = first_tile + blockIdx.x;
  const int first[3] = {static_cast<int>(tile % g.tiles_x) * side,
                        static_cast<int>(tile / g.tiles_x % g.tiles_y) * side,
                        static_cast<int>(tile / g.tiles_x / g.tiles_y) * depth};
  const int t = static_cast<int>(threadIdx.x);
  const int x = t % side;
  const int y = t / side;
  if (t < 3) {
    // The box around the tile's corners.
    for (int corner = 0; corner < 8; ++corner) {
      int at[3];
      for (int axis = 0; axis < 3; ++axis) {
        at[axis] =
            (corner >> axis & 1) ? min(first[axis] + (axis == 2 ? depth : side), g.counts[axis]) - 1 : first[axis];
      }
      const double p = g.coordinate(t, at[0], at[1], at[2]);
      lower[t] = corner == 0 ? p : fmin(lower[t], p);
      upper[t] = corner == 0 ? p : fmax(upper[t], p);
    }
  }
  __syncthreads();
  double sum[depth] = {};

  // Adds `count` terms of the list from `begin` on.
  const auto add_batch = [&](int begin, int count) {
    if constexpr (separable) {
      for (int entry = t; entry < count * entries; entry += threads) {
        const int n = entry / entries;
        const int at = entry % entries;
        const int axis = min(at / side, 2);
        const OrbitalTerm& term = terms[list[begin + n]];
        const double d = g.origin[axis] + (first[axis] + at - axis * side) * g.step[axis][axis] - term.centre[axis];
        double value = exp(-term.exponent * d * d);
        for (int p = 0; p <= term.degree; ++p, value *= d) tables[n][p][at] = value;
      }
      __syncthreads();
      for (int n = 0; n < count; ++n) {
        const OrbitalTerm& term = terms[list[begin + n]];
        const double* c = coefficients + term.first;
        const Table& table = tables[n];
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
        const OrbitalTerm& term = terms[list[begin + n]];
        const double* c = coefficients + term.first;
        for (int z = 0; z < depth; ++z) {
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

  for (unsigned begin = 0; begin < term_count; begin += rounds * threads) {
    bool reaches[rounds];
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      const unsigned mine = begin + round * threads + threadIdx.x;
      reaches[round] = false;
      if (mine < term_count) {
        const OrbitalTerm& term = terms[mine];
        double d2 = 0;
        for (int axis = 0; axis < 3; ++axis) {
          const double c = term.centre[axis];
          const double d = c - fmin(fmax(c, lower[axis]), upper[axis]);
          d2 += d * d;
        }
        reaches[round] = d2 <= term.cutoff * term.cutoff;
      }
      const unsigned of_warp = __ballot_sync(~0u, reaches[round]);
      if (t % 32 == 0) votes[(round * threads + t) / 32] = of_warp;
    }
    __syncthreads();
    // In the order of the terms, so that the sum is the same every time.
    int listed = 0;
#pragma unroll
    for (int word = 0; word < votes_count; ++word) {
      const int round = word / (threads / 32);
      if (word % (threads / 32) == t / 32 && reaches[round]) {
        list[listed + __popc(votes[word] & ((1u << (t % 32)) - 1u))] = begin + round * threads + threadIdx.x;
      }
      listed += __popc(votes[word]);
    }
    __syncthreads();
    for (int done = 0; done < listed; done += batch) add_batch(done, min(batch, listed - done));
  }

  const int i = first[0] + x;
  const int j = first[1] + y;
  if (i >= g.counts[0] || j >= g.counts[1]) return;
#pragma unroll
  for (int z = 0; z < depth; ++z) {
    if (first[2] + z >= g.counts[2]) break;
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
    const int of_tile = axis == 2 ? depth : side;
    tiles *= static_cast<std::size_t>((grid.counts[axis] + of_tile - 1) / of_tile);
  }
  g.tiles_x = static_cast<unsigned>((g.counts[0] + side - 1) / side);
  g.tiles_y = static_cast<unsigned>((g.counts[1] + side - 1) / side);
  const auto count = static_cast<unsigned>(terms.terms.size());
  const auto kernel = grid.axis_aligned() ? orbital_kernel<true> : orbital_kernel<false>;
  // Small orbitals in one launch: what all terms on all points of a slice would take is far below a second.
  const std::size_t first = (grid.axis_aligned() ? std::size_t{1} << 25 : std::size_t{1} << 19) / (count + 64);
  for_slices(tiles, first, stream, job, "orbital", [&](std::size_t begin, std::size_t n) {
    launch("orbital: tiles", stream, kernel, {static_cast<unsigned>(n)}, {threads}, g, term_list.data(), count,
           coefficients.data(), begin, amplitude.data);
  });
  stream.synchronize("orbital: tiles");
}

}  // namespace isolume
