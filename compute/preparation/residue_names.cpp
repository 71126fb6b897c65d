// Names of residues and atoms in the PDB, AMBER, CHARMM and GROMACS, and what the tables call them.
#include "compute/preparation/residue_names.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "compute/preparation/residue_tables.h"
#include "molecule/elements.h"
#include "molecule/force_field/residue_templates.h"
#include "molecule/residue_kinds.h"

namespace isolume {

namespace {

using Names = std::map<std::string_view, std::pair<const char*, const char*>>;

/// Base and state of the names of amino acids that say a state.
const Names& amino_names() {
  static const Names names{
      {"HID", {"HIS", "HID"}},  {"HSD", {"HIS", "HID"}},  {"HISA", {"HIS", "HID"}}, {"HISD", {"HIS", "HID"}},
      {"HIE", {"HIS", "HIE"}},  {"HSE", {"HIS", "HIE"}},  {"HISB", {"HIS", "HIE"}}, {"HISE", {"HIS", "HIE"}},
      {"HIP", {"HIS", "HIP"}},  {"HSP", {"HIS", "HIP"}},  {"HISH", {"HIS", "HIP"}}, {"HISP", {"HIS", "HIP"}},
      {"ASH", {"ASP", "ASH"}},  {"ASPH", {"ASP", "ASH"}}, {"ASPP", {"ASP", "ASH"}}, {"GLH", {"GLU", "GLH"}},
      {"GLUH", {"GLU", "GLH"}}, {"GLUP", {"GLU", "GLH"}}, {"LYN", {"LYS", "LYN"}},  {"LSN", {"LYS", "LYN"}},
      {"LYSH", {"LYS", "LYS"}}, {"CYX", {"CYS", "CYX"}},  {"CYS2", {"CYS", "CYX"}}, {"CYM", {"CYS", "CYM"}},
      {"CYSH", {"CYS", "CYS"}}, {"TYM", {"TYR", "TYM"}},  {"ARN", {"ARG", "ARN"}},  {"ARGN", {"ARG", "ARN"}}};
  return names;
}

bool is_amino(std::string_view name) {
  static const char* const plain[] = {"ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS",
                                      "ILE", "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP",
                                      "TYR", "VAL", "HYP", "MSE", "SEP", "TPO", "PTR"};
  return std::any_of(std::begin(plain), std::end(plain), [&](const char* p) { return name == p; });
}

/// Cofactors that a table has, under the PDB's names.
bool is_cofactor(std::string_view name) {
  static const char* const names[] = {"AMP", "ADP", "ATP", "NAD", "NAI", "NAP", "NDP"};
  return std::any_of(std::begin(names), std::end(names), [&](const char* p) { return name == p; });
}

bool amino(std::string_view name, TemplateName& out) {
  const auto found = amino_names().find(name);
  if (found == amino_names().end() && !is_amino(name)) return false;
  out.kind = TemplateKind::amino;
  out.base = found != amino_names().end() ? found->second.first : std::string(name);
  out.state = found != amino_names().end() ? found->second.second : "";
  return true;
}

/// The letter of a nucleotide, ' ' where the name is none.
char base_letter(std::string_view name) {
  static const std::map<std::string_view, char> spelled{
      {"ADE", 'A'}, {"CYT", 'C'}, {"GUA", 'G'}, {"THY", 'T'}, {"URA", 'U'}};
  if (const auto found = spelled.find(name); found != spelled.end()) return found->second;
  if (name.size() > 1 && (name[0] == 'D' || name[0] == 'R')) name.remove_prefix(1);
  if (name.size() == 2 && (name[1] == '5' || name[1] == '3' || name[1] == 'N')) name.remove_suffix(1);
  return name.size() == 1 && std::string_view("ACGTU").find(name[0]) != std::string_view::npos ? name[0] : ' ';
}

bool has_atom(const Topology& topology, const Residue& residue, std::string_view name, std::string_view other = {}) {
  for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    const Name own = topology.atoms[i].name;
    if (own == name || (!other.empty() && own == other)) return true;
  }
  return false;
}

std::string ion_name(const Topology& topology, const Residue& residue) {
  if (residue.name == "FE2" || residue.name == "FE") return residue.name;
  std::string symbol(element(topology.atoms[residue.first_atom].element).symbol);
  std::transform(symbol.begin(), symbol.end(), symbol.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  if (symbol == "I") return "IOD";
  return symbol == "FE" ? "FE2" : symbol;
}

}  // namespace

TemplateName template_name(const Topology& topology, std::size_t index) {
  const Residue& residue = topology.residues[index];
  const std::string& name = residue.name;
  TemplateName result;
  result.base = name;
  if (amino(name, result)) return result;
  const bool backbone = has_atom(topology, residue, "CA") && has_atom(topology, residue, "N");
  if (name.size() == 4 && (name[0] == 'N' || name[0] == 'C') && backbone && amino(name.substr(1), result))
    return result;
  if (name == "ACE" || name == "NME" || name == "NMA" || name == "NH2" || name == "NHE") {
    result.kind = TemplateKind::cap;
    result.base = name == "NMA" ? "NME" : name == "NH2" ? "NHE" : name;
    return result;
  }
  const ResidueKind kind = residue_kind(topology, index);
  if (kind == ResidueKind::water) {
    result.kind = TemplateKind::water;
    result.base = "HOH";
  } else if (const char letter = base_letter(name);
             letter != ' ' && has_atom(topology, residue, "C1'", "C1*") && has_atom(topology, residue, "O5'", "O5*")) {
    result.kind = TemplateKind::nucleic;
    const bool ribose = has_atom(topology, residue, "O2'", "O2*");
    result.base = std::string(ribose ? "R" : "D") + letter;
  } else if (residue.atom_count == 1 && (kind == ResidueKind::ion || is_known_residue(ion_name(topology, residue)))) {
    result.kind = TemplateKind::ion;
    result.base = ion_name(topology, residue);
  } else if (name == "HEM" || name == "HEME") {
    result.kind = TemplateKind::other;
    result.base = "HEM";
  } else if (is_cofactor(name)) {
    result.kind = TemplateKind::other;
  }
  return result;
}

bool has_known_polymer(const Topology& topology) {
  for (std::size_t r = 0; r < topology.residues.size(); ++r) {
    const TemplateKind kind = template_name(topology, r).kind;
    if (kind == TemplateKind::amino || kind == TemplateKind::nucleic) return true;
  }
  return false;
}

std::string table_atom_name(const std::string& name, const TemplateName& residue) {
  using Table = std::map<std::string_view, const char*>;
  if (residue.kind == TemplateKind::nucleic) return common_atom_name(name, residue.base);
  if (residue.kind == TemplateKind::amino) {
    static const Table ends{{"OT1", "O"}, {"OC1", "O"}, {"OT2", "OXT"}, {"OC2", "OXT"}, {"OT", "OXT"}};
    if (const auto found = ends.find(name); found != ends.end()) return found->second;
    if (residue.base == "ILE" && name == "CD") return "CD1";
    if (residue.base == "HYP" && name == "OD") return "OD1";
    return name;
  }
  if (residue.kind == TemplateKind::water) {
    return name == "OW" || name == "OH2" || name == "OW0" ? "O" : name;
  }
  if (residue.kind == TemplateKind::ion) return residue.base;
  if (residue.kind == TemplateKind::cap) {
    static const Table acetyl{{"CAY", "CH3"}, {"CY", "C"}, {"OY", "O"}};
    static const Table amide{{"NT", "N"}, {"CAT", "CH3"}, {"C", "CH3"}, {"CA", "CH3"}};
    const Table& table = residue.base == "ACE" ? acetyl : amide;
    if (const auto found = table.find(name); found != table.end()) return found->second;
  }
  return name;
}

}  // namespace isolume
