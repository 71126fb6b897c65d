// Where a potential is probed, and how the charges are grouped whose contributions are told apart.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string>
#include <vector>

#include "compute/over_time/share_by.h"
#include "molecule/molecule.h"

namespace isolume {

/// A place where the potential and the field are taken: a point that stays, or the middle of atoms.
struct ProbePlace {
  std::string name;
  std::vector<std::uint32_t> atoms;  ///< indices into the molecule's; none: `point`
  glm::dvec3 point{0.0};             ///< angstrom
  bool bond = false;                 ///< of two atoms; the field along them, from the first to the second, counts
};

/// The places of an atom, of the middle of two atoms, and of the middle of all atoms of a residue, by their names:
/// "A/LYS12:NZ", "A/LYS12:C-O", "A/LYS12". Throws Error (usage) where the topology has no such atom or residue, and for
/// a bond of an atom with itself.
ProbePlace probe_at_atom(const Topology& topology, std::uint32_t atom);
ProbePlace probe_at_bond(const Topology& topology, std::uint32_t first, std::uint32_t second);
ProbePlace probe_at_residue(const Topology& topology, std::uint32_t residue);

/// Angstrom, in a frame with a position for every atom.
glm::dvec3 point_of(const ProbePlace& place, const Frame& frame);
/// Of length 1, from the first atom of a bond to the second; 0 for others.
glm::dvec3 direction_of(const ProbePlace& place, const Frame& frame);

/// The groups of some atoms: their names, and for each of the atoms which it is in.
struct ShareGroups {
  std::vector<std::string> names;
  std::vector<std::uint32_t> of;
};
/// The groups of `atoms` in a frame that says what is water and what an ion.
ShareGroups share_groups(const Molecule& molecule, const std::vector<std::uint32_t>& atoms, ShareBy by,
                         std::size_t frame);

/// The residues that are water or ions.
std::vector<std::uint32_t> solvent_residues(const Molecule& molecule, std::size_t frame);

}  // namespace isolume
