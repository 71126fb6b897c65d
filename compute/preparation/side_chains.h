// Side chains that a structure lacks, built from ideal geometry in the rotamer with the fewest clashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

/// A residue whose side chain was built or completed.
struct BuiltSideChain {
  std::uint32_t residue = 0;       ///< index in the structure
  std::vector<std::string> atoms;  ///< that were built, in the order of the PDB
  std::vector<double> chi;         ///< degrees, of the side chain as it is now
  std::size_t clashes = 0;         ///< pairs of a built atom and another that overlap by 0.4 angstrom or more
};

struct CompletedSideChains {
  Molecule molecule;                  ///< one frame; built atoms are at their place in the order of the PDB
  std::vector<std::int64_t> source;   ///< for each atom the one of the structure, -1 for a built one
  std::vector<BuiltSideChain> built;  ///< in the order of the structure
};

/// Builds the heavy atoms that side chains of the 20 amino acids lack; no other atom is moved. Bonds and angles are
/// those of Engh and Huber, chirality that of L-amino acids, torsions those of the rotamer library of Lovell et al.
/// (see resources/tables/side_chains.txt), as far as atoms of the file do not decide them. Of all rotamers the one is
/// taken that has the fewest clashes with heavy atoms around, of equal ones the most frequent. Where all clash, chi1
/// and chi2 are also tried up to 20 degrees from each. Radii are those of united atoms (Chothia 1976,
/// doi:10.1016/0022-2836(76)90191-1). Only atoms of `kept` count. Hydrogens of the file on an atom that gets a new bond
/// are left out. Residues without N, CA or C, and those that lack an atom within the side chain but have one beyond it,
/// stay as they are.
CompletedSideChains build_side_chains(const Molecule& molecule, std::size_t frame, const std::vector<char>& kept);

/// Residues whose side chains build_side_chains() would complete.
std::vector<std::uint32_t> incomplete_side_chains(const Molecule& molecule, std::size_t frame);

}  // namespace isolume
