// PQR files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// PQR (APBS documentation, "PQR molecular structure format"): PDB records with the charge (e) and the radius
/// (angstrom) in place of occupancy and B factor; fields separated by blanks, or in the columns of PDB where they
/// touch.
extern const Format pqr_format;

}  // namespace isolume
