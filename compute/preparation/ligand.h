// A molecule that no table has, from its heavy atoms: bond orders, hydrogens and formal charges.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

namespace isolume {

/// A heavy atom.
struct LigandAtom {
  std::uint8_t element = 6;  ///< atomic number
  glm::dvec3 place{0.0};     ///< angstrom
  bool outside = false;      ///< of another residue: it is a neighbour, and gets neither hydrogens nor charge
};

struct LigandBond {
  std::uint32_t a = 0, b = 0;
  std::uint8_t order = 0;  ///< 1 to 3, 4 aromatic; 0 where it is not known
};

/// What was found for a heavy atom.
struct PerceivedAtom {
  std::uint8_t hydrogens = 0;
  double charge = 0;    ///< formal charge, shared out over the equal atoms of a group, e
  bool planar = false;  ///< three bonds in a plane
  bool linear = false;  ///< two bonds in a line
};

struct PerceivedLigand {
  std::vector<PerceivedAtom> atoms;     ///< as they were given
  std::vector<LigandBond> bonds;        ///< as they were given, with orders 1 to 3
  int charge = 0;                       ///< e
  std::vector<std::uint32_t> doubtful;  ///< atoms whose geometry fits no valence
};

/// Bond orders are those of the bonds where one of them is above 1. Else they follow from the geometry: an atom takes
/// part in a double bond where its bonds lie in a plane (or its ring does) and one of them is short enough; among
/// these the set of double bonds is used that leaves the fewest carbons without one and fits the lengths best.
/// Hydrogens fill the valences. Groups have charges by model pKa values: carboxylic acids 4.5, phosphates 2.1, 6.5 (7.2
/// without an ester) and 12.3, sulfonic acids and sulfates below 0, tetrazoles 4.9, thiols 9.0, phenols 10.0, aliphatic
/// amines 10.0 (one of two within three bonds), amidines 11.5, guanidines 13.0; aromatic nitrogens are neutral, but
/// those with four bonds are positive. Nothing where an element other than H C N O F P S Cl Br I is in it, or an atom
/// has no bond.
std::optional<PerceivedLigand> perceive_ligand(std::span<const LigandAtom> atoms, std::span<const LigandBond> bonds,
                                               double ph);

}  // namespace isolume
