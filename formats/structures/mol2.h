// MOL2 files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Tripos MOL2 (Tripos Mol2 File Format, 2005): atoms with SYBYL or force-field types and partial charges, bonds with
/// orders, substructures as residues, CRYSIN as cell. Molecules with the atoms of the first one are frames; others are
/// left out with a warning.
extern const Format mol2_format;

}  // namespace isolume
