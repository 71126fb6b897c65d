// PDB files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// The PDB format, version 3.30 (wwPDB, "Atomic Coordinate Entry Format Description"), and what programs make of it:
/// hybrid-36 and hexadecimal serials, four-letter residue names, segment names, frames between END records.
/// Models with the atoms of the first one are frames; others are left out with a warning. All alternate locations are
/// kept.
extern const Format pdb_format;

/// PDBQT files of AutoDock: the same with partial charges and atom types, which tell the elements. The poses of a
/// docking are frames.
extern const Format pdbqt_format;

}  // namespace isolume
