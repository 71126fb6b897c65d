// Messages about data missing in a file, and how to get it.
#pragma once

#include <string>

#include "molecule/molecule.h"

namespace isolume {

/// Of a molecule without atoms that have positions: "system.psf has no coordinates: open it with a trajectory (DCD,
/// XTC) or a PDB, CRD or COOR file".
std::string missing_positions(const Molecule& molecule);

/// Of a molecule without volumes: "water.molden holds no volume. To make one: ...".
std::string missing_volume(const Molecule& molecule);

}  // namespace isolume
