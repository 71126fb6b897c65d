// WFN and WFX files: orbitals over primitives.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// AIMPAC wave function (WFN) as Gaussian, GAMESS and others write it: atoms in bohr, primitives s to i, occupations,
/// energies; unoccupied orbitals where the file has them. Spins are guessed (formats/orbitals/primitives.h).
extern const Format wfn_format;

/// AIM extended wave function (https://aim.tkgristmill.com/wfxformat.html), the same with named sections and spins.
extern const Format wfx_format;

}  // namespace isolume
