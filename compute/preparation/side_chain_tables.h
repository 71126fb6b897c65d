// Ideal side chains and their rotamers, from resources/tables/side_chains.txt.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace isolume {

/// How one heavy atom of a side chain follows from those before it.
struct SideChainAtom {
  std::string name;        ///< as in version 3 of the PDB
  std::string parent;      ///< the atom that it is bonded to
  std::string next, last;  ///< the angle is to `next`, the torsion about parent-next to `last`
  double bond = 0;         ///< angstrom
  double angle = 0;        ///< degrees
  std::size_t chi = 0;     ///< which chi its torsion follows, from 1; 0 for none
  double torsion = 0;      ///< degrees, on top of chi
  double last_angle = 0;   ///< degrees: of CB the angle to `last` instead of a torsion, else 0
  std::string ring;        ///< the atom that closes a ring, empty for none
  double ring_bond = 0;    ///< angstrom
};

struct Rotamer {
  double percent = 0;       ///< how often it was found
  std::vector<double> chi;  ///< degrees
};

struct SideChain {
  std::string residue;               ///< "HIS"
  std::vector<SideChainAtom> atoms;  ///< in the order of the PDB, parents first
  std::vector<Rotamer> rotamers;
  std::size_t chis() const { return rotamers.empty() ? 0 : rotamers.front().chi.size(); }
};

/// The side chain of one of the 20 amino acids, null for other residues.
const SideChain* ideal_side_chain(std::string_view residue);

}  // namespace isolume
