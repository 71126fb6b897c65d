// Alternate locations of a residue: which one counts, and which are another residue in truth.
#include "molecule/alternates.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace isolume {
namespace {

/// Heavy atoms of the residues of proteins, without OXT.
constexpr std::pair<std::string_view, std::size_t> heavy_atoms[] = {
    {"GLY", 4}, {"ALA", 5}, {"SER", 6},  {"CYS", 6},  {"PRO", 7},  {"VAL", 7},  {"THR", 7},
    {"ILE", 8}, {"LEU", 8}, {"ASP", 8},  {"ASN", 8},  {"MET", 8},  {"MSE", 8},  {"GLN", 9},
    {"GLU", 9}, {"LYS", 9}, {"HIS", 10}, {"PHE", 11}, {"ARG", 11}, {"TYR", 12}, {"TRP", 14}};

std::set<std::string_view> heavy_names(const Topology& topology, const Residue& residue, char location) {
  std::set<std::string_view> names;
  for (std::size_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
    const Atom& atom = topology.atoms[i];
    if (atom.element > 1 && atom.name != "OXT" && (atom.altloc == ' ' || atom.altloc == location))
      names.insert(atom.name);
  }
  return names;
}

}  // namespace

char first_alternate(const Topology& topology, std::size_t residue) {
  const Residue& r = topology.residues[residue];
  for (std::size_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i)
    if (topology.atoms[i].altloc != ' ' && topology.atoms[i].altloc != '\0') return topology.atoms[i].altloc;
  return ' ';
}

bool is_other_residue(const Topology& topology, std::size_t residue, char location) {
  if (location == ' ' || location == '\0') return false;
  const char first = first_alternate(topology, residue);
  if (location == first) return false;
  const Residue& r = topology.residues[residue];
  const auto own = heavy_names(topology, r, first), other = heavy_names(topology, r, location);
  if (own == other) return false;
  if (!std::includes(other.begin(), other.end(), own.begin(), own.end())) return true;
  const auto* known = std::find_if(std::begin(heavy_atoms), std::end(heavy_atoms),
                                   [&](const auto& entry) { return entry.first == r.name; });
  return known != std::end(heavy_atoms) && other.size() > known->second;
}

}  // namespace isolume
