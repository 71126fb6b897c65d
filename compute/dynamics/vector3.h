// Vector3: three numbers with the few operations that the kernels of dynamics need, and the images of a cell.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"

namespace isolume {

struct Vector3 {
  double x = 0, y = 0, z = 0;
};

ISOLUME_HOST_DEVICE inline Vector3 operator+(Vector3 a, Vector3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
ISOLUME_HOST_DEVICE inline Vector3 operator-(Vector3 a, Vector3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
ISOLUME_HOST_DEVICE inline Vector3 operator*(double s, Vector3 a) {
  return {s * a.x, s * a.y, s * a.z};
}
ISOLUME_HOST_DEVICE inline double dot(Vector3 a, Vector3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
ISOLUME_HOST_DEVICE inline Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// The cell as the kernels of dynamics read it: columns of its matrix and of the inverse; nothing where not periodic.
struct ImageBox {
  double vectors[9] = {};
  double inverse[9] = {};
  bool periodic = false;

  /// The image nearest in fractions of the cell: the nearest of all up to half of the least width.
  ISOLUME_HOST_DEVICE Vector3 nearest(Vector3 d) const {
    if (!periodic) return d;
    const double* v = inverse;
    const double a = -rint(v[0] * d.x + v[3] * d.y + v[6] * d.z);
    const double b = -rint(v[1] * d.x + v[4] * d.y + v[7] * d.z);
    const double c = -rint(v[2] * d.x + v[5] * d.y + v[8] * d.z);
    const double* u = vectors;
    return {d.x + a * u[0] + b * u[3] + c * u[6], d.y + a * u[1] + b * u[4] + c * u[7],
            d.z + a * u[2] + b * u[5] + c * u[8]};
  }
};

}  // namespace isolume
