// What to say of a selection that holds no atoms.
#pragma once

#include <string>

#include "molecule/topology.h"

namespace isolume {

/// Names what there is of residues, and of chains where `selection` asks for one: "the selection 'resname ZZZ' holds no
/// atoms; there are residues ALA, ARG, HOH".
std::string empty_selection(const std::string& selection, const Topology& topology);

}  // namespace isolume
