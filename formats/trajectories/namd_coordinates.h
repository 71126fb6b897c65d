// Binary coordinates and velocities of NAMD.
#pragma once

#include <memory>

#include "formats/bytes/format.h"

namespace isolume {

/// NAMD's binary coordinates (NAMD User's Guide, "NAMD binary coordinate files"): the number of atoms as 32 bits, then
/// x, y and z of each as doubles, in angstrom; in either byte order, which the length of the file tells. One frame
/// without a cell, and no topology. Throws Error (input) with the byte of a number that is not finite.
extern const Format namd_coordinates_format;

/// The same with velocities, in NAMD's unit of 20.45482706 angstrom/ps. A content alone does not say which it is: only
/// files named .vel are taken for velocities. The frame has velocities and no positions: read_files() puts them on the
/// one frame of the structure that they are opened with.
extern const Format namd_velocities_format;

/// True for a trajectory that has velocities alone.
bool only_velocities(const Trajectory& trajectory);

}  // namespace isolume
