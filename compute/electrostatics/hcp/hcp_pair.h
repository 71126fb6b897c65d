// One pair of charges in a dielectric, as the corrections for excluded pairs evaluate it.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electrostatics/charges/dielectric.h"

namespace isolume {

/// 1/(eps r) and -1/r of its derivative; a dielectric as plain numbers.
struct DielectricPair {
  double bulk, half, slope;  ///< D, (D - 1)/2, S; half = 0 for a constant one

  explicit DielectricPair(const Dielectric& dielectric)
      : bulk(dielectric.bulk),
        half(dielectric.kind == Dielectric::Kind::sigmoidal ? 0.5 * (dielectric.bulk - 1) : 0),
        slope(dielectric.slope) {}

  ISOLUME_HOST_DEVICE double value(double r, double* along) const {
    const double x = r * slope;
    const double fall = half == 0 ? 0 : half * exp(-x);
    const double eps = bulk - (x * x + 2 * x + 2) * fall;
    *along = (1 / (eps * r * r) + slope * x * x * fall / (eps * eps * r)) / r;
    return 1 / (eps * r);
  }
};

}  // namespace isolume
