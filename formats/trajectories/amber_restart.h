// AMBER restart and coordinate files in text (rst7, inpcrd): one frame.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// A title, the number of atoms and the time, then positions in six columns of 12, velocities, and the cell
/// (https://ambermd.org/FileFormats.php, "COORD"). Velocities come in angstrom per 1/20.455 ps.
extern const Format amber_restart_format;

}  // namespace isolume
