// MolecularEnergies: the parts of a molecular-mechanics energy.
#pragma once

namespace isolume {

/// kcal/mol.
struct MolecularEnergies {
  double bonds = 0;  ///< with Urey-Bradley terms
  double angles = 0;
  double dihedrals = 0;      ///< with AMBER's impropers
  double impropers = 0;      ///< harmonic ones
  double corrections = 0;    ///< maps of two dihedrals (CMAP)
  double lennard_jones = 0;  ///< of pairs that are not excluded
  double lennard_jones_14 = 0;
  double electrostatics = 0;  ///< with scaled 1-4 pairs
  double map = 0;             ///< of a density map that pulls the atoms (Dynamics::pull)

  double potential() const {
    return bonds + angles + dihedrals + impropers + corrections + lennard_jones + lennard_jones_14 + electrostatics +
           map;
  }
};

}  // namespace isolume
