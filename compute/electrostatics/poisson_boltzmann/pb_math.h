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
  float volume = 0;        ///< of an ion of a size, a^3 times sum of c z^2; 0: points
};

/// S(u) = sum of c (exp(-z u) - 1) / sum of c z^2.
ISOLUME_HOST_DEVICE inline double pb_ion_excess(const PbIons& ions, double u) {
  double sum = 0;
  for (int i = 0; i < ions.count; ++i) {
    const double z = static_cast<double>(ions.charge[i]), power = -z * u;
    sum += static_cast<double>(ions.share[i]) / z * expm1(power > 60 ? 60.0 : power);
  }
  return sum;
}

/// What the ions' osmotic pressure is, less that of the solution, in kT sum of c z^2: S, or log(1 + v S) / v of ions
/// of a size. Its derivative is F.
ISOLUME_HOST_DEVICE inline double pb_osmotic(const PbIons& ions, double u) {
  const double excess = pb_ion_excess(ions, u), v = static_cast<double>(ions.volume);
  return v > 0 ? log1p(v * excess) / v : excess;
}

/// F(u) = -sum of c z exp(-z u) / sum of c z^2, which is u to first order, and its derivative. u in kT/e. Of ions of a
/// size over 1 + v S (Borukhov, Andelman, Orland, Phys. Rev. Lett. 79, 435 (1997)).
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
  if (ions.volume > 0) {
    const double v = static_cast<double>(ions.volume), full = 1 + v * pb_ion_excess(ions, u);
    sum /= full;
    slope = slope / full - v * sum * sum;
  }
  return sum;
}

}  // namespace isolume
