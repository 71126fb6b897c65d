// The charges of the nuclei that belong to a file's orbitals, less effective cores.
#pragma once

#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// One charge (e) for each centre of the orbitals: what the file states, else the elements'. Throws Error (input) where
/// the molecule has another number of atoms.
std::vector<double> charges_of_nuclei(const Molecule& molecule, const Orbitals& orbitals);

/// Throws Error (input) where the nuclei hold 9 e more than the orbitals or more: then effective cores are missing.
/// `advice` says how to name them.
void check_cores(const std::vector<double>& charges, const Orbitals& orbitals, const std::string& advice);

/// Both, where cores cannot be named.
std::vector<double> nuclear_charges_of(const Molecule& molecule, const Orbitals& orbitals);

}  // namespace isolume
