// Checks the number of electrons in a file's orbitals.
#pragma once

#include <string>

#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// One sentence that says what does not fit and by how much, or nothing. The occupations must lie between 0 and 2 (1
/// where there are beta orbitals) and add up to a whole number, to the number of electrons that the file states, and
/// with the charge that it states to the charges of the nuclei, less their effective core potentials. A file that
/// states neither may be charged by up to 8, counting all electrons or those outside of noble gas cores (as
/// semi-empirical methods do); beyond, occupations are missing, or core potentials are not named.
/// Occupations may leave their range by 0.05, as those of perturbation theory do, and their sum be off by 0.02.
std::string wrong_electrons(const FileOrbitals& file);

}  // namespace isolume
