// Coordinate files of CHARMM ("card" format).
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// CRD files (CHARMM documentation, "io": Coordinates): title lines that begin with '*', the number of atoms (with EXT
/// for wide columns), and a line for each atom with number, residue counted from 1, residue name, atom name, position
/// in angstrom, segment, residue number, and a weight that is left out. There are no charges: those come with a PSF.
///     normal    (I5, I5, 1X, A4, 1X, A4, 3F10.5, 1X, A4, 1X, A4, F10.5)
///     extended  (I10, I10, 2X, A8, 2X, A8, 3F20.10, 2X, A8, 2X, A8, F20.10)
extern const Format charmm_crd_format;

}  // namespace isolume
