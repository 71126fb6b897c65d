// The habits of programs that write orbitals: which one makes the orbitals of a file orthonormal.
#pragma once

#include <string>
#include <vector>

#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// Permutes and scales to the convention of molecule/quantum/basis.h and checks C^T S C = 1 over the orbitals of each
/// spin (over a sample of them in large files). Where the file as it is misses by more than 1e-4, the known habits
/// of programs are tried and the one that fits is used and named in Orbitals::convention:
///
/// * Psi4 (Cartesian): all components of a shell share the norm of x^l. CFOUR: they share that of a component whose
///   powers are all 0 or 1. So C is multiplied by sqrt((2i-1)!!(2j-1)!!(2k-1)!!), for Psi4 over sqrt((2l-1)!!).
/// * ORCA (and xtb, old Psi4, Q-Chem without the signs): contraction coefficients contain the norms of the primitives,
///   and functions with |m| = 3, 4 (of f, g, h) have the opposite sign. Where the file names ORCA, this is tried first:
///   the signs do not show in the norms of a single atom.
/// * contractions that are not normalised, whose orbitals refer to them as they are.
/// * Psi4's checkpoints: Cartesian g functions and above in Molden's order.
/// * Turbomole: functions of d, f, g have the norm sqrt((2l-1)!!).
/// * spherical functions in a file that does not say so (h and i in Molden files by most programs).
///
/// Where the orbitals are complete and fit with the basis on the atoms in another order, it is taken so, with a warning
/// (orbital_atom_order.h). Where none fits for all orbitals but one does for the occupied ones, it is used,
/// with a warning. Where none fits at all, the file is taken as it is, with a warning that states the residual and
/// what can be told of the reason (orbital_diagnosis.h). Throws Error (input) with no path where the data
/// contradict themselves (function numbers out of range, a shell of norm 0).
Orbitals convert_orbitals(const FileOrbitals& file, std::vector<std::string>& warnings);

/// The same check for a file whose functions can be read in one way only (primitives): no habits are tried.
Orbitals convert_orbitals(const FileOrbitals& file, FunctionMap map, std::vector<std::string>& warnings);

}  // namespace isolume
