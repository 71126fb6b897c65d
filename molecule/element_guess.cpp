// The element of an atom from its name, the residue it stands in, and its mass.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

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

// The element whose mass this is, 0 where none is near; hydrogen up to 5 Da for repartitioned masses.
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

}  // namespace

std::uint8_t guess_element(std::string_view atom_name, std::string_view residue_name, double mass) {
  const std::uint8_t named = by_name(atom_name, residue_name);
  if (!(mass > 0)) return named;
  const double expected = static_cast<double>(element(named).mass);
  // Hydrogen mass repartitioning moves up to 3 Da per hydrogen from a heavy atom to each of its hydrogens.
  if (named == 1 && mass < 5) return 1;
  if (named > 1 && std::abs(mass - expected) < 0.5) return named;
  if (const std::uint8_t weighed = by_mass(mass, letters_of(atom_name))) return weighed;
  if (named > 2 && mass < expected && mass > expected - 10 && mass > 4) return named;
  return 0;
}

}  // namespace isolume
