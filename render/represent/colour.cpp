// Colours of atoms and their legends.
#include "render/represent/colour.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "molecule/assembly.h"
#include "molecule/base/error.h"
#include "molecule/crystal/crystal.h"
#include "molecule/elements.h"
#include "molecule/residue_kinds.h"
#include "render/represent/atom_painter.h"
#include "render/represent/palette.h"
#include "render/represent/residue_scales.h"

namespace isolume {
namespace {

struct StructureClass {
  SecondaryStructure structure;
  const char* name;
  glm::u8vec4 colour;
};
constexpr std::array<StructureClass, 6> structure_classes = {{
    {SecondaryStructure::helix, "helix", {204, 76, 104, 255}},
    {SecondaryStructure::helix_3_10, "3-10 helix", {158, 58, 120, 255}},
    {SecondaryStructure::helix_pi, "pi helix", {112, 48, 110, 255}},
    {SecondaryStructure::strand, "strand", {237, 174, 73, 255}},
    {SecondaryStructure::turn, "turn", {140, 184, 216, 255}},
    {SecondaryStructure::coil, "coil", {196, 203, 210, 255}},
}};

const StructureClass& class_of(SecondaryStructure structure) {
  for (const StructureClass& known : structure_classes)
    if (known.structure == structure) return known;
  return structure_classes.back();
}

bool is_polymer(ResidueKind kind) {
  return kind == ResidueKind::protein || kind == ResidueKind::nucleic;
}

/// The four bands of AlphaFold's database (J. Jumper et al., Nature 596 (2021) 583), t from 0 to 1.
glm::u8vec4 confidence_colour(double t) {
  if (t > 0.9) return {0, 83, 214, 255};     // very high
  if (t > 0.7) return {101, 203, 243, 255};  // high
  if (t > 0.5) return {255, 219, 19, 255};   // low
  return {255, 125, 69, 255};                // very low
}

/// For each residue its place among those of its chain that are of the polymer, from 0 to 1; else no number.
std::vector<float> places_in_chains(const Topology& topology) {
  std::vector<float> places(topology.residues.size(), std::numeric_limits<float>::quiet_NaN());
  for (const Chain& chain : topology.chains) {
    std::vector<std::size_t> members;
    for (std::size_t r = chain.first_residue; r < chain.first_residue + chain.residue_count; ++r)
      if (is_polymer(residue_kind(topology, r))) members.push_back(r);
    for (std::size_t i = 0; i < members.size(); ++i)
      places[members[i]] = members.size() > 1 ? static_cast<float>(i) / static_cast<float>(members.size() - 1) : 0.5f;
  }
  return places;
}

/// The chains' names and colours. Chains of one name are one, also where waters and ligands of theirs are apart; copies
/// are as what they copy.
std::vector<std::pair<std::string, glm::u8vec4>> chain_colours(const Topology& topology) {
  std::map<std::pair<std::string, std::string>, std::size_t> numbers;
  std::vector<std::pair<std::string, glm::u8vec4>> of_chain;
  const bool copies = is_assembly(topology);
  for (const Chain& chain : topology.chains) {
    const std::string segment = copies ? std::string() : chain.segment.text();
    const std::size_t number = numbers.emplace(std::pair(chain.id, segment), numbers.size()).first->second;
    std::string words = chain.id.empty() ? segment : chain.id.text();
    if (!chain.id.empty() && !segment.empty() && segment != chain.id) words += " (" + segment + ")";
    of_chain.emplace_back(words.empty() ? std::to_string(number + 1) : words, category_colour(number));
  }
  return of_chain;
}

/// Hydrophobic is orange on every scale, white in the middle.
void paint_hydrophobicity(AtomPainter& painter, const Topology& topology, const ColourRule& rule) {
  const auto scale = rule.colouring == Colouring::eisenberg      ? HydrophobicityScale::eisenberg
                     : rule.colouring == Colouring::wimley_white ? HydrophobicityScale::wimley_white
                                                                 : HydrophobicityScale::kyte_doolittle;
  std::vector<double> values;
  for (const Residue& residue : topology.residues)
    values.push_back(hydrophobicity(residue.name, scale).value_or(std::numeric_limits<double>::quiet_NaN()));
  const bool energy = scale == HydrophobicityScale::wimley_white;  // hydrophobic below 0
  const double end = energy ? 2.02 : scale == HydrophobicityScale::eisenberg ? 2.53 : 4.5;
  const bool given = rule.lower != rule.upper;
  const ColourMap map = rule.map == ColourMap::automatic ? ColourMap::orange_white_purple : rule.map;
  const bool turned = rule.map == ColourMap::automatic && !energy;
  painter.set_scale(
      energy                                    ? "Transfer to the interface (Wimley-White)"
      : scale == HydrophobicityScale::eisenberg ? "Hydrophobicity (Eisenberg)"
                                                : "Hydropathy (Kyte-Doolittle)",
      energy ? "kcal/mol" : "", given ? static_cast<double>(rule.lower) : -end,
      given ? static_cast<double>(rule.upper) : end, 32,
      [=](double t) { return mapped_colour(map, turned ? 1 - t : t); },
      [&](std::size_t i) { return values[topology.atoms[i].residue]; });
}

/// Carbon of polymers in the chain's colour, of other molecules pale, so that a ligand is apart.
void paint_chain_and_element(AtomPainter& painter, const Topology& topology) {
  constexpr glm::u8vec4 pale_carbon{178, 178, 172, 255};
  const auto of_chain = chain_colours(topology);
  std::vector<bool> polymer;
  for (std::size_t r = 0; r < topology.residues.size(); ++r) polymer.push_back(is_polymer(residue_kind(topology, r)));
  painter.by_name("Chain", [&](std::size_t i) {
    const Atom& atom = topology.atoms[i];
    const auto& [words, colour] = of_chain[topology.residue_of(i).chain];
    if (atom.element == 6 && polymer[atom.residue]) return std::pair(std::string_view(words), colour);
    const std::string_view name = atom.element > 0 ? element(atom.element).symbol : std::string_view("?");
    return std::pair(name, atom.element == 6 ? pale_carbon : glm::u8vec4(element(atom.element).colour, 255));
  });
}

/// Copies by the crystal's symmetry are greyer than what they are copies of.
void fade_symmetry_mates(std::vector<glm::u8vec4>& colours, const Topology& topology) {
  constexpr glm::vec3 grey(165);
  if (!is_crystal(topology)) return;
  std::vector<bool> mate;
  for (const Chain& chain : topology.chains) mate.push_back(chain.segment != asymmetric_unit_name);
  for (std::size_t i = 0; i < colours.size(); ++i)
    if (mate[topology.residue_of(i).chain])
      colours[i] = glm::u8vec4(glm::u8vec3(glm::mix(glm::vec3(colours[i]), grey, 0.75f)), colours[i].a);
}

bool of_categories(Colouring colouring) {
  return colouring == Colouring::element || colouring == Colouring::chain || colouring == Colouring::chain_element ||
         colouring == Colouring::structure || colouring == Colouring::residue;
}

}  // namespace

AtomColours colour_atoms(const Topology& topology, const ColourRule& rule, std::span<const float> values,
                         const std::string& title, const std::string& unit, std::span<const std::uint8_t> shown) {
  const std::size_t n = topology.atoms.size();
  AtomPainter painter(topology.atoms.size(), rule, shown);
  switch (rule.colouring) {
    case Colouring::uniform:
      std::fill(painter.result().colours.begin(), painter.result().colours.end(),
                glm::u8vec4(glm::u8vec3(rule.uniform), 255));
      break;
    case Colouring::element:
      painter.by_name("Element", [&](std::size_t i) {
        const int number = topology.atoms[i].element;
        const bool carbon = number == 6 && rule.uniform.a > 0;
        return std::pair(
            number > 0 ? element(number).symbol : std::string_view("?"),
            carbon ? glm::u8vec4(glm::u8vec3(rule.uniform), 255) : glm::u8vec4(element(number).colour, 255));
      });
      break;
    case Colouring::chain: {
      const auto of_chain = chain_colours(topology);
      painter.by_name("Chain", [&](std::size_t i) {
        const auto& [words, colour] = of_chain[topology.residue_of(i).chain];
        return std::pair(std::string_view(words), colour);
      });
      break;
    }
    case Colouring::molecule: {
      const std::string words = rule.molecule.empty() ? std::to_string(rule.number + 1) : rule.molecule;
      painter.by_name("Molecule",
                      [&](std::size_t) { return std::pair(std::string_view(words), category_colour(rule.number)); });
      break;
    }
    case Colouring::residue:
      painter.by_name("Residue", [&](std::size_t i) {
        const std::string& residue = topology.residue_of(i).name;
        return std::pair(std::string_view(residue_character(residue)), residue_colour(residue));
      });
      break;
    case Colouring::structure:
      painter.by_name("Secondary structure", [&](std::size_t i) {
        const StructureClass& known = class_of(topology.residue_of(i).structure);
        return std::pair(std::string_view(known.name), known.colour);
      });
      break;
    case Colouring::charge: {
      const auto charge = [&](std::size_t i) {
        return topology.has_charges ? topology.atoms[i].charge : static_cast<float>(topology.atoms[i].formal_charge);
      };
      // A charge of one (or the largest, where all are less) is full colour.
      float largest = 0.1f;
      for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(charge(i)));
      largest = std::min(largest, 1.0f);
      const bool given = rule.lower != rule.upper;
      painter.set_scale(topology.has_charges ? "Charge" : "Formal charge", "e",
                        given ? static_cast<double>(rule.lower) : -static_cast<double>(largest),
                        given ? static_cast<double>(rule.upper) : static_cast<double>(largest),
                        rule.map == ColourMap::automatic ? ColourMap::red_white_blue : rule.map, charge);
      break;
    }
    case Colouring::b_factor:
      painter.by_number(
          topology.has_kinds ? "Kind" : "B-factor", topology.has_kinds ? "" : "\u00c5\u00b2",
          [&](std::size_t i) { return topology.atoms[i].b_factor; }, false);
      break;
    case Colouring::index:
      painter.set_scale("Atom", "", rule.lower != rule.upper ? static_cast<double>(rule.lower) : 0.0,
                        rule.lower != rule.upper ? static_cast<double>(rule.upper)
                                                 : static_cast<double>(std::max<std::size_t>(n, 2) - 1),
                        rule.map, [](std::size_t i) { return static_cast<double>(i); });
      break;
    case Colouring::chain_element:
      paint_chain_and_element(painter, topology);
      break;
    case Colouring::sequence: {
      const std::vector<float> places = places_in_chains(topology);
      const bool given = rule.lower != rule.upper;
      painter.set_scale("N to C terminus (5' to 3')", "%", given ? static_cast<double>(rule.lower) : 0.0,
                        given ? static_cast<double>(rule.upper) : 100.0, rule.map,
                        [&](std::size_t i) { return 100 * places[topology.atoms[i].residue]; });
      break;
    }
    case Colouring::hydrophobicity:
    case Colouring::eisenberg:
    case Colouring::wimley_white:
      paint_hydrophobicity(painter, topology, rule);
      break;
    case Colouring::plddt:
      painter.set_scale("Confidence (pLDDT)", "", 0, 100, 100, confidence_colour,
                        [&](std::size_t i) { return topology.atoms[i].b_factor; });
      break;
    case Colouring::value:
    case Colouring::map:
    case Colouring::file:
    case Colouring::probe:
      if (values.size() != n) throw Error(fmt::format("{} atoms are to be coloured by {} numbers", n, values.size()));
      painter.by_number(
          title, unit, [&](std::size_t i) { return values[i]; }, true);
      break;
  }
  AtomColours result = painter.take();
  if (of_categories(rule.colouring)) fade_symmetry_mates(result.colours, topology);
  return result;
}

std::vector<glm::u8vec4> colour_atoms(const Topology& topology, Colouring colouring, glm::u8vec4 uniform) {
  ColourRule rule;
  rule.colouring = colouring;
  rule.uniform = uniform;
  return colour_atoms(topology, rule, {}, {}, {}, {}).colours;
}

}  // namespace isolume
