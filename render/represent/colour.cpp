// Colours of atoms, and what they mean.
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
#include "molecule/elements.h"
#include "molecule/residue_kinds.h"
#include "render/represent/palette.h"
#include "render/represent/residue_scales.h"

namespace isolume {
namespace {

constexpr std::array<std::pair<Colouring, const char*>, colouring_count> colourings = {
    {{Colouring::element, "element"},
     {Colouring::chain, "chain"},
     {Colouring::molecule, "molecule"},
     {Colouring::residue, "residue"},
     {Colouring::structure, "structure"},
     {Colouring::charge, "charge"},
     {Colouring::b_factor, "b factor"},
     {Colouring::index, "index"},
     {Colouring::uniform, "uniform"},
     {Colouring::chain_element, "chain and element"},
     {Colouring::sequence, "sequence"},
     {Colouring::hydrophobicity, "hydrophobicity"},
     {Colouring::eisenberg, "eisenberg"},
     {Colouring::wimley_white, "wimley white"},
     {Colouring::plddt, "plddt"},
     {Colouring::value, "value"},
     {Colouring::map, "map"}}};

constexpr glm::u8vec4 no_value{150, 150, 150, 255};
constexpr std::size_t most_names = 24;  // a key with more would fill the picture

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

glm::vec3 to_float(glm::u8vec4 colour) {
  return glm::vec3(glm::u8vec3(colour)) / 255.0f;
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

/// Gives atoms colours, and remembers what they mean.
class Painter {
 public:
  Painter(std::size_t atoms, const ColourRule& rule, std::span<const std::uint8_t> shown) : rule_(rule), shown_(shown) {
    result_.colours.resize(atoms);
  }

  /// `of(i)` is the name and the colour of atom i; the key lists them in the order in which they come.
  template <class Of>
  void by_name(const char* title, Of&& of) {
    ColourKey key;
    key.title = title;
    std::string_view last;
    for (std::size_t i = 0; i < result_.colours.size(); ++i) {
      const std::pair<std::string_view, glm::u8vec4> entry = of(i);
      result_.colours[i] = entry.second;
      if (entry.first == last || !counts(i)) continue;
      last = entry.first;
      const bool known =
          std::any_of(key.entries.begin(), key.entries.end(), [&](const auto& e) { return e.first == last; });
      if (!known && key.entries.size() < most_names) key.entries.emplace_back(last, to_float(entry.second));
    }
    if (!key.entries.empty()) result_.key = std::move(key);
  }

  /// `of(i)` is the number of atom i, which decide (those of what is shown) the ends. Without ends in the rule, a scale
  /// reaches from the 5th to the 95th percentile, so that one loose end does not make all else dark; one with a sign as
  /// far to both sides.
  template <class Of>
  void by_number(const std::string& title, const std::string& unit, Of&& of, bool of_shown) {
    std::vector<float> values;
    for (std::size_t i = 0; i < result_.colours.size(); ++i)
      if ((!of_shown || counts(i)) && std::isfinite(of(i))) values.push_back(of(i));
    std::sort(values.begin(), values.end());
    const auto at = [&values](double share) {
      return values.empty() ? 0.0f : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    const bool has_sign = !values.empty() && values.front() < 0 && values.back() > 0;
    double lower = rule_.lower, upper = rule_.upper;
    if (lower == upper) {
      lower = at(0.05), upper = at(0.95);
      if (lower == upper) lower = at(0), upper = at(1);
      if (has_sign) upper = std::max(std::abs(at(0)), std::abs(at(1))), lower = -upper;
    }
    const bool diverging = rule_.map == ColourMap::automatic && has_sign && std::abs(lower + upper) < 1e-6 * upper;
    const ColourMap map = diverging ? ColourMap::red_white_blue : rule_.map;
    set_scale(title, unit, lower, upper, map, of);
  }

  template <class Of>
  void set_scale(const std::string& title, const std::string& unit, double lower, double upper, ColourMap map,
                 Of&& of) {
    set_scale(
        title, unit, lower, upper, 32, [map](double t) { return mapped_colour(map, t); }, of);
  }

  /// `colour(t)` is the colour at t from 0 to 1, `steps` how finely the key shows it.
  template <class Colour, class Of>
  void set_scale(const std::string& title, const std::string& unit, double lower, double upper, int steps,
                 Colour&& colour, Of&& of) {
    for (std::size_t i = 0; i < result_.colours.size(); ++i) {
      const auto value = static_cast<double>(of(i));
      result_.colours[i] =
          std::isfinite(value) ? colour(upper != lower ? (value - lower) / (upper - lower) : 0.5) : no_value;
    }
    ColourKey key{title, unit, lower, upper, {}, {}};
    for (int i = 0; i <= steps; ++i) key.scale.push_back(to_float(colour(static_cast<double>(i) / steps)));
    result_.key = std::move(key);
  }

  bool counts(std::size_t i) const { return shown_.empty() || shown_[i]; }
  AtomColours take() { return std::move(result_); }
  AtomColours& result() { return result_; }

 private:
  const ColourRule& rule_;
  std::span<const std::uint8_t> shown_;
  AtomColours result_;
};

}  // namespace

const char* name(Colouring colouring) {
  for (const auto& [value, text] : colourings)
    if (value == colouring) return text;
  return "unknown";
}

Colouring colouring_from_name(const std::string& name) {
  std::string plain, known;
  for (const char c : name) plain += c == '_' || c == '-' ? ' ' : static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (const auto& [value, text] : colourings) {
    if (plain == text) return value;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", text);
  }
  throw Error(fmt::format("there is no colouring \"{}\"; there are {}", name, known), Error::Kind::usage);
}

bool is_scale(Colouring colouring) {
  return colouring == Colouring::charge || colouring == Colouring::b_factor || colouring == Colouring::index ||
         colouring == Colouring::value || colouring == Colouring::map || colouring == Colouring::sequence ||
         colouring == Colouring::hydrophobicity || colouring == Colouring::eisenberg ||
         colouring == Colouring::wimley_white;
}

namespace {

/// The chains' names and colours. Chains of one name are one, also where waters and ligands of theirs are apart; copies
/// are as what they copy.
std::vector<std::pair<std::string, glm::u8vec4>> chain_colours(const Topology& topology) {
  std::map<std::pair<std::string, std::string>, std::size_t> numbers;
  std::vector<std::pair<std::string, glm::u8vec4>> of_chain;
  const bool copies = is_assembly(topology);
  for (const Chain& chain : topology.chains) {
    const std::string segment = copies ? std::string() : chain.segment;
    const std::size_t number = numbers.emplace(std::pair(chain.id, segment), numbers.size()).first->second;
    std::string words = chain.id.empty() ? segment : chain.id;
    if (!chain.id.empty() && !segment.empty() && segment != chain.id) words += " (" + segment + ")";
    of_chain.emplace_back(words.empty() ? std::to_string(number + 1) : words, category_colour(number));
  }
  return of_chain;
}

/// Hydrophobic is orange on every scale, white in the middle.
void paint_hydrophobicity(Painter& painter, const Topology& topology, const ColourRule& rule) {
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
void paint_chain_and_element(Painter& painter, const Topology& topology) {
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

}  // namespace

AtomColours colour_atoms(const Topology& topology, const ColourRule& rule, std::span<const float> values,
                         const std::string& title, const std::string& unit, std::span<const std::uint8_t> shown) {
  const std::size_t n = topology.atoms.size();
  Painter painter(topology.atoms.size(), rule, shown);
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
          "B-factor", "\u00c5\u00b2", [&](std::size_t i) { return topology.atoms[i].b_factor; }, false);
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
      if (values.size() != n) throw Error(fmt::format("{} atoms are to be coloured by {} numbers", n, values.size()));
      painter.by_number(
          title, unit, [&](std::size_t i) { return values[i]; }, true);
      break;
  }
  return painter.take();
}

std::vector<glm::u8vec4> colour_atoms(const Topology& topology, Colouring colouring, glm::u8vec4 uniform) {
  ColourRule rule;
  rule.colouring = colouring;
  rule.uniform = uniform;
  return colour_atoms(topology, rule, {}, {}, {}, {}).colours;
}

}  // namespace isolume
