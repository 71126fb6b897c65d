// The annotations of an mmCIF file: secondary structure, bonds, cell.
#include "formats/structures/mmcif_annotations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "formats/bytes/text.h"
#include "molecule/base/error.h"
#include "molecule/residue_kinds.h"

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

/// The six numbers of a row; all 0 where one is missing or out of reason.
std::array<float, 6> displacement(const CifTable& table, std::size_t row, const std::array<std::size_t, 6>& columns) {
  std::array<float, 6> u{};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = parse_real(without_uncertainty(table.at(row, columns[i])));
    if (!value || !(std::abs(*value) < 1e4)) return {};
    u[i] = static_cast<float>(*value);
  }
  return u;
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

void apply_component_bonds(const CifDocument& document, std::size_t block, Topology& topology) {
  const CifTable table = document.table(block, "_chem_comp_bond.", "comp_id");
  if (table.empty()) return;
  std::unordered_map<std::string_view, std::vector<std::size_t>> rows;
  const std::size_t component = table.column("comp_id");
  for (std::size_t row = 0; row < table.rows(); ++row) rows[table.at(row, component)].push_back(row);
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const auto found = rows.find(topology.residues[r].name);
    // Of a component with many more bonds than the residue has atoms none can be meant.
    if (found == rows.end() || found->second.size() > 512 + 16 * std::size_t{topology.residues[r].atom_count}) continue;
    const ResidueKind kind = residue_kind(topology, r);
    if (kind != ResidueKind::other && kind != ResidueKind::lipid && kind != ResidueKind::sugar) continue;
    const Residue& residue = topology.residues[r];
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> atoms;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
      atoms[topology.atoms[i].name].push_back(i);
    for (const std::size_t row : found->second) {
      const auto first = atoms.find(table.at(row, "atom_id_1")), second = atoms.find(table.at(row, "atom_id_2"));
      if (first == atoms.end() || second == atoms.end() || first == second) continue;
      constexpr std::size_t locations = 16;
      if (first->second.size() > locations || second->second.size() > locations) continue;
      std::string order(table.at(row, "value_order"));
      for (char& c : order) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      const std::uint8_t value = order == "doub" ? 2 : order == "trip" ? 3 : order == "arom" ? 4 : 1;
      for (const std::uint32_t a : first->second) {
        for (const std::uint32_t b : second->second) {
          const char here = topology.atoms[a].altloc, there = topology.atoms[b].altloc;
          if (here != ' ' && there != ' ' && here != there) continue;
          topology.bonds.push_back({std::min(a, b), std::max(a, b), value});
        }
      }
    }
  }
}

void apply_displacements(const CifDocument& document, std::size_t block, Topology& topology) {
  const CifTable table = document.table(block, "_atom_site_anisotrop.", "u[1][1]");
  if (table.empty()) return;
  std::unordered_map<std::string_view, std::size_t> rows;
  const std::size_t id = table.column("id");
  for (std::size_t row = 0; row < table.rows(); ++row) rows.emplace(table.at(row, id), row);
  const std::array<std::size_t, 6> columns = {table.column("u[1][1]"), table.column("u[2][2]"),
                                              table.column("u[3][3]"), table.column("u[1][2]"),
                                              table.column("u[1][3]"), table.column("u[2][3]")};
  topology.displacements.resize(topology.atoms.size());
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    const auto row = rows.find(std::to_string(topology.atoms[i].serial));
    if (row != rows.end()) topology.displacements[i] = displacement(table, row->second, columns);
  }
}

void apply_displacements(const CifDocument& document, std::size_t block, const Cell& cell, Topology& topology) {
  const CifTable table = document.table(block, "_atom_site_aniso_", "u_11");
  if (table.empty() || !cell.exists()) return;
  std::unordered_map<std::string_view, std::size_t> rows;
  const std::size_t label = table.column("label");
  for (std::size_t row = 0; row < table.rows(); ++row) rows.emplace(table.at(row, label), row);
  const std::array<std::size_t, 6> columns = {table.column("u_11"), table.column("u_22"), table.column("u_33"),
                                              table.column("u_12"), table.column("u_13"), table.column("u_23")};
  // U = A N U' N A^T with the cell's vectors A and N = diag(a*, b*, c*) (Grosse-Kunstleve and Adams 2002, eq. 3a).
  const glm::dmat3& a = cell.vectors;
  const double volume = cell.volume();
  const glm::dvec3 reciprocal(glm::length(glm::cross(a[1], a[2])) / volume,
                              glm::length(glm::cross(a[2], a[0])) / volume,
                              glm::length(glm::cross(a[0], a[1])) / volume);
  const glm::dmat3 m(a[0] * reciprocal.x, a[1] * reciprocal.y, a[2] * reciprocal.z);
  topology.displacements.resize(topology.atoms.size());
  for (std::size_t i = 0; i < topology.atoms.size(); ++i) {
    const auto row = rows.find(topology.atoms[i].name);
    if (row == rows.end()) continue;
    const auto u = displacement(table, row->second, columns);
    const glm::dmat3 c = m * glm::dmat3(u[0], u[3], u[4], u[3], u[1], u[5], u[4], u[5], u[2]) * glm::transpose(m);
    const auto at = [&c](int p, int q) { return static_cast<float>(c[p][q]); };
    topology.displacements[i] = {at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)};
  }
}

char letter(std::string_view text) {
  return !text.empty() && text[0] > ' ' && text[0] <= '~' ? text[0] : ' ';
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
