// Hydrogens that can turn: hydroxyls, thiols, ammonium groups and waters, each by its least electrostatic energy.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/preparation/hydrogen_places.h"

namespace isolume {

/// A group of hydrogens that turns about one bond, or a water about its oxygen.
struct TurningHydrogens {
  HydrogenParent parent;
  std::uint32_t carrier = 0;             ///< index of the parent
  std::uint32_t neighbour = 0;           ///< index of its heavy neighbour; the carrier itself in a water
  std::vector<std::uint32_t> hydrogens;  ///< indices
};

/// An atom as the turning hydrogens feel it.
struct FeltAtom {
  double charge = 0;         ///< e
  std::uint8_t element = 0;  ///< atomic number
};

/// Sets the places of all groups, one after the other: first those about bonds, then waters, each in the order given.
/// For every group the Coulomb energy with the atoms within 5 angstrom of its carrier is least, of turns by 10 degrees
/// (two in a plane; for waters one hydrogen to each acceptor around, the other turned by 30 degrees), with a penalty
/// for contacts shorter than usual hydrogen bonds. Of equal ones the first.
void turn_hydrogens(const std::vector<TurningHydrogens>& groups, const std::vector<FeltAtom>& atoms,
                    std::vector<glm::dvec3>& places);

}  // namespace isolume
