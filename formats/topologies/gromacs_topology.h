// Topology files of GROMACS.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Topologies (GROMACS reference manual, "File formats", .top and .itp): the molecules of [ molecules ], each with the
/// atoms, types, charges, masses and bonds of its [ moleculetype ]; what an atom lacks is that of [ atomtypes ].
/// Includes are read where they are next to the file; of the force fields that GROMACS brings along, which rarely are,
/// the usual waters and ions are known. A file without [ molecules ] holds each of its molecules once. There are no
/// coordinates, and no force field is made.
extern const Format gromacs_topology_format;

}  // namespace isolume
