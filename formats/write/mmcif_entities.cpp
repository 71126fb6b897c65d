// The chemical entities of a molecule as mmCIF names them: polymers, each ligand and ion, waters.
#include "formats/write/mmcif_entities.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "molecule/elements.h"
#include "molecule/residue_kinds.h"

namespace isolume {
namespace {

using Kind = CifGroup::Kind;

Kind kind_of(const Topology& topology, std::uint32_t residue) {
  switch (residue_kind(topology, residue)) {
    case ResidueKind::protein:
      return Kind::protein;
    case ResidueKind::nucleic:
      return Kind::nucleic;
    case ResidueKind::water:
      return Kind::water;
    default:
      return Kind::other;
  }
}

/// "A" to "Z", "AA", "AB" and so on.
std::string label_number(std::size_t n) {
  std::string label;
  for (++n; n > 0; n = (n - 1) / 26) label.insert(label.begin(), static_cast<char>('A' + (n - 1) % 26));
  return label;
}

/// A free amino acid or nucleotide among the ligands is no polymer.
bool alone(const Topology& topology, const CifGroup& group) {
  return group.polymer() && group.residues.size() == 1 &&
         topology.atoms[topology.residues[group.residues[0]].first_atom].hetero;
}

bool has_o2(const Topology& topology, std::uint32_t residue) {
  const Residue& r = topology.residues[residue];
  for (std::uint32_t i = r.first_atom; i < r.first_atom + r.atom_count; ++i)
    if (topology.atoms[i].name == "O2'" || topology.atoms[i].name == "O2*") return true;
  return false;
}

/// The segments of the chains are the labels where each chain is one group and their names differ.
void add_labels(const Topology& topology, CifEntities& all) {
  std::set<std::string> taken;
  std::map<std::string, std::size_t> count;
  const auto segment = [&](const CifGroup& group) {
    return topology.chains[topology.residues[group.residues[0]].chain].segment;
  };
  for (const CifGroup& group : all.groups) ++count[segment(group)];
  for (CifGroup& group : all.groups) {
    const std::string name = segment(group);
    if (name.empty() || count[name] > 1) continue;
    group.label = name;
    taken.insert(name);
  }
  std::size_t next = 0;
  for (CifGroup& group : all.groups) {
    while (group.label.empty()) {
      std::string name = label_number(next++);
      if (taken.insert(name).second) group.label = std::move(name);
    }
  }
}

}  // namespace

std::string cif_residue_name(const Residue& residue) {
  return residue.name.empty() ? "UNL" : residue.name;
}

std::string cif_atom_name(const Atom& atom) {
  return atom.name.empty() ? std::string(element(atom.element).symbol) : atom.name.text();
}

CifEntities cif_entities(const Topology& topology, const std::vector<std::uint32_t>& atoms) {
  CifEntities all;
  all.group_of.assign(topology.residues.size(), 0);
  all.number_in.assign(topology.residues.size(), 0);
  std::int64_t last = -1;
  for (const std::uint32_t atom : atoms) {
    const std::uint32_t residue = topology.atoms[atom].residue;
    if (residue == last) continue;
    const Kind kind = kind_of(topology, residue);
    const bool same = last >= 0 && all.groups.back().kind == kind && kind != Kind::other &&
                      topology.residues[static_cast<std::size_t>(last)].chain == topology.residues[residue].chain;
    if (!same) all.groups.emplace_back().kind = kind;
    all.groups.back().residues.push_back(residue);
    last = residue;
  }
  add_labels(topology, all);
  std::map<std::pair<Kind, std::vector<std::string>>, std::size_t> known;
  for (std::size_t g = 0; g < all.groups.size(); ++g) {
    CifGroup& group = all.groups[g];
    if (alone(topology, group)) group.kind = Kind::other;
    CifEntity entity;
    entity.kind = group.kind;
    for (std::size_t k = 0; k < group.residues.size(); ++k) {
      const Residue& residue = topology.residues[group.residues[k]];
      all.group_of[group.residues[k]] = static_cast<std::uint32_t>(g);
      if (group.polymer()) all.number_in[group.residues[k]] = static_cast<std::uint32_t>(k + 1);
      if (group.polymer() || k == 0)
        entity.residues.push_back(group.kind == Kind::water ? "HOH" : cif_residue_name(residue));
    }
    entity.deoxyribose = group.kind == Kind::nucleic && !has_o2(topology, group.residues[0]);
    const auto [found, added] = known.try_emplace({group.kind, entity.residues}, all.entities.size());
    if (added) all.entities.push_back(std::move(entity));
    group.entity = found->second;
    const std::string& chain = topology.chains[topology.residues[group.residues[0]].chain].id;
    std::vector<std::string>& chains = all.entities[group.entity].chains;
    if (!chain.empty() && std::find(chains.begin(), chains.end(), chain) == chains.end()) chains.push_back(chain);
  }
  return all;
}

}  // namespace isolume
