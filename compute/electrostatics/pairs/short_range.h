// ShortRange: 1/r less a smooth function, as the sums over pairs evaluate it.
#pragma once

#include <cmath>
#include <cstddef>

#include "compute/base/host_device.h"

namespace isolume {

/// The smooth function that is taken off 1/r, exactly; in angstrom.
struct SmoothKernel {
  enum class Kind {
    none,    ///< 0
    erf,     ///< erf(alpha r)/r
    taylor,  ///< gamma(r/a)/a of multilevel summation: a polynomial in (r/a)^2 within a, 1/r beyond
  };
  Kind kind = Kind::none;
  double alpha = 0;  ///< 1/angstrom
  double a = 0;      ///< angstrom
  double b[5] = {};  ///< of (r/a)^(2k)

  static SmoothKernel none() { return {}; }
  static SmoothKernel of_ewald(double alpha);
  static SmoothKernel of_msm(double a, int smoothing);

  /// The value at r (1/angstrom) and, in `slope`, -1/r times its derivative (1/angstrom^3); both finite at r = 0.
  template <class Real>
  ISOLUME_HOST_DEVICE Real value(Real r, Real* slope) const {
    if (kind == Kind::none) {
      *slope = 0;
      return 0;
    }
    const Real r2 = r * r;
    if (kind == Kind::erf) {
      const Real al = static_cast<Real>(alpha);
      const Real x2 = al * al * r2;
      const Real top = al * static_cast<Real>(1.1283791670955126);  // 2/sqrt(pi)
      if (x2 < static_cast<Real>(0.25)) {
        // erf(x)/x = 2/sqrt(pi) sum_k (-x^2)^k / (k! (2k + 1))
        Real term = 1;
        Real sum = 0;
        Real derivative = 0;  // of the sum by x^2
        for (int k = 0; k < 10; ++k) {
          sum += term / static_cast<Real>(2 * k + 1);
          derivative -= term / static_cast<Real>(2 * k + 3);
          term *= -x2 / static_cast<Real>(k + 1);
        }
        *slope = -2 * derivative * top * al * al;
        return top * sum;
      }
      const Real e = std::erf(al * r) / r;
      *slope = (e - top * std::exp(-x2)) / r2;
      return e;
    }
    const Real inverse = static_cast<Real>(1 / a);
    const Real s = r2 * inverse * inverse;
    if (s >= 1) {
      *slope = 1 / (r * r2);
      return 1 / r;
    }
    Real sum = 0;
    Real derivative = 0;
    for (int k = 4; k >= 0; --k) {
      derivative = derivative * s + sum;
      sum = sum * s + static_cast<Real>(b[k]);
    }
    *slope = -2 * derivative * inverse * inverse * inverse;
    return sum * inverse;
  }
};

/// What a pair within the cutoff adds, in single precision: energy 1/r - E(t), force / distance 1/r^3 - F(t), with
/// polynomials in t = r^2 scale + offset, which runs from -1 to 1 over 0 <= r <= cutoff. F is the exact derivative of
/// E.
struct ShortRange {
  static constexpr int most = 40;
  float cutoff2 = 3.0e38f;  ///< angstrom^2; without one, every pair counts
  float scale = 0;
  float offset = 0;
  int terms = 0;  ///< coefficients of E (of F one fewer); 0: plain 1/r
  float energy[most] = {};
  float force[most] = {};
  double cutoff = 0;
  double error = 0;  ///< largest error of E, as evaluated in single precision, over E(0)

  static ShortRange plain() { return {}; }
  /// By Chebyshev's series, of as many terms as single precision resolves. Throws Error where `most` are too few.
  static ShortRange fit(const SmoothKernel& smooth, double cutoff);
};

}  // namespace isolume
