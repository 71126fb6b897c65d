// The charges of the nuclei that belong to a file's orbitals, less effective cores.
#pragma once

#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// One charge (e) for each centre of the orbitals: what the files state (formats/orbitals/nuclear_charges.h), else the
/// elements'. Throws Error (input) where the file has another number of atoms, and where the nuclei hold 9 e more than
/// the orbitals or more: then effective cores are missing.
std::vector<double> nuclear_charges_of(const Molecule& molecule, const Orbitals& orbitals);

}  // namespace isolume
