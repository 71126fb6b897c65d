// Colours of atoms and their legends.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecule/topology.h"
#include "render/view/scene_view.h"

namespace isolume {

/// How atoms are coloured. `value`, `map`, `file` and `probe` take numbers that the caller has: of an expression
/// (number_expression.h), of a volume at the atoms, of a file, of a probe.
enum class Colouring : std::uint8_t {
  element,
  chain,
  molecule,
  residue,
  structure,
  charge,
  b_factor,
  index,
  uniform,
  chain_element,   ///< carbon of polymers by chain, of other molecules pale; the rest by element
  sequence,        ///< place of a residue of a polymer in its chain, from the N terminus (5' end) to the C terminus
  hydrophobicity,  ///< of amino acids: Kyte and Doolittle (render/represent/residue_scales.h),
  eisenberg,       ///< Eisenberg's consensus,
  wimley_white,    ///< Wimley and White
  plddt,           ///< confidence of a predicted structure, which its B-factors are, in AlphaFold's four colours
  value,
  map,
  file,  ///< numbers or colours of residues that a file has; the caller reads it
  probe  ///< what each residue or chain adds to the potential at a probe
};
constexpr int colouring_count = 19;
const char* name(Colouring colouring);
Colouring colouring_from_name(const std::string& name);
/// True where colours stand for numbers on a scale, whose map and ends can be chosen.
bool is_scale(Colouring colouring);

/// Colours of numbers, all of which people with colour-blindness can read; those with white in the middle are for
/// values with a sign.
enum class ColourMap : std::uint8_t { automatic, viridis, cividis, grey, red_white_blue, orange_white_purple };

/// How representations colour their atoms.
struct ColourRule {
  Colouring colouring = Colouring::element;
  glm::u8vec4 uniform{0};                ///< of Colouring::uniform; under `element` of carbon, where its alpha is > 0
  ColourMap map = ColourMap::automatic;  ///< of a scale; automatic: with a sign red-white-blue, else viridis
  float lower = 0, upper = 0;            ///< values of the scale's ends; equal: chosen by the values
  std::size_t number = 0;                ///< of Colouring::molecule: which of the scene's molecules it is, from 0,
  std::string molecule{};                ///< and its name
};

struct AtomColours {
  std::vector<glm::u8vec4> colours;  ///< one per atom
  std::optional<ColourKey> key;      ///< none for `uniform`; the names of those that occur among `shown`
};

/// One colour per atom. `values`: one number per atom for Colouring::value, map, file and probe, whose title and unit
/// the key gets; what is no number is grey. `shown`: one byte per atom, those that decide the ends of a scale (empty:
/// all).
AtomColours colour_atoms(const Topology& topology, const ColourRule& rule, std::span<const float> values,
                         const std::string& title, const std::string& unit, std::span<const std::uint8_t> shown);

/// The same for the colourings that need no values, without the key.
std::vector<glm::u8vec4> colour_atoms(const Topology& topology, Colouring colouring, glm::u8vec4 uniform);

}  // namespace isolume
