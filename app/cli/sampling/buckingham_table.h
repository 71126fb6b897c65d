// Parameters of Buckingham's law between a probe and the kinds of atoms of a molecule, from a CSV file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/sampling/probe_field.h"
#include "molecule/topology.h"

namespace isolume::cli {

struct BuckinghamKinds {
  std::vector<BuckinghamPair> pairs;        ///< a row of the table each
  std::vector<std::uint32_t> kind_of_atom;  ///< the row of every atom of the topology; 0 where an atom is not asked for
};

/// Lines "kind,A,B,C" with A in kcal/mol, B in 1/angstrom and C in kcal/mol angstrom^6, between the probe and atoms of
/// that kind: a force-field type, else the name of an atom, else the symbol of an element, else "*" for all others. A
/// first line of headings and lines that begin with # are passed over. Throws Error (input) that names a line that is
/// none, and the first of `atoms` for which there is none.
BuckinghamKinds read_buckingham_table(const std::string& path, const Topology& topology,
                                      std::span<const std::uint32_t> atoms);

}  // namespace isolume::cli
