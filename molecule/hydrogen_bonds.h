// Hydrogen bonds by geometry.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "molecule/frame.h"
#include "molecule/topology.h"

namespace isolume {

/// When two atoms are called hydrogen-bonded.
struct HydrogenBondRule {
  float distance = 3.5f;  ///< angstrom, donor to acceptor, at most
  float angle = 120.0f;   ///< degrees at the hydrogen, at least (where the file has hydrogens)
  bool operator==(const HydrogenBondRule&) const = default;
};

struct HydrogenBond {
  std::uint32_t donor = 0;
  std::uint32_t hydrogen =
      0;  ///< the donor's that points at the acceptor; the donor itself where it has none in the file
  std::uint32_t acceptor = 0;
  float distance = 0;  ///< angstrom, donor to acceptor
  bool operator==(const HydrogenBond&) const = default;
};

/// Hydrogen bonds between atoms of `mask` (one byte per atom): donor and acceptor are nitrogen, oxygen or fluorine, at
/// most `rule.distance` apart and more than three bonds from each other.
///
/// A donor that has hydrogens in the file needs one whose angle donor-hydrogen-acceptor is at least `rule.angle` (Baker
/// and Hubbard 1984, doi:10.1016/0079-6107(84)90007-5); its acceptor is oxygen, fluorine, or nitrogen with at most two
/// neighbours and no hydrogen.
///
/// In files without hydrogens a donor is nitrogen with at most two heavy neighbours, water, and oxygen on carbon by a
/// single bond (longer than 1.32 angstrom); an acceptor is oxygen, fluorine, or nitrogen of a ring with two neighbours.
/// All angles neighbour-donor-acceptor and neighbour-acceptor-donor are then at least 90 degrees, and a pair is given
/// once.
///
/// Ascending by donor, then acceptor; without periodic images. The topology's bonds must be complete.
std::vector<HydrogenBond> hydrogen_bonds(const Topology& topology, const Frame& frame,
                                         std::span<const std::uint8_t> mask, const HydrogenBondRule& rule);

}  // namespace isolume
