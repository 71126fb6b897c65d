// Messages about orbitals that are not orthonormal over the basis of their file.
#pragma once

#include <string>

#include "molecule/quantum/orbitals.h"

namespace isolume {

/// The residual from which on orbitals are doubted, and from which on they are not those of the file's molecule.
inline constexpr double doubted_residual = 1e-4, refused_residual = 0.1;

/// Orbitals::norm_residual, or where it is above doubted_residual and only `occupied` ones count, that of the orbitals
/// with more than half an electron (by their overlap, which takes as long as the check of the file did).
double counted_residual(const Orbitals& orbitals, bool occupied);

/// One sentence where a residual (of the `occupied` ones alone) is above doubted_residual, else nothing.
std::string orbital_doubt(double residual, bool occupied = false);

}  // namespace isolume
