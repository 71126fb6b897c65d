// What PDB records say about residues and bonds: HELIX, SHEET, SSBOND, LINK, CONECT.
#include "formats/structures/pdb_annotations.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "formats/structures/pdb_fields.h"

namespace isolume::pdb {
namespace {

using ResidueKey = std::tuple<std::string, std::int32_t, char>;
using ResidueMap = std::map<ResidueKey, std::uint32_t>;

/// Residues by chain, number and insertion code; the first of a name wins (waters come after their chain).
ResidueMap residue_map(const Topology& topology) {
  ResidueMap map;
  for (std::uint32_t i = 0; i < topology.residues.size(); ++i) {
    const Residue& residue = topology.residues[i];
    map.try_emplace({topology.chains[residue.chain].id, residue.number, residue.insertion}, i);
  }
  return map;
}

/// The residue that a record names by a chain column and the column where the number starts.
std::optional<std::uint32_t> find_residue(const ResidueMap& map, std::string_view line, std::size_t chain_column,
                                          std::size_t number_column) {
  const auto number = residue_number(line, number_column);
  if (!number) return std::nullopt;
  const auto found = map.find({name(line, chain_column, chain_column), number->value, number->insertion});
  if (found == map.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> find_atom(const Topology& topology, std::uint32_t residue, std::string_view atom_name,
                                       char altloc) {
  const Residue& r = topology.residues[residue];
  for (std::uint32_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i) {
    const Atom& atom = topology.atoms[i];
    if (atom.name == atom_name && (altloc == ' ' || atom.altloc == altloc)) return i;
  }
  return std::nullopt;
}

/// Both ends lie in the asymmetric unit as it is in the file (symmetry operators are blank, equal, or the identity).
bool same_image(std::string_view line) {
  const std::string_view a = field(line, 60, 65);
  const std::string_view b = field(line, 67, 72);
  return a == b || a.empty() || b.empty();
}

/// Elements between which a LINK is a covalent bond; a metal's coordination is left to the distance rule.
bool covalent(const Atom& atom) {
  constexpr std::uint8_t nonmetals[] = {1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 33, 34, 35, 53};
  return std::find(std::begin(nonmetals), std::end(nonmetals), atom.element) != std::end(nonmetals);
}

void add_bond(Topology& topology, std::uint32_t a, std::uint32_t b, std::uint8_t order = 1) {
  if (a == b) return;
  topology.bonds.push_back({std::min(a, b), std::max(a, b), order});
}

void apply_conect(const std::vector<std::string_view>& lines, Topology& topology, std::size_t& missing) {
  if (lines.empty()) return;
  constexpr std::uint32_t ambiguous = ~std::uint32_t{0};
  std::unordered_map<std::int32_t, std::uint32_t> by_serial;
  by_serial.reserve(topology.atoms.size());
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    const auto [place, fresh] = by_serial.try_emplace(topology.atoms[i].serial, i);
    if (!fresh) place->second = ambiguous;
  }
  const auto atom_at = [&](std::string_view text) -> std::optional<std::uint32_t> {
    const auto serial = number(text);
    const auto found = serial ? by_serial.find(*serial) : by_serial.end();
    if (found == by_serial.end() || found->second == ambiguous) return std::nullopt;
    return found->second;
  };
  // How often an atom names a partner is the order of the bond.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint8_t> named;
  for (const std::string_view line : lines) {
    const auto a = atom_at(columns(line, 7, 11));
    for (std::size_t column = 12; column <= 27; column += 5) {
      const std::string_view text = columns(line, column, column + 4);
      if (trimmed(text).empty()) continue;
      const auto b = atom_at(text);
      if (!a || !b) {
        ++missing;
      } else if (*a != *b) {
        std::uint8_t& count = named[{*a, *b}];
        count = static_cast<std::uint8_t>(std::min(3, count + 1));
      }
    }
  }
  for (const auto& [pair, order] : named) add_bond(topology, pair.first, pair.second, order);
}

}  // namespace

bool Annotations::take(std::string_view line) {
  if (line.starts_with("CONECT")) {
    connections.push_back(line);
  } else if (line.starts_with("HELIX ")) {
    helices.push_back(line);
  } else if (line.starts_with("SHEET ")) {
    sheets.push_back(line);
  } else if (line.starts_with("SSBOND")) {
    disulfides.push_back(line);
  } else if (line.starts_with("LINK  ")) {
    links.push_back(line);
  } else if (line.starts_with("REMARK 350")) {
    assemblies.push_back(line);
  } else if (line.starts_with("REMARK 290")) {
    symmetry.push_back(line);
  } else {
    return false;
  }
  return true;
}

void apply_structure(const Annotations& annotations, Topology& topology) {
  if (annotations.helices.empty() && annotations.sheets.empty()) return;
  const ResidueMap map = residue_map(topology);
  const auto mark = [&](std::optional<std::uint32_t> first, std::optional<std::uint32_t> last,
                        SecondaryStructure structure) {
    if (!first || !last || *first > *last) return;
    if (topology.residues[*first].chain != topology.residues[*last].chain) return;
    for (std::uint32_t i = *first; i <= *last; ++i) topology.residues[i].structure = structure;
    topology.has_structure = true;
  };
  for (const std::string_view line : annotations.sheets) {
    mark(find_residue(map, line, 22, 23), find_residue(map, line, 33, 34), SecondaryStructure::strand);
  }
  for (const std::string_view line : annotations.helices) {
    const std::string_view type = field(line, 39, 40);
    const SecondaryStructure structure = type == "5"   ? SecondaryStructure::helix_3_10
                                         : type == "3" ? SecondaryStructure::helix_pi
                                                       : SecondaryStructure::helix;
    mark(find_residue(map, line, 20, 22), find_residue(map, line, 32, 34), structure);
  }
}

void apply_bonds(const Annotations& annotations, Topology& topology, std::vector<std::string>& warnings) {
  std::size_t missing = 0;
  if (!annotations.disulfides.empty() || !annotations.links.empty()) {
    const ResidueMap map = residue_map(topology);
    for (const std::string_view line : annotations.disulfides) {
      if (!same_image(line)) continue;
      const auto a = find_residue(map, line, 16, 18);
      const auto b = find_residue(map, line, 30, 32);
      const auto sa = a ? find_atom(topology, *a, "SG", ' ') : std::nullopt;
      const auto sb = b ? find_atom(topology, *b, "SG", ' ') : std::nullopt;
      if (sa && sb) {
        add_bond(topology, *sa, *sb);
      } else {
        ++missing;
      }
    }
    for (const std::string_view line : annotations.links) {
      if (!same_image(line)) continue;
      const auto a = find_residue(map, line, 22, 23);
      const auto b = find_residue(map, line, 52, 53);
      const auto atom_a = a ? find_atom(topology, *a, name(line, 13, 16), letter(line, 17)) : std::nullopt;
      const auto atom_b = b ? find_atom(topology, *b, name(line, 43, 46), letter(line, 47)) : std::nullopt;
      if (!atom_a || !atom_b) {
        ++missing;
      } else if (covalent(topology.atoms[*atom_a]) && covalent(topology.atoms[*atom_b])) {
        add_bond(topology, *atom_a, *atom_b);
      }
    }
  }
  apply_conect(annotations.connections, topology, missing);
  if (missing > 0) {
    warnings.push_back(std::to_string(missing) +
                       " bonds of CONECT, SSBOND or LINK records name atoms that are missing or not unique.");
  }
}

}  // namespace isolume::pdb
