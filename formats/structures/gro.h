// GRO files of GROMACS.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// GRO (GROMACS reference manual, "File formats: gro"): title with time, count, fixed columns whose width follows from
/// the distance between decimal points, optional velocities, box of three or nine numbers that may touch. Lengths are
/// in nm in the file and in angstrom here. Several frames one after another are a trajectory.
extern const Format gro_format;

}  // namespace isolume
