// What an mmCIF file says of its atoms: helices, strands, bonds, displacements.
#include "formats/write/mmcif_annotation_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "formats/write/cif_text.h"
#include "molecule/elements.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

/// A run of residues of one structure in one polymer.
struct Range {
  SecondaryStructure structure;
  std::uint32_t first, last;
};

std::vector<Range> ranges(const Topology& topology, const CifEntities& entities) {
  std::vector<Range> all;
  for (const CifGroup& group : entities.groups) {
    if (group.kind != CifGroup::Kind::protein) continue;
    for (std::size_t k = 0; k < group.residues.size(); ++k) {
      const SecondaryStructure s = topology.residues[group.residues[k]].structure;
      if (s == SecondaryStructure::coil || s == SecondaryStructure::turn) continue;
      if (k > 0 && topology.residues[group.residues[k - 1]].structure == s) {
        all.back().last = group.residues[k];
      } else {
        all.push_back({s, group.residues[k], group.residues[k]});
      }
    }
  }
  return all;
}

std::string insertion(const Residue& residue) {
  return residue.insertion == ' ' ? "?" : cif_value(std::string(1, residue.insertion));
}

/// "ALA A 12 ? ALA A 30": an end of a range by its label and by the author's names.
std::string end_of(const Topology& topology, const CifEntities& entities, std::uint32_t r) {
  const Residue& residue = topology.residues[r];
  const std::string name = cif_value(cif_residue_name(residue));
  return fmt::format("{} {} {} {} {} {} {}", name, cif_value(entities.groups[entities.group_of[r]].label),
                     entities.number_in[r], insertion(residue), name, cif_value(topology.chains[residue.chain].id),
                     residue.number);
}

constexpr const char* ends =
    "_{0}.beg_label_comp_id\n_{0}.beg_label_asym_id\n_{0}.beg_label_seq_id\n_{0}.pdbx_beg_PDB_ins_code\n"
    "_{0}.beg_auth_comp_id\n_{0}.beg_auth_asym_id\n_{0}.beg_auth_seq_id\n"
    "_{0}.end_label_comp_id\n_{0}.end_label_asym_id\n_{0}.end_label_seq_id\n_{0}.pdbx_end_PDB_ins_code\n"
    "_{0}.end_auth_comp_id\n_{0}.end_auth_asym_id\n_{0}.end_auth_seq_id\n";

bool by_names(ResidueKind kind) {
  return kind == ResidueKind::other || kind == ResidueKind::lipid || kind == ResidueKind::sugar;
}

/// C-N of a peptide or O3'-P of a nucleic acid between neighbours.
bool implied(const Topology& topology, const CifEntities& entities, const Bond& bond) {
  const std::uint32_t a = topology.atoms[bond.a].residue, b = topology.atoms[bond.b].residue;
  if (entities.group_of[a] != entities.group_of[b] || entities.number_in[a] == 0) return false;
  if (entities.number_in[a] + 1 != entities.number_in[b] && entities.number_in[b] + 1 != entities.number_in[a])
    return false;
  const bool forward = entities.number_in[a] < entities.number_in[b];
  const Name from = topology.atoms[forward ? bond.a : bond.b].name;
  const Name to = topology.atoms[forward ? bond.b : bond.a].name;
  return (from == "C" && to == "N") || ((from == "O3'" || from == "O3*") && to == "P");
}

bool metal(int z) {
  return z == 3 || z == 4 || (z >= 11 && z <= 13) || (z >= 19 && z <= 31) || (z >= 37 && z <= 50) ||
         (z >= 55 && z <= 84) || z >= 87;
}

const char* connection(const Topology& topology, const Bond& bond) {
  const Atom &a = topology.atoms[bond.a], &b = topology.atoms[bond.b];
  if (metal(a.element) || metal(b.element)) return "metalc";
  return a.element == 16 && b.element == 16 && a.name == "SG" && b.name == "SG" ? "disulf" : "covale";
}

const char* connection_order(std::uint8_t order) {
  constexpr std::array<const char*, 4> words = {"?", "sing", "doub", "trip"};
  return order < words.size() ? words[order] : "?";
}

std::string partner(const Topology& topology, const CifEntities& entities, std::uint32_t i) {
  const Atom& atom = topology.atoms[i];
  const Residue& residue = topology.residues[atom.residue];
  const std::string name = cif_value(cif_residue_name(residue));
  const std::uint32_t number = entities.number_in[atom.residue];
  return fmt::format("{} {} {} {} {} {} {} {} {} 1_555",
                     cif_value(entities.groups[entities.group_of[atom.residue]].label), name,
                     number == 0 ? "." : std::to_string(number), cif_value(cif_atom_name(atom)),
                     atom.altloc == ' ' ? "?" : cif_value(std::string(1, atom.altloc)), insertion(residue),
                     cif_value(topology.chains[residue.chain].id), name, residue.number);
}

constexpr const char* partner_items =
    "_struct_conn.ptnr{0}_label_asym_id\n_struct_conn.ptnr{0}_label_comp_id\n_struct_conn.ptnr{0}_label_seq_id\n"
    "_struct_conn.ptnr{0}_label_atom_id\n_struct_conn.pdbx_ptnr{0}_label_alt_id\n"
    "_struct_conn.pdbx_ptnr{0}_PDB_ins_code\n_struct_conn.ptnr{0}_auth_asym_id\n_struct_conn.ptnr{0}_auth_comp_id\n"
    "_struct_conn.ptnr{0}_auth_seq_id\n_struct_conn.ptnr{0}_symmetry\n";

/// Whether each atom of a residue has a name of its own, but for alternate locations.
bool named_apart(const Topology& topology, const Residue& residue) {
  std::set<std::pair<std::string, char>> names;
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i)
    if (!names.emplace(cif_atom_name(topology.atoms[i]), topology.atoms[i].altloc).second) return false;
  return true;
}

}  // namespace

void write_cif_structure(BufferedOutput& out, const Topology& topology, const CifEntities& entities) {
  const std::vector<Range> all = ranges(topology, entities);
  const auto strand = [](const Range& range) { return range.structure == SecondaryStructure::strand; };
  const auto strands = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), strand));
  if (strands < all.size()) {
    out.add("loop_\n_struct_conf.conf_type_id\n_struct_conf.id\n_struct_conf.pdbx_PDB_helix_class\n");
    out.add_text(fmt::format(fmt::runtime(ends), "struct_conf"));
    std::size_t number = 0;
    for (const Range& range : all) {
      if (strand(range)) continue;
      const int kind = range.structure == SecondaryStructure::helix_3_10 ? 5
                       : range.structure == SecondaryStructure::helix_pi ? 3
                                                                         : 1;
      ++number;
      out.add("HELX_P HELX_P{} {} {} {}\n", number, kind, end_of(topology, entities, range.first),
              end_of(topology, entities, range.last));
    }
    out.add_text("#\nloop_\n_struct_conf_type.id\nHELX_P\n#\n");
  }
  if (strands == 0) return;
  out.add("loop_\n_struct_sheet_range.sheet_id\n_struct_sheet_range.id\n");
  out.add_text(fmt::format(fmt::runtime(ends), "struct_sheet_range"));
  std::size_t number = 0;
  for (const Range& range : all) {
    if (!strand(range)) continue;
    out.add("{} 1 {} {}\n", ++number, end_of(topology, entities, range.first), end_of(topology, entities, range.last));
  }
  out.add_text("#\n");
}

std::size_t write_cif_bonds(BufferedOutput& out, const Topology& topology, const CifEntities& entities,
                            const std::vector<std::uint32_t>& atoms) {
  std::vector<bool> written(topology.atoms.size(), false);
  for (const std::uint32_t i : atoms) written[i] = true;
  std::vector<const Bond*> between;
  // Bonds by names of a kind of residue; the first order that is met counts, and what most of the residues have: a bond
  // by distance in one of them alone is none.
  std::map<std::string, std::map<std::pair<std::string, std::string>, std::uint8_t>> within;
  std::map<std::string, std::map<std::pair<std::string, std::string>, std::size_t>> counts;
  std::map<std::string, std::size_t> residues;
  std::map<std::uint32_t, bool> apart;
  std::size_t nameless = 0;
  for (const Bond& bond : topology.bonds) {
    if (!written[bond.a] || !written[bond.b]) continue;
    const Atom &a = topology.atoms[bond.a], &b = topology.atoms[bond.b];
    if (a.residue != b.residue) {
      if (!implied(topology, entities, bond)) between.push_back(&bond);
      continue;
    }
    if (!by_names(residue_kind(topology, a.residue))) continue;
    const Residue& residue = topology.residues[a.residue];
    const auto [known, added] = apart.try_emplace(a.residue, false);
    if (added) {
      known->second = named_apart(topology, residue);
      residues[cif_residue_name(residue)] += known->second;
    }
    if (!known->second) {
      ++nameless;
      continue;
    }
    const std::string first = cif_atom_name(a), second = cif_atom_name(b);
    const std::pair<std::string, std::string> names = std::minmax(first, second);
    within[cif_residue_name(residue)].try_emplace(names, bond.order);
    ++counts[cif_residue_name(residue)][names];
  }
  for (auto& [name, bonds] : within)
    std::erase_if(bonds, [&](const auto& bond) { return 2 * counts[name][bond.first] < residues[name]; });
  if (!between.empty()) {
    out.add_text("loop_\n_struct_conn.id\n_struct_conn.conn_type_id\n");
    for (const int k : {1, 2}) out.add_text(fmt::format(fmt::runtime(partner_items), k));
    out.add_text("_struct_conn.pdbx_value_order\n");
    std::map<std::string, std::size_t> numbers;
    for (const Bond* const bond : between) {
      const std::string kind = connection(topology, *bond);
      out.add("{}{} {} {} {} {}\n", kind, ++numbers[kind], kind, partner(topology, entities, bond->a),
              partner(topology, entities, bond->b), topology.has_bonds ? connection_order(bond->order) : "?");
    }
    out.add_text("#\nloop_\n_struct_conn_type.id\n");
    for (const auto& [kind, number] : numbers) out.add("{}\n", kind);
    out.add_text("#\n");
  }
  if (within.empty()) return nameless;
  out.add_text(
      "loop_\n_chem_comp_bond.comp_id\n_chem_comp_bond.atom_id_1\n_chem_comp_bond.atom_id_2\n"
      "_chem_comp_bond.value_order\n_chem_comp_bond.pdbx_aromatic_flag\n");
  for (const auto& [name, bonds] : within) {
    const bool orders =
        topology.has_bonds || std::any_of(bonds.begin(), bonds.end(), [](const auto& bond) { return bond.second > 1; });
    constexpr std::array<const char*, 5> words = {"?", "SING", "DOUB", "TRIP", "AROM"};
    for (const auto& [pair, order] : bonds) {
      out.add("{} {} {} {} {}\n", cif_value(name), cif_value(pair.first), cif_value(pair.second),
              orders && order < words.size() ? words[order] : "?", orders ? order == 4 ? "Y" : "N" : "?");
    }
  }
  out.add_text("#\n");
  return nameless;
}

void write_cif_displacements(BufferedOutput& out, const Topology& topology, const std::vector<std::uint32_t>& atoms) {
  if (topology.displacements.size() != topology.atoms.size()) return;
  const auto none = [&](std::uint32_t i) { return topology.displacements[i] == std::array<float, 6>{}; };
  if (std::all_of(atoms.begin(), atoms.end(), none)) return;
  out.add_text("loop_\n_atom_site_anisotrop.id\n_atom_site_anisotrop.type_symbol\n");
  for (const char* const item : {"1][1", "2][2", "3][3", "1][2", "1][3", "2][3"})
    out.add("_atom_site_anisotrop.U[{}]\n", item);
  for (std::size_t k = 0; k < atoms.size(); ++k) {
    if (none(atoms[k])) continue;
    const auto& u = topology.displacements[atoms[k]];
    out.add("{} {} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f}\n", k + 1,
            element(topology.atoms[atoms[k]].element).symbol, u[0], u[1], u[2], u[3], u[4], u[5]);
  }
  out.add_text("#\n");
}

}  // namespace isolume
