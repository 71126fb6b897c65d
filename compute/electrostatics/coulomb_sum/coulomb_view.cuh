// How kernels read the lattices of a Coulomb sum: a warp for one or a few points near each other.
#pragma once

#include <cstdint>

#include "compute/electrostatics/coulomb_sum/coulomb_lattice.h"
#include "compute/electrostatics/pairs/near_sum_cuda.h"

namespace isolume {

/// Everything on the device; lengths in angstrom, places in the frame of the lattices, whose origin is `origin`.
struct CoulombView {
  double origin[3];
  // The charges, sorted into cells, x fastest.
  const FixedCharge* charges;
  const std::uint32_t* first;
  double per_angstrom, lower[3], inverse_side, side;
  int cells[3];
  float cutoff, coefficient[5];
  // The finest lattice.
  const float* values;
  const float* taps;  ///< CoulombTaps
  double node_zero[3], inverse_spacing;
  int counts[3], padded[3];
  float unit;
};

/// Lattices on a device, for kernels of others.
class CoulombLatticeCuda : public CoulombLattice {
 public:
  using CoulombLattice::CoulombLattice;
  /// All work that it needs is done.
  virtual CoulombView view() const = 0;
};

namespace coulomb_cuda {

constexpr int taps = CoulombLatticePlan::taps;
constexpr unsigned all_lanes = 0xffffffffu;

/// Cells along an axis, from that of `low` to that of `high`.
__device__ __forceinline__ void cells_of(const CoulombView& v, int axis, double low, double high, int& first,
                                         int& last) {
  first = min(max(__double2int_rd((low - v.lower[axis]) * v.inverse_side), 0), v.cells[axis] - 1);
  last = min(max(__double2int_rd((high - v.lower[axis]) * v.inverse_side), 0), v.cells[axis] - 1);
}

/// Adds the short-ranged sums of `each` points to a lane's part of them: x, y and z are of the gradient, where `slopes`
/// are wanted, w the potential.
template <int each, bool slopes>
__device__ __forceinline__ void near_of_warp(const CoulombView& v, const double (&points)[each][3],
                                             float4 (&sums)[each]) {
  const unsigned lane = threadIdx.x % 32;
  const float reach = v.cutoff, reach2 = reach * reach, scale = static_cast<float>(1 / v.per_angstrom);
  int fixed[each][3], from[3], to[3];
  for (int axis = 0; axis < 3; ++axis) {
    double low = points[0][axis], high = points[0][axis];
    for (int e = 0; e < each; ++e) {
      fixed[e][axis] = __double2int_rn(points[e][axis] * v.per_angstrom);
      low = fmin(low, points[e][axis]);
      high = fmax(high, points[e][axis]);
    }
    cells_of(v, axis, low - static_cast<double>(reach), high + static_cast<double>(reach), from[axis], to[axis]);
  }
  const int wide = to[1] - from[1] + 1, rows = wide * (to[2] - from[2] + 1);
  for (int some = 0; some < rows; some += 32) {
    // Each lane finds the charges of the cells of one row that the balls about the points meet.
    std::uint32_t begin = 0, end = 0;
    const int own = some + static_cast<int>(lane);
    if (own < rows) {
      const int j = from[1] + own % wide, k = from[2] + own / wide;
      double low = 1e300, high = -1e300;
      for (int e = 0; e < each; ++e) {
        const double below_y = v.lower[1] + j * v.side - points[e][1], below_z = v.lower[2] + k * v.side - points[e][2];
        const double y = fmax(fmax(below_y, -below_y - v.side), 0.0), z = fmax(fmax(below_z, -below_z - v.side), 0.0);
        const double rest = static_cast<double>(reach2) - y * y - z * z;
        if (rest < 0) continue;
        const double half = static_cast<double>(sqrtf(static_cast<float>(rest))) + 1e-4;
        low = fmin(low, points[e][0] - half);
        high = fmax(high, points[e][0] + half);
      }
      if (low <= high) {
        int first, last;
        cells_of(v, 0, low, high, first, last);
        const std::size_t row =
            (static_cast<std::size_t>(k) * static_cast<std::size_t>(v.cells[1]) + static_cast<std::size_t>(j)) *
            static_cast<std::size_t>(v.cells[0]);
        begin = v.first[row + static_cast<std::size_t>(first)];
        end = v.first[row + static_cast<std::size_t>(last) + 1];
      }
    }
    const int here = min(32, rows - some);
    for (int i = 0; i < here; ++i) {
      const std::uint32_t stop = __shfl_sync(all_lanes, end, i);
      for (std::uint32_t n = __shfl_sync(all_lanes, begin, i) + lane; n < stop; n += 32) {
        const FixedCharge c = v.charges[n];
#pragma unroll
        for (int e = 0; e < each; ++e) {
          const float x = scale * static_cast<float>(fixed[e][0] - c.x),
                      y = scale * static_cast<float>(fixed[e][1] - c.y),
                      z = scale * static_cast<float>(fixed[e][2] - c.z);
          const float s = x * x + y * y + z * z;
          if (!(s < reach2)) continue;
          const float inverse = s > 1e-8f ? rsqrtf(s) : 0.0f;
          const float* const k_of = v.coefficient;
          const float smooth = (((k_of[4] * s + k_of[3]) * s + k_of[2]) * s + k_of[1]) * s + k_of[0];
          sums[e].w += c.charge * (inverse - smooth);
          if constexpr (slopes) {
            const float change = ((4 * k_of[4] * s + 3 * k_of[3]) * s + 2 * k_of[2]) * s + k_of[1];
            const float slope = c.charge * (inverse * inverse * inverse + 2 * change);
            sums[e].x -= slope * x;
            sums[e].y -= slope * y;
            sums[e].z -= slope * z;
          }
        }
      }
    }
  }
}

/// Adds a lane's part of what the lattice interpolates at a point.
template <bool slopes>
__device__ __forceinline__ void smooth_of_warp(const CoulombView& v, const double (&point)[3], float4& sum) {
  const unsigned lane = threadIdx.x % 32;
  int low[3];
  float part[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double u = (point[axis] - v.node_zero[axis]) * v.inverse_spacing;
    const double base = floor(u);
    low[axis] = min(max(static_cast<int>(base) - CoulombLatticePlan::below, 0), v.counts[axis] - taps);
    part[axis] = static_cast<float>(u - base);
  }
  // Lanes 6 axis + tap have the weight of a tap along an axis, and its derivative.
  const unsigned axis = lane / taps, tap = lane % taps;
  const float t = axis == 0 ? part[0] : axis == 1 ? part[1] : part[2];
  float weight = 0, slope = 0;
#pragma unroll
  for (int power = taps - 1; power >= 0; --power) {
    slope = slope * t + weight;
    weight = weight * t + v.taps[tap * taps + static_cast<unsigned>(power)];
  }
  const float step = static_cast<float>(v.inverse_spacing);
  for (unsigned first = 0; first < taps * taps; first += 32) {
    const unsigned pair = first + lane;
    const bool used = pair < taps * taps;
    const unsigned b = pair % taps, c = used ? pair / taps : 0;
    const float wy = __shfl_sync(all_lanes, weight, static_cast<int>(taps + b)),
                sy = slopes ? __shfl_sync(all_lanes, slope, static_cast<int>(taps + b)) : 0.0f,
                wz = __shfl_sync(all_lanes, weight, static_cast<int>(2 * taps + c)),
                sz = slopes ? __shfl_sync(all_lanes, slope, static_cast<int>(2 * taps + c)) : 0.0f;
    const float* const row =
        v.values +
        (static_cast<std::size_t>(low[2] + static_cast<int>(c)) * static_cast<std::size_t>(v.padded[1]) +
         static_cast<std::size_t>(low[1] + static_cast<int>(b))) *
            static_cast<std::size_t>(v.padded[0]) +
        static_cast<std::size_t>(low[0]);
    float value = 0, change = 0;
#pragma unroll
    for (int a = 0; a < taps; ++a) {
      const float wx = __shfl_sync(all_lanes, weight, a), sx = slopes ? __shfl_sync(all_lanes, slope, a) : 0.0f;
      const float node = row[a];
      value += wx * node;
      change += sx * node;
    }
    if (!used) continue;
    sum.w += v.unit * wy * wz * value;
    if constexpr (slopes) {
      sum.x += v.unit * step * wy * wz * change;
      sum.y += v.unit * step * sy * wz * value;
      sum.z += v.unit * step * wy * sz * value;
    }
  }
}

}  // namespace coulomb_cuda

/// The gradients (x, y, z; e/angstrom^2), where `slopes` are wanted, and potentials (w; e/angstrom) at `each` places of
/// space, by a whole warp, all of whose lanes come here and get them.
template <int each, bool slopes = true>
__device__ __forceinline__ void coulomb_of_warp(const CoulombView& v, const double (&places)[each][3],
                                                float4 (&sums)[each]) {
  double points[each][3];
  for (int e = 0; e < each; ++e) {
    for (int axis = 0; axis < 3; ++axis) points[e][axis] = places[e][axis] - v.origin[axis];
    sums[e] = make_float4(0, 0, 0, 0);
  }
  coulomb_cuda::near_of_warp<each, slopes>(v, points, sums);
#pragma unroll
  for (int e = 0; e < each; ++e) {
    coulomb_cuda::smooth_of_warp<slopes>(v, points[e], sums[e]);
    for (int step = 16; step > 0; step /= 2) {
      if constexpr (slopes) {
        sums[e].x += __shfl_xor_sync(coulomb_cuda::all_lanes, sums[e].x, step);
        sums[e].y += __shfl_xor_sync(coulomb_cuda::all_lanes, sums[e].y, step);
        sums[e].z += __shfl_xor_sync(coulomb_cuda::all_lanes, sums[e].z, step);
      }
      sums[e].w += __shfl_xor_sync(coulomb_cuda::all_lanes, sums[e].w, step);
    }
  }
}

}  // namespace isolume
