// The element of an atom from its name, the residue it is in, and its mass.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

#include "molecule/element_guess.h"
#include "molecule/elements.h"
#include "molecule/residue_kinds.h"

namespace isolume {

namespace {

using Word = std::string;

// The first run of letters, in capitals: "1HB2" gives "HB", "NA+" gives "NA", "CL-1" gives "CL".
Word letters_of(std::string_view text) {
  Word word;
  for (char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      break;
    }
  }
  return word;
}

struct Named {
  std::string_view name;
  std::uint8_t element;
};

// Ions under the names of CHARMM and of the Chemical Component Dictionary that are not element symbols.
constexpr std::array<Named, 15> ion_names{{{"SOD", 11},
                                           {"POT", 19},
                                           {"CLA", 17},
                                           {"CAL", 20},
                                           {"CES", 55},
                                           {"LIT", 3},
                                           {"RUB", 37},
                                           {"BAR", 56},
                                           {"IOD", 53},
                                           {"BRO", 35},
                                           {"CIO", 11},
                                           {"CIM", 17},
                                           {"CIP", 11},
                                           {"FLU", 9},
                                           {"YB", 70}}};

// Symbols of two letters that win over "carbon beta" and the like where the rest of the name is digits only.
constexpr std::array<std::string_view, 41> certain{{"CL", "BR", "FE", "ZN", "MG", "MN", "SI", "SE", "LI", "AL", "AS",
                                                    "PT", "AU", "AG", "RU", "RH", "IR", "MO", "TI", "CR", "CU", "NI",
                                                    "GA", "GE", "ZR", "PD", "TE", "RE", "XE", "KR", "AR", "RB", "SR",
                                                    "TL", "BI", "EU", "GD", "TB", "LA", "BE", "DY"}};

// Names that stand for no atom: virtual sites of water models, lone pairs, dummies.
constexpr std::array<std::string_view, 8> massless{{"MW", "LP", "EP", "EPW", "DUM", "XX", "M", "X"}};

std::uint8_t one_letter(char c) {
  if (c == 'D') return 1;
  return element_from_symbol(std::string_view(&c, 1));
}

std::uint8_t by_name(std::string_view atom_name, std::string_view residue_name) {
  const Word name = letters_of(atom_name);
  if (name.empty()) return 0;
  const Word residue = letters_of(residue_name);
  const ResidueKind kind = residue_kind(residue_name);
  const auto named = [](std::string_view word) {
    const auto found = std::find_if(ion_names.begin(), ion_names.end(), [&](const Named& n) { return n.name == word; });
    return found == ion_names.end() ? std::uint8_t{0} : found->element;
  };
  if (kind == ResidueKind::ion || name == residue) {
    if (const std::uint8_t ion = named(name)) return ion;
    if (kind == ResidueKind::ion || (name.size() == 2 && kind == ResidueKind::other)) {
      if (const std::uint8_t z = element_from_symbol(name)) return z;
    }
  }
  if (std::find(massless.begin(), massless.end(), name) != massless.end()) return 0;
  if (kind == ResidueKind::protein || kind == ResidueKind::nucleic || kind == ResidueKind::water ||
      kind == ResidueKind::lipid || kind == ResidueKind::sugar) {
    if (name == "SE") return 34;
    const bool bead = kind == ResidueKind::protein && (name == "SC" || name == "BB");
    if (bead || std::string_view("HDCNOSPF").find(name[0]) == std::string_view::npos) return element_from_symbol(name);
    return one_letter(name[0]);
  }
  if (std::find(certain.begin(), certain.end(), name) != certain.end()) return element_from_symbol(name);
  if (residue_name.empty() && name.size() == 2) {
    // Without a residue there is no "alpha" for CA to mean: the name is a symbol.
    if (const std::uint8_t z = element_from_symbol(name)) return z;
  }
  if (const std::uint8_t z = one_letter(name[0])) return z;
  return element_from_symbol(std::string_view(name).substr(0, 2));
}

// The element whose mass this is, 0 where none is near; hydrogen up to 3.5 Da for repartitioned masses.
std::uint8_t by_mass(double mass, const Word& name) {
  if (mass < 0.5) return 0;
  if (mass < 3.5) return 1;
  for (int z = 2; z < element_count; ++z) {
    if (std::abs(static_cast<double>(element(z).mass) - mass) > 0.15) continue;
    const Word symbol = letters_of(element(z).symbol);
    constexpr std::string_view common = " C N O F NA MG P S CL K CA FE ZN BR I ";
    if (name.starts_with(symbol) || common.find(" " + symbol + " ") != std::string_view::npos) {
      return static_cast<std::uint8_t>(z);
    }
  }
  return 0;
}

// The element of a force field's atom type: CT, CA, c3, CG331 carbon, OW oxygen; 0 where it does not begin with one of
// the letters that name one element only.
std::uint8_t by_type(std::string_view type) {
  const Word word = letters_of(type);
  if (word.empty() || word == "OPLS" || word.starts_with("CL") ||
      std::string_view("CHNOS").find(word[0]) == std::string_view::npos) {
    return 0;
  }
  return element_from_symbol(std::string_view(word).substr(0, 1));
}

// Whether a heavy atom of this element may weigh so little because its hydrogens took mass from it: 1.5 to 3.1 Da each,
// one to four of them.
bool gave_mass(std::uint8_t named, double mass) {
  if (named != 6 && named != 7 && named != 8 && named != 16) return false;
  const double deficit = static_cast<double>(element(named).mass) - mass;
  for (int hydrogens = 1; hydrogens <= 4; ++hydrogens) {
    if (deficit >= 1.5 * hydrogens && deficit <= 3.1 * hydrogens) return mass > 2.1;
  }
  return false;
}

}  // namespace

bool has_taken_mass(std::string_view atom_name, std::string_view residue_name, double mass) {
  constexpr double deuterium = 2.014;
  return mass > 1.5 && mass < 5 && std::abs(mass - deuterium) > 0.02 && by_name(atom_name, residue_name) == 1;
}

ElementGuess guess_element(const ElementClues& clues) {
  using By = ElementGuess::By;
  const std::uint8_t named = by_name(clues.atom_name, clues.residue_name);
  const double mass = clues.mass;
  if (!(mass > 0)) return {named, named > 0 ? By::name : By::nothing};
  const double expected = static_cast<double>(element(named).mass);
  if (named == 1 && mass < 5) return {named, By::name};
  if (named > 1 && std::abs(mass - expected) < 0.5) return {named, By::name};
  const std::uint8_t weighed = by_mass(mass, letters_of(clues.atom_name));
  if (gave_mass(named, mass)) {
    // 12.0 Da is carbon, or a water's oxygen without what its hydrogens took.
    const ResidueKind kind = residue_kind(clues.residue_name);
    const bool sure = kind != ResidueKind::other && kind != ResidueKind::ion;
    const std::uint8_t typed = by_type(clues.type);
    if (weighed == 0 || sure || typed == named) return {named, By::name};
    if (typed != weighed && clues.hydrogens_took_mass) return {named, By::name};
  }
  if (weighed > 0) return {weighed, By::mass};
  if (named > 2 && mass < expected && mass > expected - 10 && mass > 4) return {named, By::name};
  return {};
}

std::uint8_t guess_element(std::string_view atom_name, std::string_view residue_name, double mass) {
  return guess_element({atom_name, residue_name, {}, mass}).element;
}

}  // namespace isolume
