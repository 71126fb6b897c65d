// AMBER topology files (PRMTOP, parm7): atoms, charges, masses, residues, bonds and the force field; no coordinates.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// The format with sections since AMBER 7 (https://ambermd.org/FileFormats.php, "PARM"), also as CHAMBER writes it for
/// CHARMM's force fields. Charges are divided by 18.2223. The force field is in Molecule::force_field. Coordinates come
/// from a restart file or a trajectory that is opened with it.
extern const Format prmtop_format;

}  // namespace isolume
