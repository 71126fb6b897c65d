// Where hydrogens go on an atom with known neighbours: ideal bond lengths and angles.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

namespace isolume {

/// An atom that carries hydrogens.
struct HydrogenParent {
  glm::dvec3 place{0.0};           ///< angstrom
  std::uint8_t element = 6;        ///< atomic number
  bool planar = false;             ///< three bonds in a plane, else tetrahedral
  std::vector<glm::dvec3> bonded;  ///< heavy neighbours; the one nearer to the main chain first
  glm::dvec3 beyond{0.0};          ///< a neighbour of the only heavy neighbour: what torsions count from
  bool has_beyond = false;
};

/// Length of the bond of a hydrogen to an atom of that element, angstrom.
double hydrogen_bond_length(std::uint8_t element, bool planar);

/// Places of `count` hydrogens. Of two on a tetrahedral atom the first is the one that the rules of IUPAC call 2. Where
/// only one heavy neighbour is there, `torsion` (degrees) is the angle of the first hydrogen about that bond, from
/// `beyond`; without any, directions are arbitrary but fixed.
std::vector<glm::dvec3> hydrogen_places(const HydrogenParent& parent, std::size_t count, double torsion);

/// Torsion of the first hydrogen that is staggered or in the plane, degrees.
double usual_torsion(const HydrogenParent& parent, std::size_t count);

}  // namespace isolume
