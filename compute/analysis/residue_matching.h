// Which atoms of two molecules belong together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/base/job.h"
#include "molecule/topology.h"

namespace isolume {

enum class AtomMatching : std::uint8_t {
  automatic,  ///< residues where they match for most, else sequence where both have one, else order
  residues,   ///< the same chain, number, insertion code and name of residue, and the same name of atom
  sequence,   ///< by aligning the sequences of chains, then the same name of atom
  order       ///< the first with the first, and so on
};
/// "residues", ...
const char* name(AtomMatching matching);
/// The one of that name. Throws Error (usage) where there is none.
AtomMatching matching_named(const std::string& name);

struct MatchedAtoms {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< an atom of a and one of b, ascending in a
  AtomMatching how = AtomMatching::automatic;                  ///< never automatic
  std::size_t residues = 0;                                    ///< pairs of residues that the atoms belong to
  std::size_t identical = 0;                                   ///< of these, with the same letter or name
  std::size_t smaller = 0;  ///< residues of the side that has fewer: of polymers alone where sequences were aligned
  std::string chains;       ///< "A with B" where sequences were aligned, else empty

  double identity() const;  ///< the part of the matched residues that are identical
  double coverage() const;  ///< the part of the smaller side's residues that are matched
};

/// The atoms that stand for residues: CA of proteins and P of nucleic acids, ascending. Of alternate locations the
/// first. Empty where there is no polymer.
std::vector<std::uint32_t> trace_atoms(const Topology& topology);

/// Pairs atoms of `a` with atoms of `b` (numbers in their molecules, ascending; of alternate locations the first
/// counts). Residues: where no chain of one is called as one of the other's and both have one polymer chain, or none
/// has names, chains are left out of account. Sequence: the chains whose alignment has the highest score, and then of
/// those left the next ones, as long as at least 30 % of the shorter sequence is identical or these are the first.
/// Throws Error (usage) that says what did not match; for `automatic` also where sequences were aligned and less than
/// 30 % of the matched residues are identical, or less than half of the smaller side is matched: the molecules are
/// unrelated.
MatchedAtoms match_atoms(const Topology& a, std::span<const std::uint32_t> atoms_a, const Topology& b,
                         std::span<const std::uint32_t> atoms_b, AtomMatching how, Job& job);

}  // namespace isolume
