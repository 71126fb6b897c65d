// Gaussian cube files.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Reads a cube (https://gaussian.com/cubegen): two comment lines, atoms, a grid with any three step vectors, values
/// with z running fastest. Lengths are bohr; a negative number of steps means that all lengths are angstrom. A negative
/// number of atoms announces a list of orbitals, each of which becomes a volume; so do several values per point (fifth
/// number of the third line). Numbers may be run together ("-1.0E-01-2.0E-02").
/// Throws Error (input) with the line: fewer values than the header promises, anything that is no finite number.
extern const Format cube_format;

}  // namespace isolume
