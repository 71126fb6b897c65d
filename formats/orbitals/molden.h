// Molden files: geometries, basis and orbitals.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Reads a Molden file (https://www.theochem.ru.nl/molden/molden_format.html): [Atoms], [GTO] with s, p, sp, d ... i
/// shells, [5D] [7F] [9G] [11H] [13I] and their combinations, [MO], [GEOMETRIES] XYZ. Coefficients that are missing are
/// zero; a file without [GTO] or [MO] has no orbitals. Several files one after another in one are frames with orbitals
/// each; the geometries of [GEOMETRIES] are frames, and the orbitals belong to the one that equals [Atoms].
/// Functions are permuted and normalised to molecule/quantum/basis.h; orbital_conventions.h says how that is checked.
/// Slater orbitals ([STO]) are refused. Throws Error (input) with the line.
extern const Format molden_format;

}  // namespace isolume
