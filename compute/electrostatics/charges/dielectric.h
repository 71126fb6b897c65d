// Dielectric: by what the potential of a charge is divided, as a function of distance.
#pragma once

#include <cmath>

namespace isolume {

/// The relative permittivity between a charge and a point at distance r (angstrom).
///
/// * constant: eps(r) = D.
/// * sigmoidal: eps(r) = D - (D - 1)/2 [(rS)^2 + 2 rS + 2] exp(-rS): 1 at contact, D far away. Ramstein and Lavery,
///   Proc. Natl. Acad. Sci. USA 85, 7231 (1988), doi:10.1073/pnas.85.19.7231, with their D = 78, S = 0.16 / angstrom.
struct Dielectric {
  enum class Kind { constant, sigmoidal };
  Kind kind = Kind::constant;
  double bulk = 1.0;    ///< D, >= 1
  double slope = 0.16;  ///< S, 1/angstrom, > 0; sigmoidal only

  static Dielectric constant(double relative_permittivity) { return {Kind::constant, relative_permittivity, 0.16}; }
  static Dielectric sigmoidal(double bulk = 78.0, double slope = 0.16) { return {Kind::sigmoidal, bulk, slope}; }

  /// eps(r), r in angstrom.
  double operator()(double r) const {
    if (kind == Kind::constant) return bulk;
    const double x = r * slope;
    return bulk - 0.5 * (bulk - 1.0) * (x * x + 2.0 * x + 2.0) * std::exp(-x);
  }
  bool operator==(const Dielectric&) const = default;
};

}  // namespace isolume
