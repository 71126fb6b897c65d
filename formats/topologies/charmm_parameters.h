// Parameter files of CHARMM: bonds, angles, torsions, correction maps and Lennard-Jones radii by types of atoms.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// CHARMM documentation "parmfile" and "rtop": parameter files (prm, par), streams (str) of both kinds, and of topology
/// files (rtf) the numbers of the types; their residues are passed over, because a PSF has what they make. Into
/// Molecule::charmm_parameters.
extern const Format charmm_parameters_format;

}  // namespace isolume
