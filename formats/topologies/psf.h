// PSF files of CHARMM, X-PLOR and NAMD.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Protein structure files (CHARMM documentation "struct", NAMD User's Guide): atoms with segment, residue, type,
/// charge and mass, all bonds, and the terms that parameters are looked up for (Molecule::charmm_terms); in the
/// standard, EXT and NAMD column widths. There are no coordinates.
extern const Format psf_format;

}  // namespace isolume
