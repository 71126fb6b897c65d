// TRR trajectories of GROMACS.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// TRR (GROMACS reference manual, "File formats: trr"): big-endian frames in single or double precision with positions,
/// velocities and forces, each where the frame has them. Lengths become angstrom, velocities angstrom/ps, forces
/// kcal/(mol angstrom). Frames without positions are left out, with a warning. The result has a trajectory and no
/// topology. Damage is treated as in xtc.h.
extern const Format trr_format;

}  // namespace isolume
