// A residue in tables.
#pragma once

#include <cstdint>
#include <string>

#include "molecule/topology.h"

namespace isolume {

/// Three fields of a CSV line: the chain, or its segment where it has no name; the residue's name; its number with the
/// insertion code.
std::string residue_words(const Topology& topology, std::uint32_t residue);

}  // namespace isolume
