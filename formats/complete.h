// What a file leaves out, completed: bonds by distance, secondary structure.
#pragma once

#include "molecule/molecule.h"

namespace isolume {

/// Gives the topology of `molecule` bonds (by distance in the first frame, across the faces of a periodic cell too) and
/// secondary structure (of the first frame, with whole molecules) where the file has none, and says so in
/// Topology::notes. Topologies without a frame stay as they are.
void complete(Molecule& molecule);

}  // namespace isolume
