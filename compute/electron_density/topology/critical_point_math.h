// Newton's step to a critical point, as the CPU and the CUDA bodies compute it.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"

namespace isolume {
namespace critical_math {

inline constexpr double longest_step = 0.25, last_step = 1e-10;  ///< bohr
inline constexpr int most_steps = 80;
inline constexpr double path_step = 0.1;  ///< bohr
inline constexpr double path_end = 0.04;  ///< bohr from a maximum
inline constexpr int most_path_steps = 2000;

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix xx, xy, xz, yy, yz, zz, by Jacobi's rotations.
ISOLUME_HOST_DEVICE inline void eigen_of(const double (&h)[6], double (&values)[3], double (&vectors)[3][3]) {
  double a[3][3] = {{h[0], h[1], h[2]}, {h[1], h[3], h[4]}, {h[2], h[4], h[5]}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) vectors[i][j] = i == j;
  }
  for (int sweep = 0; sweep < 12; ++sweep) {
    const double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
    const double size = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
    if (!(off > 1e-17 * size)) break;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        const int r = 3 - p - q;
        a[p][p] -= t * a[p][q];
        a[q][q] += t * a[p][q];
        a[p][q] = a[q][p] = 0;
        const double rp = a[r][p], rq = a[r][q];
        a[r][p] = a[p][r] = c * rp - s * rq;
        a[r][q] = a[q][r] = s * rp + c * rq;
        for (int k = 0; k < 3; ++k) {
          const double vp = vectors[k][p], vq = vectors[k][q];
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
    }
  }
  for (int i = 0; i < 3; ++i) values[i] = a[i][i];
}

/// The step to where a quadratic form has no gradient, at most longest_step; its length.
ISOLUME_HOST_DEVICE inline double newton_step(const double (&gradient)[3], const double (&hessian)[6],
                                              double (&step)[3]) {
  double values[3], vectors[3][3];
  eigen_of(hessian, values, vectors);
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
