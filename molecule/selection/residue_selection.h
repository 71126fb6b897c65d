// The text of a selection of one residue.
#pragma once

#include <cstdint>
#include <string>

#include "molecule/topology.h"

namespace isolume {

/// "chain A and resid 12 and resname ALA": a selection of this residue (number from 0) that readers understand;
/// "residue 11" where these words cannot be written, or mean other residues too.
std::string residue_selection_of(const Topology& topology, std::uint32_t residue);

}  // namespace isolume
