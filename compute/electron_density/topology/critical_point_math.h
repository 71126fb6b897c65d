// Newton's step to a critical point, as the CPU and the CUDA bodies compute it.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electron_density/symmetric_eigen_math.h"

namespace isolume {
namespace critical_math {

inline constexpr double longest_step = 0.25, last_step = 1e-10;  ///< bohr
inline constexpr int most_steps = 80;
inline constexpr double path_step = 0.1;  ///< bohr
inline constexpr double path_end = 0.04;  ///< bohr from a maximum
inline constexpr int most_path_steps = 2000;

/// The step to where a quadratic form has no gradient, at most longest_step; its length.
ISOLUME_HOST_DEVICE inline double newton_step(const double (&gradient)[3], const double (&hessian)[6],
                                              double (&step)[3]) {
  double values[3], vectors[3][3];
  density_math::eigen_of(hessian, values, vectors);
  for (double& part : step) part = 0;
  for (int i = 0; i < 3; ++i) {
    const double along = vectors[0][i] * gradient[0] + vectors[1][i] * gradient[1] + vectors[2][i] * gradient[2];
    const double least = fmax(1e-12, 1e-3 * fabs(along));
    const double value = fabs(values[i]) < least ? copysign(least, values[i]) : values[i];
    for (int k = 0; k < 3; ++k) step[k] -= along / value * vectors[k][i];
  }
  double length = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
  if (length > longest_step) {
    for (double& part : step) part *= longest_step / length;
    length = longest_step;
  }
  return length;
}

}  // namespace critical_math
}  // namespace isolume
