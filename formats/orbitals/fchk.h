// Gaussian formatted checkpoint files: geometries, basis and orbitals.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Gaussian formatted checkpoint as Gaussian and Q-Chem write it (https://gaussian.com/interfacing/): shells s, p, sp
/// and Cartesian or pure d to i, alpha and beta orbitals, optimisation, scan and IRC geometries as frames, Mulliken
/// charges. Q-Chem repeats coordinates and orbitals for each step: these are frames with orbitals each. Occupations
/// come from the numbers of electrons. Throws Error (input); orbitals that are cut at the end of the file are left out
/// with a warning.
extern const Format fchk_format;

}  // namespace isolume
