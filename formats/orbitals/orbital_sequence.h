// Frames with orbitals that follow one another: one basis for all.
#pragma once

#include <string>

#include "molecule/molecule.h"

namespace isolume {

/// How the second basis differs from the first, as it follows "has another basis than frame 0: "; empty where they are
/// the same up to the contraction coefficients.
std::string basis_difference(const Basis& first, const Basis& other);

/// The basis of the first frame that has orbitals; null where none has.
std::shared_ptr<const Basis> first_basis(const Molecule& molecule);

/// Throws Error::in_file that names the first frame whose basis differs from that of the frames before.
void check_one_basis(const Molecule& molecule, const std::string& path);

}  // namespace isolume
