// Partial charges by equalising electronegativities along bonds, for molecules that no table has.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace isolume {

/// An atom of a molecule with all its hydrogens.
struct EqualisedAtom {
  std::uint8_t element = 6;     ///< atomic number
  std::uint8_t neighbours = 0;  ///< all of them, also those that are not in the molecule
  bool planar = false;          ///< three bonds in a plane
  double formal = 0;            ///< what the atom has of a formal charge, e
};

/// Gasteiger-Marsili charges (Gasteiger and Marsili 1980, doi:10.1016/0040-4020(80)80168-2): rounds that each pass half
/// as much charge as the one before, until no charge changes by 1e-6 e. In e, one per atom; their sum is that of the
/// formal charges. Nothing where an element has no parameters (all but H C N O F P S Cl Br I).
std::optional<std::vector<double>> equalised_charges(std::span<const EqualisedAtom> atoms,
                                                     std::span<const std::pair<std::uint32_t, std::uint32_t>> bonds);

/// Those of a molecule by its geometry. Hybridisation follows from the number of neighbours, so that all hydrogens
/// must be there; formal charges are those of carboxylates, phosphates, sulphates, nitro, ammonium, amidinium and
/// guanidinium groups. In e, one per atom. Nothing where hydrogens are missing or an element has no parameters (all but
/// H C N O F P S Cl Br I).
std::optional<std::vector<double>> gasteiger_charges(std::span<const std::uint8_t> elements,
                                                     std::span<const glm::dvec3> positions,
                                                     std::span<const std::pair<std::uint32_t, std::uint32_t>> bonds);

}  // namespace isolume
