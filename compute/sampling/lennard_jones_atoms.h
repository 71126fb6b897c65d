// Lennard-Jones parameters of the atoms of a molecule: of its force field, else of a built-in table.
#pragma once

#include <string>
#include <vector>

#include "molecule/molecule.h"

namespace isolume {

struct LjParameters {
  double sigma = 0;    ///< angstrom
  double epsilon = 0;  ///< kcal/mol
};

struct LjAtoms {
  std::vector<LjParameters> atoms;   ///< one for each atom of the topology
  std::string source;                ///< "AMBER", "CHARMM", or what the table is
  bool built_in = false;             ///< the table was used
  std::vector<std::string> missing;  ///< atoms that the table does not know: "A/GLY12:XX (Ti)", the first ten
  std::size_t missing_count = 0;
};

/// Of the molecule's force field (each atom's own type; NBFIX and tables of pairs do not count for probes), where it
/// has one. Else the kinds of AMBER (Cornell et al. 1995, doi:10.1021/ja00124a002; TIP3P; ions of Aqvist and of Smith
/// and Dang), found by element and bonded neighbours; bonds are guessed by distance where the file has none. Needs
/// hydrogens: an atom without its own is taken as it is.
LjAtoms lennard_jones_atoms(const Molecule& molecule, const Frame& frame);

}  // namespace isolume
