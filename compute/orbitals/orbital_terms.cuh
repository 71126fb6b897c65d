// How an orbital is prepared on CUDA: the largest value, how far each term reaches, and tables of its factors along the
// axes.
#pragma once

#include <cmath>

#include "compute/orbitals/orbital_math.h"
#include "compute/orbitals/orbital_tiles.cuh"

namespace isolume::orbital_kernels {

using orbital_tiles::Meta;
using orbital_tiles::Reach;
using orbital_tiles::Tiles;

/// A term that may be more than this part of max |psi| is added in double precision: single precision loses 4e-7 of a
/// term at most and mostly far less (8e-8 of max |psi| in all, measured), which stays below 1e-6 of max |psi| together.
constexpr double single_part = 1.0;

/// Value of a term at a distance from its centre.
__device__ inline double term_value(int degree, double exponent, const double* __restrict__ c, double x, double y,
                                    double z) {
  double value = 0;
  double power_y = 1;
  for (int j = 0; j <= degree; ++j, power_y *= y) {
    double power_yz = power_y;
    for (int k = 0; k <= degree - j; ++k, power_yz *= z) {
      double power_xyz = power_yz;
      for (int i = 0; i <= degree - j - k; ++i, power_xyz *= x) value = fma(*c++, power_xyz, value);
    }
  }
  return value * exp(-exponent * (x * x + y * y + z * z));
}

/// What the blocks of the preparation tell each other; all 0 at the start.
struct Progress {
  unsigned long long
      largest;       // bits of the largest |psi|; positive doubles are ordered like the integers of their bits
  unsigned ticket;   // blocks that have begun
  unsigned sampled;  // points that are done
};

constexpr int prepare_threads = 128;

/// |psi| at one point.
__device__ inline void sample(const Tiles& g, const double* __restrict__ p, Progress* progress) {
  __shared__ double sums[prepare_threads];
  double sum = 0;
  for (unsigned n = threadIdx.x; n < g.term_count; n += prepare_threads) {
    const Meta term = g.terms[n];
    const double* c = g.centres + 3 * term.centre;
    const double x = p[0] - c[0], y = p[1] - c[1], z = p[2] - c[2];
    if (g.exponents[n] * (x * x + y * y + z * z) > 80) continue;
    sum += term_value(static_cast<int>(term.degree), g.exponents[n], g.coefficients + term.first, x, y, z);
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = prepare_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    atomicMax(&progress->largest, static_cast<unsigned long long>(__double_as_longlong(fabs(sums[0]))));
    __threadfence();
    atomicAdd(&progress->sampled, 1u);
  }
}

/// The first blocks to begin find the largest |psi| of the points, the others wait for them; then one block a term says
/// how far the term counts and where it needs double precision, and makes its tables within that reach.
/// tolerance: as a part of max |psi|.
static __global__ void __launch_bounds__(prepare_threads)
    prepare_kernel(Tiles g, const double* __restrict__ points, unsigned point_count, MonomialBounds monomials,
                   double tolerance, float margin, Progress* progress, Reach* __restrict__ reach,
                   float* __restrict__ near, double* __restrict__ axes, float* __restrict__ single_axes) {
  __shared__ double shared_cutoff;
  __shared__ unsigned ticket;
  if (threadIdx.x == 0) ticket = atomicAdd(&progress->ticket, 1u);
  __syncthreads();
  if (ticket < point_count) return sample(g, points + 3 * ticket, progress);
  const unsigned n = ticket - point_count;
  const Meta term = g.terms[n];
  const double* c = g.centres + 3 * term.centre;
  const double exponent = g.exponents[n];
  if (threadIdx.x < 2) {
    double bounds[max_degree + 1];
    const int degree = static_cast<int>(term.degree);
    bounds_by_degree(monomials, g.coefficients + term.first, degree, bounds);
    while (*static_cast<volatile unsigned*>(&progress->sampled) < point_count) {
    }
    __threadfence();
    const double scale =
        __longlong_as_double(static_cast<long long>(*static_cast<volatile unsigned long long*>(&progress->largest)));
    double distance = cut_distance(bounds, degree, exponent, (threadIdx.x == 0 ? tolerance : single_part) * scale);
    if (threadIdx.x == 0) {
      if (g.all_terms) distance = fmax(distance, 0.0);
      shared_cutoff = distance;
      reach[n] = {static_cast<float>(c[0] - g.origin[0]), static_cast<float>(c[1] - g.origin[1]),
                  static_cast<float>(c[2] - g.origin[2]),
                  distance < 0 ? -1.0f : fminf(static_cast<float>(distance) * 1.000001f + margin, 1e18f)};
    } else {
      near[n] = distance < 0 ? -1.0f : fminf(static_cast<float>(distance), 1e18f);
    }
  }
  __syncthreads();
  const double cutoff = g.all_terms ? HUGE_VAL : shared_cutoff;
  if (!g.tables || cutoff < 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    const double edge = cutoff * 1.00001 + 2 * margin + orbital_tiles::side * fabs(g.step[axis]);
    const double start = g.origin[axis] - c[axis];
    const unsigned long long first = g.offset[axis] + static_cast<unsigned long long>(term.row) * g.stride[axis];
    for (int i = static_cast<int>(threadIdx.x); i < g.stride[axis]; i += prepare_threads) {
      const double d = start + i * g.step[axis];
      if (fabs(d) > edge) continue;
      double value = exp(-exponent * d * d);
      for (unsigned p = 0; p <= term.degree; ++p, value *= d) {
        const unsigned long long to = first + static_cast<unsigned long long>(p) * g.stride[axis] + i;
        axes[to] = value;
        single_axes[to] = static_cast<float>(value);
      }
    }
  }
}

}  // namespace isolume::orbital_kernels
