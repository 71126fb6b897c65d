// Normal modes in the outputs of ORCA, Psi4 and GAMESS.
#pragma once

#include "formats/bytes/byte_source.h"
#include "molecule/quantum/vibrations.h"

namespace isolume {

/// A Hessian file (.hess): $atoms, $vibrational_frequencies, $normal_modes, $ir_spectrum, $raman_spectrum. Translations
/// and rotations, whose frequencies are 0, are left out.
Vibrations vibrations_of_orca_hessian(const ByteSource& source);
/// An output of ORCA: VIBRATIONAL FREQUENCIES, NORMAL MODES, IR SPECTRUM, RAMAN SPECTRUM; the last of each.
Vibrations vibrations_of_orca(const ByteSource& source);
/// An output of Psi4: the last harmonic vibrational analysis.
Vibrations vibrations_of_psi4(const ByteSource& source);
/// A log of GAMESS: the last list of "FREQUENCIES IN CM**-1", without the modes that it takes as rotations and
/// translations. Intensities in debye^2 / (Da angstrom^2) become km/mol.
Vibrations vibrations_of_gamess(const ByteSource& source);

}  // namespace isolume
