// The chemical elements: symbol, mass, radii, colour.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <string_view>

namespace isolume {

/// Properties of one element.
struct Element {
  std::string_view symbol;
  std::string_view name;
  float mass;             ///< Da, IUPAC 2021 abridged standard atomic weights
  float covalent_radius;  ///< angstrom, Cordero et al. 2008 (doi:10.1039/b801115j)
  float vdw_radius;       ///< angstrom, Bondi 1964 and Alvarez 2013 where Bondi has none
  glm::u8vec3 colour;     ///< the CPK-like colours that the field is used to
};

inline constexpr int element_count = 119;  ///< atomic numbers 0 (unknown) to 118

/// Element of an atomic number; 0 ("X", dummy) for anything out of range.
const Element& element(int atomic_number);

/// Atomic number of a symbol in any case ("cl", "CL", "D" is hydrogen), 0 where there is none.
std::uint8_t element_from_symbol(std::string_view symbol);

/// Guesses the element as the field does from a PDB-style atom name and residue name: "CA" in ALA is carbon, "CA" in CA
/// calcium, "HG11" hydrogen, "1HB" hydrogen, "OW", "NA+" sodium; by mass (Da, 0 for unknown) where that decides.
std::uint8_t guess_element(std::string_view atom_name, std::string_view residue_name, double mass = 0);

}  // namespace isolume
