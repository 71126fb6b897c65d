// The element of an atom from a file's names, force-field type and mass.
#pragma once

#include <cstdint>
#include <string_view>

namespace isolume {

/// What a file says of an atom that tells its element.
struct ElementClues {
  std::string_view atom_name, residue_name;
  std::string_view type;             ///< of a force field, empty for unknown
  double mass = 0;                   ///< Da, 0 for unknown
  bool hydrogens_took_mass = false;  ///< the file has hydrogens that are too heavy (hydrogen mass repartitioning)
};

/// An element, and what decided.
struct ElementGuess {
  std::uint8_t element = 0;
  enum class By : std::uint8_t { nothing, name, mass } by = By::nothing;
};

/// As guess_element() of molecule/elements.h. A C, N, O or S that weighs less by what one to four hydrogens take (1.5
/// to 3.1 Da each) keeps the element of its name in residues of known kinds, where its type agrees, and where the
/// file's hydrogens are too heavy and its type says nothing else.
ElementGuess guess_element(const ElementClues& clues);

/// True for a hydrogen by name that weighs 1.5 to 5 Da and is no deuterium.
bool has_taken_mass(std::string_view atom_name, std::string_view residue_name, double mass);

}  // namespace isolume
