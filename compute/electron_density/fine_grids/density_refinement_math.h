// How a field of the density is interpolated from every second point of a grid, as the CPU and the CUDA bodies compute
// it: weights, the scaling by the density's decay, and when a tile has to be computed point by point.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electron_density/density_measure_math.h"

namespace isolume {
namespace refinement {

inline constexpr int taps = 12;        ///< coarse points of which a value between two of them is made
inline constexpr int fewer_taps = 10;  ///< those of the value that it is compared with
inline constexpr int cells = 4;        ///< of the coarse grid that a tile has along an axis
inline constexpr int side = 2 * cells;
inline constexpr int window = cells + taps - 1;  ///< coarse points that a tile needs along an axis
inline constexpr int part = 4;                   ///< points along an axis of what is computed or interpolated as one
inline constexpr int most_numbers = 11;          ///< density, gradient, tau, Hessian
inline constexpr double tolerance = 2e-7;        ///< of the larger of a value and its scale
inline constexpr double steepest = 4;            ///< decay of the density that is taken out, by coarse step

/// Lagrange's weights of the place halfway between points p and p + 1 of `taps`, and those of fewer points around it.
struct Weights {
  double all[taps - 1][taps];
  double fewer[taps - 1][taps];
};

/// What a tile needs along one axis.
struct Axis {
  int first;   ///< of its window, in the coarse grid
  int offset;  ///< of the tile's first coarse point in the window
  double all[cells][window];
  double fewer[cells][window];
};

/// A tile's window along an axis of `coarse` points: inside of the grid, in the tile's middle where that can be.
ISOLUME_HOST_DEVICE inline int first_of(int tile, int coarse) {
  const int first = tile * cells - (taps / 2 - 1), last = coarse - window;
  return first < 0 ? 0 : first > last ? last : first;
}

/// The weights in the window of the middle of a tile's cell; 0 where the cell is beyond the grid.
ISOLUME_HOST_DEVICE inline void set_cell(const Weights& weights, int tile, int coarse, int cell, double* all,
                                         double* fewer) {
  for (int k = 0; k < window; ++k) all[k] = fewer[k] = 0;
  const int at = tile * cells + cell;
  if (at > coarse - 2) return;
  const int wanted = at - (taps / 2 - 1), last = coarse - taps;
  const int start = wanted < 0 ? 0 : wanted > last ? last : wanted;
  const int to = start - first_of(tile, coarse);
  for (int k = 0; k < taps; ++k) {
    all[to + k] = weights.all[at - start][k];
    fewer[to + k] = weights.fewer[at - start][k];
  }
}

/// The density's decay by coarse step between two points that are two steps apart: what is interpolated is multiplied
/// by exp(-decay x), and divided by it afterwards. 0 where the density is not positive.
ISOLUME_HOST_DEVICE inline double decay(double before, double after) {
  if (!(before > 1e-200) || !(after > 1e-200)) return 0;
  return fmax(-steepest, fmin(steepest, 0.5 * log(after / before)));
}

/// The sums of one or two sets as those of the spins and of both; of one set the spins are halves.
ISOLUME_HOST_DEVICE inline PointDensity point_of(const double* sums, int numbers, double factor) {
  PointDensity of;
  of.density = factor * sums[0];
  if (numbers > 1) {
    for (int axis = 0; axis < 3; ++axis) of.gradient[axis] = factor * sums[1 + axis];
    of.tau = factor * sums[4];
  }
  if (numbers == most_numbers) {
    for (int k = 0; k < 6; ++k) of.hessian[k] = factor * sums[5 + k];
  }
  return of;
}

/// The field at a point; sums of sets are `stride` apart.
ISOLUME_HOST_DEVICE inline double field_of(DensityMeasure measure, const double* sums, int stride, int sets,
                                           int numbers) {
  const bool spins = sets == 2;
  const PointDensity a = point_of(sums, numbers, spins ? 1 : 0.5);
  const PointDensity b = spins ? point_of(sums + stride, numbers, 1) : a;
  PointDensity total;
  total.density = a.density + b.density;
  total.tau = a.tau + b.tau;
  for (int axis = 0; axis < 3; ++axis) total.gradient[axis] = a.gradient[axis] + b.gradient[axis];
  for (int k = 0; k < 6; ++k) total.hessian[k] = a.hessian[k] + b.hessian[k];
  return fmin(density_math::value_of(measure, a, b, total), 1e30);
}

/// Whether all of count sums agree to the tolerance of the larger of `scale` and the largest of them.
ISOLUME_HOST_DEVICE inline bool sums_agree(const double* sums, const double* others, int count, double scale,
                                           double within = tolerance) {
  double largest = scale, difference = 0;
  for (int k = 0; k < count; ++k) {
    largest = fmax(largest, fabs(sums[k]));
    // Also of numbers that are none.
    if (!(fabs(sums[k] - others[k]) <= difference)) difference = fabs(sums[k] - others[k]);
  }
  return difference <= within * largest;
}

/// Whether two ways to interpolate agree so well that the field of the better one is taken: quotients by their value,
/// other fields by the sums that they are made of. `scale` is that of the sums.
ISOLUME_HOST_DEVICE inline bool agree(DensityMeasure measure, const double* sums, const double* others, int stride,
                                      int sets, int numbers, double scale, double within = tolerance) {
  using M = DensityMeasure;
  switch (measure) {
    case M::elf:
    case M::elf_alpha:
    case M::elf_beta:
    case M::elf_spin:
    case M::lol:
    case M::lol_spin:
    case M::rdg:
    case M::dori: {
      const double value = field_of(measure, sums, stride, sets, numbers);
      const double other = field_of(measure, others, stride, sets, numbers);
      return fabs(value - other) <= within * fmax(1.0, fabs(value));
    }
    default:
      break;
  }
  for (int set = 0; set < sets; ++set, sums += stride, others += stride) {
    if (!sums_agree(sums, others, 1, scale, within)) return false;
    if (numbers > 1 &&
        (!sums_agree(sums + 1, others + 1, 3, scale, within) || !sums_agree(sums + 4, others + 4, 1, scale, within)))
      return false;
    if (numbers == most_numbers && !sums_agree(sums + 5, others + 5, 6, scale, within)) return false;
  }
  return true;
}

}  // namespace refinement
}  // namespace isolume
