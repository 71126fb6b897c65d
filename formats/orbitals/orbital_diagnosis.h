// Why orbitals are not orthonormal over the basis of their file.
#pragma once

#include <string>
#include <vector>

#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// One sentence, or nothing where nothing can be told.
///
/// As many orbitals as functions determine the overlap over which they are orthonormal (`implied`, of
/// orbital_atom_order.h). Where it is the overlap of the file's basis between functions of one atom and differs
/// between atoms, order and normalisation of the functions are right and the atoms were elsewhere when the orbitals
/// were computed (programs write the last geometry of a numerical gradient or of an optimisation step). `overlap` is
/// that of the map's basis.
std::string why_not_orthonormal(const FunctionMap& map, const std::vector<double>& overlap,
                                const std::vector<double>& implied);

}  // namespace isolume
