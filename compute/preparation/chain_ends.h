// Where chains begin and end: charged ends, and gaps that get none.
#pragma once

#include <vector>

#include "compute/preparation/residue_states.h"

namespace isolume {

/// Sets `starts` and `ends` of the residues of proteins and nucleic acids. A gap in a chain has no charged end; it is
/// named in `issues`.
void find_chain_ends(const StateContext& context, std::vector<ResidueTarget>& targets,
                     std::vector<ChargeIssue>& issues);

}  // namespace isolume
