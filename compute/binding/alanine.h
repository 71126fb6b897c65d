// Residues cut to alanine: what an alanine scan exchanges.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/binding/binding.h"

namespace isolume {

/// One residue of a scan.
struct AlanineCut {
  std::uint32_t residue = 0;
  std::string skipped;       ///< why it is not cut; empty where it is
  std::string source;        ///< of alanine's charges: "ff14sb", "alanine of the file"
  double charge_change = 0;  ///< e, of the residue
  BindingMutation mutation;
};

/// The residue as alanine. N, CA, C, O (and OXT), CB and their hydrogens stay where they are, with the charges of
/// alanine (at an end of a chain those of alanine there). Each further atom bonded to CB becomes a hydrogen, on the
/// same line at the length of a bond C-H; all else goes. Charges are those of the built-in set whose charges the
/// residue has on N, C and O; else those of an alanine within a chain of the file. Radii stay, but new hydrogens have
/// that of an HB of alanine where the residue has the set's own radii, else that of the residue's own HB. Their
/// Lennard-Jones type, and that of CB, is that of an alanine of the file where there is one, else of the residue's own.
/// GLY, ALA and PRO, bridged cysteines, what is no amino acid, and residues without hydrogens are skipped, with the
/// reason. `positions`: of all atoms.
AlanineCut alanine_cut(const Topology& topology, std::span<const glm::vec3> positions, std::uint32_t residue);

/// The residues of both partners that have an atom within `reach` (angstrom) of the other partner.
std::vector<std::uint32_t> interface_residues(const Topology& topology, const Binding& binding,
                                              std::span<const glm::vec3> positions, double reach = 5);

}  // namespace isolume
