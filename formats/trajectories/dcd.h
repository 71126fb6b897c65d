// DCD trajectories of CHARMM, NAMD, X-PLOR, LAMMPS, VMD and others.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Reads a DCD: Fortran records with 32- or 64-bit markers in either byte order, fixed atoms and a fourth dimension
/// (left out). The result has a trajectory and no topology. Times are (first step + frame * stride) * time step, in ps,
/// where the header has a time step.
///
/// The six numbers of the cell mean what their writer meant: CHARMM 25 and later (version > 24 in the header) write the
/// lower triangle of the symmetric shape matrix; NAMD, VMD and LAMMPS write A, cos gamma, B, cos beta, cos alpha, C;
/// X-PLOR, old CHARMM and MDAnalysis write angles in degrees in the same places.
///
/// Throws Error (input) where the header or the first frame is damaged, and for a velocity file (VELD); a file that is
/// cut later has the whole frames before the cut, with a warning.
extern const Format dcd_format;

}  // namespace isolume
