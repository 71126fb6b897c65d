// What a file leaves out, completed: bonds by distance, secondary structure.
#pragma once

#include "molecule/molecule.h"

namespace isolume {

/// Gives the topology of `molecule` bonds (by distance in the first frame) and secondary structure (of the first frame)
/// where the file has none, and says so in Topology::notes. Topologies without a frame stay as they are.
void complete(Molecule& molecule);

}  // namespace isolume
