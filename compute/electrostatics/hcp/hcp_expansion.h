// The potential of remote charges as a Taylor series of third order about the centre of a tile of atoms.
#pragma once

#include "compute/base/host_device.h"

namespace isolume {

/// A charge is remote from a tile of this radius where it is farther from its centre than the result: what the series
/// leaves out of its field falls with the third power of radius/distance. In the sigmoidal dielectric what is remote is
/// screened and what is near is not, but its slope has to be past, some lengths 1/S away; a constant one needs more
/// distance (docs/methods/hierarchical.md has the errors).
ISOLUME_HOST_DEVICE inline float hcp_remote(float radius, bool sigmoidal, float inverse_slope) {
  if (!sigmoidal) return 24 * radius;
  return 7 * radius > 6.6f * inverse_slope ? 7 * radius : 6.6f * inverse_slope;
}

/// V(x + u) = sum_j (u^2/2)^j / j! sum_l f_(l+j) (x . u)^l / l! with f_k = (1/r d/dr)^k V, since V depends on r^2/2
/// alone and (x + u)^2/2 = r^2/2 + x . u + u^2/2. Up to third order in u, summed over charges, that takes
///   f_0 | f_1 x y z | f_1 | f_2 x y z | f_2 xx yy zz xy xz yz | f_3 xxx yyy zzz xxy xxz xyy yyz xzz yzz xyz
/// in this order.
inline constexpr int hcp_terms = 24;

/// Adds a charge's terms; x, y, z from the charge to the centre.
ISOLUME_HOST_DEVICE inline void hcp_add_terms(float x, float y, float z, const float (&f)[4], float (&a)[hcp_terms]) {
  a[0] += f[0];
  a[1] += f[1] * x, a[2] += f[1] * y, a[3] += f[1] * z;
  a[4] += f[1];
  const float fx = f[2] * x, fy = f[2] * y, fz = f[2] * z;
  a[5] += fx, a[6] += fy, a[7] += fz;
  a[8] += fx * x, a[9] += fy * y, a[10] += fz * z, a[11] += fx * y, a[12] += fx * z, a[13] += fy * z;
  const float gx = f[3] * x, gy = f[3] * y, gz = f[3] * z;
  const float xx = gx * x, yy = gy * y, zz = gz * z;
  a[14] += xx * x, a[15] += yy * y, a[16] += zz * z;
  a[17] += xx * y, a[18] += xx * z, a[19] += yy * x, a[20] += yy * z, a[21] += zz * x, a[22] += zz * y;
  a[23] += gx * y * z;
}

/// What is at u: (E, V) added to `e` and `v`.
ISOLUME_HOST_DEVICE inline void hcp_evaluate(const float* a, float x, float y, float z, float (&e)[3], float& v) {
  // Of the terms of second and third order, their slope and what they add.
  const float w = 0.5f * (x * x + y * y + z * z);
  const float sx = a[8] * x + a[11] * y + a[12] * z;
  const float sy = a[11] * x + a[9] * y + a[13] * z;
  const float sz = a[12] * x + a[13] * y + a[10] * z;
  const float tx =
      0.5f * (x * (a[14] * x + 2 * (a[17] * y + a[18] * z)) + a[19] * y * y + z * (a[21] * z + 2 * a[23] * y));
  const float ty =
      0.5f * (y * (a[15] * y + 2 * (a[19] * x + a[20] * z)) + a[17] * x * x + z * (a[22] * z + 2 * a[23] * x));
  const float tz =
      0.5f * (z * (a[16] * z + 2 * (a[21] * x + a[22] * y)) + a[18] * x * x + y * (a[20] * y + 2 * a[23] * x));
  const float p = a[4] + a[5] * x + a[6] * y + a[7] * z;
  e[0] -= a[1] + sx + tx + w * a[5] + x * p;
  e[1] -= a[2] + sy + ty + w * a[6] + y * p;
  e[2] -= a[3] + sz + tz + w * a[7] + z * p;
  const float third = 1 / 3.0f;
  v += a[0] + x * (a[1] + 0.5f * sx + third * tx) + y * (a[2] + 0.5f * sy + third * ty) +
       z * (a[3] + 0.5f * sz + third * tz) + w * p;
}

}  // namespace isolume
