// Which chains make a complex, the third level of hierarchical charge partitioning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecule/topology.h"

namespace isolume {

/// The complex that each chain belongs to, from 0 without gaps, by a choice of the user:
///
/// * "auto": in an assembly that was built from a file the chains of one operator are a complex, so that a capsid of 60
///   copies has 60; elsewhere all chains make one.
/// * "segments": chains of one segment name that follow each other.
/// * "4" or "4,2,2": that many chains each, in their order; a single number goes on to the last chain.
///
/// Throws Error (usage) for another text, and for numbers that do not add up to the chains.
std::vector<std::uint32_t> chain_complexes(const Topology& topology, const std::string& choice);

/// Throws Error (usage) for a text that is none of these.
void check_complexes(const std::string& choice);

}  // namespace isolume
