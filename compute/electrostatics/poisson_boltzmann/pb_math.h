// The ions' term of the Poisson-Boltzmann equation, for both kinds of device.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"

namespace isolume {

/// The ions as the equation needs them.
struct PbIons {
  static constexpr int most = 8;
  int count = 0;
  float charge[most] = {};
  float share[most] = {};  ///< c z / sum of c z^2
};

/// F(u) = -sum of c z exp(-z u) / sum of c z^2, which is u to first order, and its derivative. u in kT/e.
ISOLUME_HOST_DEVICE inline double pb_ion_term(const PbIons& ions, double u, double& slope) {
  double sum = 0;
  slope = 0;
  for (int i = 0; i < ions.count; ++i) {
    const double z = static_cast<double>(ions.charge[i]), share = static_cast<double>(ions.share[i]);
    const double power = -z * u;
    const double e = exp(power > 60 ? 60.0 : power);
    sum -= share * e;
    slope += share * z * e;
  }
  return sum;
}

}  // namespace isolume
