// PairFunction: what a pair sum adds for a charge at a distance, zero from a cutoff on.
#pragma once

#include "compute/electrostatics/pairs/cutoff.h"

namespace isolume {

/// A function of r^2 in single precision, with its constants worked out; the bodies of cutoff and multilevel summation
/// share the loops over pairs and differ in this alone.
struct PairFunction {
  enum class Kind {
    plain,     ///< 1/r
    shifted,   ///< 1/r (1 - r^2/rc^2)^2
    switched,  ///< CHARMM's switch
    taylor,    ///< 1/r - sum_k coefficient[k] (r^2)^k: the short-range part of multilevel summation
  };
  Kind kind = Kind::plain;
  float cutoff2 = 0;          ///< rc^2, angstrom^2
  float inverse_cutoff2 = 0;  ///< 1/rc^2
  float switching2 = 0;       ///< rs^2
  float switch_scale = 0;     ///< 1/(rc^2 - rs^2)^3
  int order = 0;              ///< of the Taylor series: 2, 3 or 4
  float coefficient[5] = {};  ///< of (r^2)^k, 1/angstrom^(2k+1)
  bool sigmoidal = false;
  float bulk = 1;   ///< D
  float slope = 0;  ///< S

  double cutoff = 0;  ///< rc, angstrom
  double scale = 1;   ///< charges are multiplied by it: volts, and a constant permittivity
  bool refine = true;

  static PairFunction cutoff_sum(const CutoffOptions& options);
  static PairFunction msm_short_range(double a, int order, bool refine);
};

/// Coefficients b_k of gamma(rho) = sum_k b_k rho^(2k) for rho <= 1: the Taylor series of s^(-1/2) about s = 1 up to
/// (s - 1)^order, multiplied out (order 2: 15/8, -5/4, 3/8: eq. 4 of Hardy, Stone, Schulten 2009).
struct TaylorGamma {
  double b[5] = {};
  int order = 0;
  explicit TaylorGamma(int order_);
  /// gamma(rho) with s = rho^2.
  double operator()(double s) const;
};

}  // namespace isolume
