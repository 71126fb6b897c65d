// What an mmCIF file says beside its atoms: secondary structure, bonds, cell.
#include "formats/mmcif_annotations.h"

#include <algorithm>
#include <optional>

#include "formats/text.h"
#include "molecule/error.h"

namespace isolume::mmcif {
namespace {

std::optional<std::uint32_t> find_label(const ResidueIndex& index, std::string_view chain, std::string_view number) {
  if (number.empty()) return std::nullopt;
  const auto found = index.by_label.find({std::string(chain), std::string(number)});
  if (found == index.by_label.end()) return std::nullopt;
  return found->second;
}

void mark(Topology& topology, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last,
          SecondaryStructure structure) {
  if (!first || !last || *first > *last) return;
  if (topology.residues[*first].chain != topology.residues[*last].chain) return;
  for (std::uint32_t i = *first; i <= *last; ++i) topology.residues[i].structure = structure;
  topology.has_structure = true;
}

std::optional<SecondaryStructure> helix_kind(std::string_view type, std::string_view pdb_class) {
  if (type.find("3T") != std::string_view::npos || pdb_class == "5") return SecondaryStructure::helix_3_10;
  if (type.find("PI") != std::string_view::npos || pdb_class == "3") return SecondaryStructure::helix_pi;
  if (type.starts_with("HELX")) return SecondaryStructure::helix;
  if (type.starts_with("STRN")) return SecondaryStructure::strand;
  return std::nullopt;  // turns are not drawn
}

/// The atom that one partner of a struct_conn row names.
std::optional<std::uint32_t> partner(const CifTable& table, std::size_t row, const std::string& number,
                                     const ResidueIndex& index, const Topology& topology) {
  const std::string_view chain = table.at(row, "ptnr" + number + "_label_asym_id");
  std::optional<std::uint32_t> residue = find_label(index, chain, table.at(row, "ptnr" + number + "_label_seq_id"));
  if (!residue) {
    const auto found =
        index.by_author.find({std::string(chain), std::string(table.at(row, "ptnr" + number + "_auth_seq_id")),
                              std::string(table.at(row, "pdbx_ptnr" + number + "_pdb_ins_code"))});
    if (found == index.by_author.end()) return std::nullopt;
    residue = found->second;
  }
  const Residue& r = topology.residues[*residue];
  const std::string_view name = table.at(row, "ptnr" + number + "_label_atom_id");
  const std::string_view altloc = table.at(row, "pdbx_ptnr" + number + "_label_alt_id");
  for (std::uint32_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i) {
    const Atom& atom = topology.atoms[i];
    if (atom.name == name && (altloc.empty() || atom.altloc == altloc[0])) return i;
  }
  return std::nullopt;
}

}  // namespace

void apply_structure(const CifDocument& document, std::size_t block, const ResidueIndex& index, Topology& topology) {
  const CifTable sheets = document.table(block, "_struct_sheet_range.", "beg_label_seq_id");
  for (std::size_t row = 0; row < sheets.rows(); ++row) {
    mark(topology, find_label(index, sheets.at(row, "beg_label_asym_id"), sheets.at(row, "beg_label_seq_id")),
         find_label(index, sheets.at(row, "end_label_asym_id"), sheets.at(row, "end_label_seq_id")),
         SecondaryStructure::strand);
  }
  const CifTable helices = document.table(block, "_struct_conf.", "beg_label_seq_id");
  for (std::size_t row = 0; row < helices.rows(); ++row) {
    const auto kind = helix_kind(helices.at(row, "conf_type_id"), helices.at(row, "pdbx_pdb_helix_class"));
    if (!kind) continue;
    mark(topology, find_label(index, helices.at(row, "beg_label_asym_id"), helices.at(row, "beg_label_seq_id")),
         find_label(index, helices.at(row, "end_label_asym_id"), helices.at(row, "end_label_seq_id")), *kind);
  }
}

void apply_bonds(const CifDocument& document, std::size_t block, const ResidueIndex& index, Topology& topology,
                 std::vector<std::string>& warnings) {
  const CifTable table = document.table(block, "_struct_conn.", "conn_type_id");
  std::size_t missing = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view type = table.at(row, "conn_type_id");
    if (!type.starts_with("covale") && type != "disulf") continue;  // metal coordination and hydrogen bonds are not
    const std::string_view here = table.at(row, "ptnr1_symmetry");
    const std::string_view there = table.at(row, "ptnr2_symmetry");
    if (!here.empty() && !there.empty() && here != there) continue;
    const auto a = partner(table, row, "1", index, topology);
    const auto b = partner(table, row, "2", index, topology);
    if (!a || !b) {
      ++missing;
    } else if (*a != *b) {
      const std::string_view order = table.at(row, "pdbx_value_order");
      const std::uint8_t bond_order = order == "doub" ? 2 : order == "trip" ? 3 : 1;
      topology.bonds.push_back({std::min(*a, *b), std::max(*a, *b), bond_order});
    }
  }
  if (missing > 0) {
    warnings.push_back(std::to_string(missing) + " bonds of struct_conn name atoms that are not there.");
  }
}

std::string_view without_uncertainty(std::string_view text) {
  return text.substr(0, text.find('('));
}

Cell cell(const CifDocument& document, std::size_t block, const std::string& prefix,
          std::vector<std::string>& warnings) {
  constexpr const char* tags[] = {"length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"};
  double values[6];
  for (int i = 0; i < 6; ++i) {
    const std::string text = document.value(block, prefix + tags[i]);
    if (text.empty()) return {};
    const auto value = parse_real(without_uncertainty(text));
    if (!value) {
      warnings.push_back("The cell makes no sense (" + prefix + tags[i] + " is \"" + clean(text, 40) +
                         "\"); there is none.");
      return {};
    }
    values[i] = *value;
  }
  const glm::dvec3 lengths(values[0], values[1], values[2]);
  const glm::dvec3 angles(values[3], values[4], values[5]);
  if (lengths == glm::dvec3(0.0) || (lengths == glm::dvec3(1.0) && angles == glm::dvec3(90.0))) return {};
  try {
    return Cell::from_lengths_angles(lengths, angles);
  } catch (const Error& error) {
    warnings.push_back(std::string("The cell makes no sense (") + error.what() + "); there is none.");
    return {};
  }
}

}  // namespace isolume::mmcif
