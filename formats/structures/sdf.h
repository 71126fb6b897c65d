// SDF and MOL files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// SDF and MOL (BIOVIA "CTfile Formats"): V2000 and V3000 atoms, bonds with orders, formal charges; partial charges
/// where a PubChem data item has them. Records with the atoms and bonds of the first one (conformers) are frames;
/// others are left out with a warning.
extern const Format sdf_format;

}  // namespace isolume
