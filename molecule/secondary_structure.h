// Secondary structure from coordinates.
#pragma once

#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// One class per residue by the hydrogen-bond patterns of Kabsch and Sander 1983 (DSSP; doi:10.1002/bip.360221211):
/// energies of N-H...O=C from the backbone with the hydrogen placed at 1 angstrom opposite the preceding C=O.
/// Residues without N, CA, C, O are coil.
std::vector<SecondaryStructure> secondary_structure(const Topology& topology, const Frame& frame);

}  // namespace isolume
