// Normal modes of Molden files, Gaussian logs, and the outputs of ORCA, Psi4 and GAMESS.
#pragma once

#include <string>

#include "molecule/quantum/vibrations.h"

namespace isolume {

/// The normal modes of a file: [FREQ], [INT], [FR-COORD] and [FR-NORM-COORD] of Molden
/// (https://www.theochem.ru.nl/molden/molden_format.html); of a Gaussian log the last complete list of "Frequencies --"
/// with "IR Inten", "Raman Activ" and the displacements, of few digits or many (HPModes); of ORCA, Psi4 and GAMESS as
/// in vibrations_readers.h. The program is known by what it writes. Throws Error (input) where there are none, or where
/// they do not fit together.
Vibrations read_vibrations(const std::string& path);

/// Whether files of a format (Molecule::format) are ones that read_vibrations() knows.
bool may_have_modes(const std::string& format);

}  // namespace isolume
