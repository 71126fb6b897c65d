// Cubic B-splines of maps on CUDA: values and gradients at points, as MapSpline::at() has them.
#pragma once

#include <cmath>
#include <cstddef>

#include "compute/density_maps/map_spline.h"

namespace isolume {

/// The spline of a map, as MapSpline::at() has it.
struct Spline {
  const double* coefficients;
  double origin[3], to_indices[9];  ///< columns, as glm's
  int counts[3];

  /// Of a map whose coefficients are on the device.
  static Spline of(const MapSpline& map, const double* there) {
    Spline spline{};
    spline.coefficients = there;
    for (int axis = 0; axis < 3; ++axis) {
      spline.origin[axis] = map.grid().origin[axis];
      spline.counts[axis] = map.grid().counts[axis];
      for (int row = 0; row < 3; ++row) spline.to_indices[3 * axis + row] = map.to_indices()[axis][row];
    }
    return spline;
  }

  struct Weights {
    double value[4], slope[4];
    int index[4];
  };
  __device__ static Weights weights(double at, int count) {
    Weights w;
    int cell = static_cast<int>(floor(at));
    cell = max(0, min(cell, count - 2));
    const double t = at - cell, s = 1 - t;
    w.value[0] = s * s * s / 6;
    w.value[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    w.value[2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
    w.value[3] = t * t * t / 6;
    w.slope[0] = -s * s / 2;
    w.slope[1] = (-4 * t + 3 * t * t) / 2;
    w.slope[2] = (4 * s - 3 * s * s) / 2;
    w.slope[3] = t * t / 2;
    for (int n = 0; n < 4; ++n) {
      int i = cell - 1 + n;
      if (i < 0) i = -i;
      if (i > count - 1) i = 2 * (count - 1) - i;
      w.index[n] = i;
    }
    return w;
  }

  /// The value and the gradient at a point; false beyond the box.
  __device__ bool at(const double (&point)[3], double& value, double (&gradient)[3]) const {
    double u[3];
    constexpr double rounding = 1e-9;
    for (int row = 0; row < 3; ++row) {
      u[row] = 0;
      for (int column = 0; column < 3; ++column)
        u[row] += to_indices[3 * column + row] * (point[column] - origin[column]);
      if (!(u[row] >= -rounding && u[row] <= counts[row] - 1 + rounding)) return false;
    }
    const Weights x = weights(u[0], counts[0]), y = weights(u[1], counts[1]), z = weights(u[2], counts[2]);
    value = 0;
    double slope[3] = {};
    for (int k = 0; k < 4; ++k) {
      double layer = 0, layer_x = 0, layer_y = 0;
      for (int j = 0; j < 4; ++j) {
        const double* row =
            coefficients + static_cast<std::size_t>(counts[0]) *
                               (static_cast<std::size_t>(y.index[j]) +
                                static_cast<std::size_t>(counts[1]) * static_cast<std::size_t>(z.index[k]));
        double sum = 0, along = 0;
        for (int i = 0; i < 4; ++i) {
          const double c = row[x.index[i]];
          sum += x.value[i] * c;
          along += x.slope[i] * c;
        }
        layer += y.value[j] * sum;
        layer_x += y.value[j] * along;
        layer_y += y.slope[j] * sum;
      }
      value += z.value[k] * layer;
      slope[0] += z.value[k] * layer_x;
      slope[1] += z.value[k] * layer_y;
      slope[2] += z.slope[k] * layer;
    }
    for (int column = 0; column < 3; ++column) {
      gradient[column] = 0;
      for (int row = 0; row < 3; ++row) gradient[column] += to_indices[3 * column + row] * slope[row];
    }
    return true;
  }
};

}  // namespace isolume
