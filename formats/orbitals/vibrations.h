// Normal modes of Molden files and Gaussian logs.
#pragma once

#include <string>

#include "molecule/quantum/vibrations.h"

namespace isolume {

/// The normal modes of a file: [FREQ], [INT], [FR-COORD] and [FR-NORM-COORD] of Molden
/// (https://www.theochem.ru.nl/molden/molden_format.html); of a Gaussian log the last complete list of "Frequencies --"
/// with "IR Inten", "Raman Activ" and the displacements, of few digits or many (HPModes).
/// Throws Error (input) where there are none, or where they do not fit together.
Vibrations read_vibrations(const std::string& path);

}  // namespace isolume
