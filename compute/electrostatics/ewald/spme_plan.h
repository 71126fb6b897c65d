// SpmeTables: what the bodies of SPME need apart from the options.
#pragma once

#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/ewald/spme_math.h"

namespace isolume {

struct SpmeTables {
  SpmeTables(const SpmeOptions& options, const Cell& cell);
  std::vector<double> moduli[3];
  SpmeInfluence influence;  ///< points into `moduli`
  glm::dmat3 inverse{1.0};  ///< fractions = inverse * position
  SpmeTables(const SpmeTables&) = delete;
  SpmeTables& operator=(const SpmeTables&) = delete;

  /// Cartesian gradient by mesh coordinates: d u_a / d r_c at [3 a + c].
  void gradient(const SpmeOptions& options, double (&g)[9]) const;
};

}  // namespace isolume
