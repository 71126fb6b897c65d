// GAMESS-US logs: geometries, basis and printed orbitals.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Log of GAMESS (US), PC GAMESS and Firefly: the geometry of every step is a frame; orbitals printed as EIGENVECTORS
/// or MOLECULAR ORBITALS belong to the geometry before them. Cartesian shells s to i with symmetry-equivalent atoms
/// filled in; energies, symmetry labels, alpha and beta sets, occupations by the numbers of occupied orbitals. Throws
/// Error (input); orbitals without a printed basis are left out with a warning.
extern const Format gamess_format;

}  // namespace isolume
