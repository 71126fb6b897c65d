// How the density is interpolated on fine grids from its values, slopes and mixed derivatives at every second point:
// weights along an axis, and where points have to be computed.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electron_density/fine_grids/density_refinement_math.h"

namespace isolume {

/// What is interpolated at the points of a tile.
enum class MixedOutput {
  slopes,  ///< f, x, y, z
  mixed,   ///< f, y, z, yz, x, xy, xz, xyz
  second,  ///< f, x, y, z, xx, xy, xz, yy, yz, zz
};

ISOLUME_HOST_DEVICE constexpr int count_of(MixedOutput output) {
  return output == MixedOutput::slopes ? 4 : output == MixedOutput::mixed ? 8 : 10;
}

namespace mixed {

using refinement::cells;
using refinement::side;

inline constexpr int numbers = 8;     ///< of a coarse point: f, y, z, yz, x, xy, xz, xyz
inline constexpr int taps = 8;        ///< coarse points of which a value between two of them is made
inline constexpr int fewer_taps = 6;  ///< those of the value that it is compared with
inline constexpr int window = cells + taps - 1;
/// What the values from 8 and from 6 points may differ by, of the larger of a value and its scale. The error of those
/// from 8 is a tenth of it or less where it is so small.
inline constexpr double tolerance = 5e-7;

/// Hermite's weights along an axis, the points 1 apart: of the value and the slope of each of `taps` points, for the
/// value (0), first (1) and second (2) derivative.
struct Weights {
  double middle[taps - 1][3][taps][2];  ///< between points p and p + 1
  double fewer[taps - 1][3][taps][2];   ///< the same from fewer points around it
  double point[taps][taps][2];          ///< for the second derivative at point p
};

/// What a tile needs along one axis: weights of its points, coarse ones and middles in turn, with the density's decay
/// and the step in them.
struct Axis {
  int first;                        ///< of its window, in the coarse grid
  int start[cells];                 ///< of each cell's taps, in the window
  double all[3][side][taps][2];     ///< by order of derivative
  double fewer[3][cells][taps][2];  ///< of middles
};

/// A tile's window along an axis of `coarse` points: inside of the grid, around the tile where that can be.
ISOLUME_HOST_DEVICE inline int first_of(int tile, int coarse) {
  const int first = tile * cells - (taps / 2 - 1), last = coarse - window;
  return first < 0 ? 0 : first > last ? last : first;
}

/// Sets the weights of one place from those for points 1 apart: of f exp(-decay x) in place of f, and with the step.
ISOLUME_HOST_DEVICE inline void set_place(const double (&unit)[3][taps][2], double from_start, double decay,
                                          double step, double (*to)[taps][2], int stride) {
  for (int k = 0; k < taps; ++k) {
    const double back = exp(decay * (from_start - k));
    double of_value[3], of_slope[3];
    for (int d = 0; d < 3; ++d) {
      of_value[d] = unit[d][k][0] - decay * unit[d][k][1];
      of_slope[d] = unit[d][k][1];
    }
    double factor = back;
    for (int d = 0; d < 3; ++d, factor /= step) {
      const auto whole = [&](const double(&w)[3]) {
        return d == 0 ? w[0] : d == 1 ? w[1] + decay * w[0] : w[2] + decay * (2 * w[1] + decay * w[0]);
      };
      to[d * stride][k][0] = factor * whole(of_value);
      to[d * stride][k][1] = factor * step * whole(of_slope);
    }
  }
}

/// @param decay  of the density by coarse step, as refinement::decay() gives it
/// @param step   of the coarse grid, bohr; negative where the axis runs backwards
ISOLUME_HOST_DEVICE inline void set_cell(const Weights& weights, int tile, int coarse, int cell, double decay,
                                         double step, Axis& to) {
  const int at = tile * cells + cell;
  const int wanted = at - (taps / 2 - 1), last = coarse - taps;
  const int start = wanted < 0 ? 0 : wanted > last ? last : wanted;
  to.start[cell] = start - to.first;
  if (at > coarse - 2) {
    // Beyond the grid: any taps of the window.
    to.start[cell] = window - taps;
    for (int d = 0; d < 3; ++d) {
      for (int k = 0; k < taps; ++k) {
        for (int slope = 0; slope < 2; ++slope) {
          to.all[d][2 * cell][k][slope] = to.all[d][2 * cell + 1][k][slope] = 0;
          to.fewer[d][cell][k][slope] = 0;
        }
      }
    }
    return;
  }
  const int p = at - start;
  double point[3][taps][2] = {};
  point[0][p][0] = 1;
  point[1][p][1] = 1;
  for (int k = 0; k < taps; ++k) {
    for (int slope = 0; slope < 2; ++slope) point[2][k][slope] = weights.point[p][k][slope];
  }
  set_place(point, p, decay, step, &to.all[0][2 * cell], side);
  set_place(weights.middle[p], p + 0.5, decay, step, &to.all[0][2 * cell + 1], side);
  set_place(weights.fewer[p], p + 0.5, decay, step, &to.fewer[0][cell], cells);
}

/// What numbers of a coarse grid's point may differ by, of the larger of a value and its scale. Derivatives that are
/// made of them have their errors divided by the step, once or twice.
struct Tolerances {
  double value, slopes, second, third;
};

/// For a field of first or, where `second`, of second derivatives on grids that are finer than one of this step (bohr).
ISOLUME_HOST_DEVICE inline Tolerances tolerances_of(bool second, double step) {
  const double once = fmin(1.0, 0.5 * step) * tolerance;
  if (!second) return {once, tolerance, tolerance, tolerance};
  return {fmin(1.0, 0.5 * step) * once, once, tolerance, tolerance};
}

/// Whether the eight numbers of a coarse grid's point agree, of one or two sets that are `stride` apart; the scale is
/// that of refinement::agree().
ISOLUME_HOST_DEVICE inline bool numbers_agree(const double* sums, const double* others, int stride, int sets,
                                              double scale, const Tolerances& within) {
  for (int set = 0; set < sets; ++set, sums += stride, others += stride) {
    const double slopes[2][3] = {{sums[4], sums[1], sums[2]}, {others[4], others[1], others[2]}};
    const double second[2][3] = {{sums[3], sums[5], sums[6]}, {others[3], others[5], others[6]}};
    if (!refinement::sums_agree(sums, others, 1, scale, within.value) ||
        !refinement::sums_agree(slopes[0], slopes[1], 3, scale, within.slopes) ||
        !refinement::sums_agree(second[0], second[1], 3, scale, within.second) ||
        !refinement::sums_agree(sums + 7, others + 7, 1, scale, within.third))
      return false;
  }
  return true;
}

/// Where a number of an output goes: to its own place, or behind tau in the sums of a field.
ISOLUME_HOST_DEVICE constexpr int field_place(MixedOutput output, int number) {
  return output == MixedOutput::mixed || number < 4 ? number : number + 1;
}

/// Numbers of a field's sums, as refinement::field_of() takes them.
ISOLUME_HOST_DEVICE constexpr int field_numbers(MixedOutput output) {
  return output == MixedOutput::second ? refinement::most_numbers : 5;
}

/// Whether the numbers of a point, at their places, agree with those from fewer points.
ISOLUME_HOST_DEVICE inline bool values_agree(DensityMeasure measure, MixedOutput output, const double* sums,
                                             const double* others, int stride, int sets, double scale,
                                             const Tolerances& within) {
  if (output != MixedOutput::mixed)
    return refinement::agree(measure, sums, others, stride, sets, field_numbers(output), scale, tolerance);
  if (measure != DensityMeasure::rdg) return numbers_agree(sums, others, stride, sets, scale, within);
  // A quotient: by its value.
  double fields[2][2][5] = {};
  for (int set = 0; set < sets; ++set) {
    const double* const from[2] = {sums + set * stride, others + set * stride};
    for (int way = 0; way < 2; ++way) {
      fields[way][set][0] = from[way][0];
      fields[way][set][1] = from[way][4];
      fields[way][set][2] = from[way][1];
      fields[way][set][3] = from[way][2];
    }
  }
  return refinement::agree(measure, fields[0][0], fields[1][0], 5, sets, 5, scale, within.value);
}

}  // namespace mixed
}  // namespace isolume
