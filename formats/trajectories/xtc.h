// XTC trajectories of GROMACS.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// XTC (GROMACS reference manual, "File formats: xtc"): big-endian headers with step, time and cell, and positions that
/// are compressed to a precision, or plain for nine atoms or fewer. Both magic numbers: 1995, and 2023 for more than
/// 298 261 617 atoms, whose size of the compressed bytes has 64 bits. Lengths become angstrom. The result has a
/// trajectory and no topology; headers are scanned when the file is opened, positions decoded by frame. Reading refuses
/// a damaged first frame; where a later header is damaged or cut, the frames before it are kept, with a warning.
extern const Format xtc_format;

}  // namespace isolume
