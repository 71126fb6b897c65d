// The fields that follow from the density at one point, as the CPU and the CUDA bodies compute them.
#pragma once

#include <cmath>

#include "compute/base/host_device.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/symmetric_eigen_math.h"

namespace isolume {

/// What one point has of one spin, or of both.
struct PointDensity {
  double density = 0;
  double gradient[3] = {};
  double hessian[6] = {};  ///< xx, xy, xz, yy, yz, zz
  double tau = 0;
};

namespace density_math {

constexpr double pi = 3.14159265358979323846;

/// The sign of the middle eigenvalue, -1, 0 or 1, from those of the trace, the sum of the principal minors and the
/// determinant: all eigenvalues are of one sign, or the middle one is of that of the determinant's opposite.
ISOLUME_HOST_DEVICE inline int middle_sign(const double (&h)[6]) {
  const double xx = h[0], xy = h[1], xz = h[2], yy = h[3], yz = h[4], zz = h[5];
  const double trace = xx + yy + zz;
  const double minors = xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz;
  const double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  if (determinant > 0) return minors > 0 && trace > 0 ? 1 : -1;
  if (determinant < 0) return minors > 0 && trace < 0 ? -1 : 1;
  // One eigenvalue is 0: it is the middle one where the others differ in their signs.
  return minors > 0 ? (trace > 0 ? 1 : -1) : 0;
}

/// Below this density, bohr^-3, ELF and LOL are 0: D is what is left of two terms that cancel, and has no digits there.
ISOLUME_HOST_DEVICE inline double least_localised(bool spin) {
  return spin ? 0.5e-8 : 1e-8;
}

/// D0 of a density of paired electrons, or of one spin; 0 where there is too little of it.
ISOLUME_HOST_DEVICE inline double uniform(bool spin, double density) {
  const double factor = 0.3 * pow((spin ? 6 : 3) * pi * pi, 2.0 / 3);
  return density >= least_localised(spin) ? factor * pow(density, 5.0 / 3) : 0.0;
}

ISOLUME_HOST_DEVICE inline double squared_gradient(const PointDensity& of) {
  return of.gradient[0] * of.gradient[0] + of.gradient[1] * of.gradient[1] + of.gradient[2] * of.gradient[2];
}

/// D, the excess of kinetic energy over that of bosons.
ISOLUME_HOST_DEVICE inline double excess(const PointDensity& of) {
  return of.density > 0 ? of.tau - squared_gradient(of) / (8 * of.density) : 0.0;
}

ISOLUME_HOST_DEVICE inline double localisation(double excess, double uniform) {
  if (!(uniform > 0)) return 0;
  const double ratio = excess / uniform;
  return 1 / (1 + ratio * ratio);
}

ISOLUME_HOST_DEVICE inline double orbital_localisation(double uniform, double tau) {
  return uniform > 0 ? uniform / (uniform + tau) : 0.0;
}

ISOLUME_HOST_DEVICE inline double reduced_gradient(double length, double density) {
  return length / (2 * cbrt(3 * pi * pi) * density * cbrt(density));
}

/// The density overlap regions indicator: 0 where the density decays as one exponential, 1 where its gradient is 0.
/// With g = grad rho and H: grad k^2 = 2 (H g - g |g|^2 / rho) / rho^2, so that t = 4 |rho H g - g |g|^2|^2 / |g|^6.
ISOLUME_HOST_DEVICE inline double overlap_of_densities(const PointDensity& of) {
  if (of.density < least_localised(false)) return 0;
  const double(&h)[6] = of.hessian;
  const double(&g)[3] = of.gradient;
  const double squared = squared_gradient(of);
  const double bent[3] = {of.density * (h[0] * g[0] + h[1] * g[1] + h[2] * g[2]) - squared * g[0],
                          of.density * (h[1] * g[0] + h[3] * g[1] + h[4] * g[2]) - squared * g[1],
                          of.density * (h[2] * g[0] + h[4] * g[1] + h[5] * g[2]) - squared * g[2]};
  const double change = 4 * (bent[0] * bent[0] + bent[1] * bent[1] + bent[2] * bent[2]);
  const double decay = squared * squared * squared;
  return decay > 0 ? change / (change + decay) : 1.0;
}

/// One value: of gradient its length, of hessian its largest magnitude. `total` is the sum of both spins.
ISOLUME_HOST_DEVICE inline double value_of(DensityMeasure measure, const PointDensity& a, const PointDensity& b,
                                           const PointDensity& total) {
  switch (measure) {
    case DensityMeasure::electron:
      return total.density;
    case DensityMeasure::spin:
      return a.density - b.density;
    case DensityMeasure::alpha:
      return a.density;
    case DensityMeasure::beta:
      return b.density;
    case DensityMeasure::gradient:
      return sqrt(squared_gradient(total));
    case DensityMeasure::hessian: {
      double largest = 0;
      for (const double value : total.hessian) largest = fmax(largest, fabs(value));
      return largest;
    }
    case DensityMeasure::laplacian:
      return total.hessian[0] + total.hessian[3] + total.hessian[5];
    case DensityMeasure::lambda2:
      return middle_of(total.hessian);
    case DensityMeasure::tau:
      return total.tau;
    case DensityMeasure::tau_alpha:
      return a.tau;
    case DensityMeasure::tau_beta:
      return b.tau;
    case DensityMeasure::elf:
      return localisation(excess(total), uniform(false, total.density));
    case DensityMeasure::elf_alpha:
      return localisation(excess(a), uniform(true, a.density));
    case DensityMeasure::elf_beta:
      return localisation(excess(b), uniform(true, b.density));
    case DensityMeasure::elf_spin:
      return localisation(excess(a) + excess(b), uniform(true, a.density) + uniform(true, b.density));
    case DensityMeasure::lol:
      return orbital_localisation(uniform(false, total.density), total.tau);
    case DensityMeasure::lol_spin:
      return orbital_localisation(uniform(true, a.density) + uniform(true, b.density), total.tau);
    case DensityMeasure::rdg:
      return total.density > 0 ? reduced_gradient(sqrt(squared_gradient(total)), total.density) : HUGE_VAL;
    case DensityMeasure::sign_lambda2:
      return middle_sign(total.hessian) * total.density;
    case DensityMeasure::dori:
      return overlap_of_densities(total);
  }
  return 0;
}

}  // namespace density_math
}  // namespace isolume
