// Eigenvalues of a symmetric matrix of three rows, as the CPU and the CUDA bodies compute them.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"

namespace isolume {
namespace density_math {

/// Makes a symmetric matrix diagonal by Jacobi's rotations. Vectors, where there are any, turn with it. The closed form
/// would lose half of the digits where two eigenvalues are equal, as at symmetric places.
ISOLUME_HOST_DEVICE inline void rotate_to_diagonal(double (&a)[3][3], double (*vectors)[3]) {
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
        for (int k = 0; vectors && k < 3; ++k) {
          const double vp = vectors[k][p], vq = vectors[k][q];
          vectors[k][p] = c * vp - s * vq;
          vectors[k][q] = s * vp + c * vq;
        }
      }
    }
  }
}

/// Eigenvalues and eigenvectors (columns) of xx, xy, xz, yy, yz, zz.
ISOLUME_HOST_DEVICE inline void eigen_of(const double (&h)[6], double (&values)[3], double (&vectors)[3][3]) {
  double a[3][3] = {{h[0], h[1], h[2]}, {h[1], h[3], h[4]}, {h[2], h[4], h[5]}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) vectors[i][j] = i == j;
  }
  rotate_to_diagonal(a, vectors);
  for (int i = 0; i < 3; ++i) values[i] = a[i][i];
}

/// The middle eigenvalue.
ISOLUME_HOST_DEVICE inline double middle_of(const double (&h)[6]) {
  double a[3][3] = {{h[0], h[1], h[2]}, {h[1], h[3], h[4]}, {h[2], h[4], h[5]}};
  rotate_to_diagonal(a, nullptr);
  const double x = a[0][0], y = a[1][1], z = a[2][2];
  return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

}  // namespace density_math
}  // namespace isolume
