// Residue templates: hydrogens and charges of a structure that has neither.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "molecule/alternates.h"
#include "molecule/base/error.h"
#include "molecule/bonds.h"
#include "molecule/force_field/residue_placement.h"
#include "molecule/force_field/residue_templates.h"

namespace isolume {

namespace {

/// Other names of a residue, in the order in which templates are tried.
std::vector<std::string> other_names(const std::string& name) {
  static const std::map<std::string, std::vector<std::string>> known{
      {"HIS", {"HIE", "HID", "HIP"}},

      {"HOH", {"WAT", "TIP3", "SOL"}}, {"WAT", {"HOH"}},
      {"SOL", {"WAT", "HOH"}},         {"DA", {"DA5", "DA3"}},
      {"DC", {"DC5", "DC3"}},          {"DG", {"DG5", "DG3"}},
      {"DT", {"DT5", "DT3"}},          {"A", {"RA", "RA5", "RA3"}},
      {"C", {"RC", "RC5", "RC3"}},     {"G", {"RG", "RG5", "RG3"}},
      {"U", {"RU", "RU5", "RU3"}}};
  std::vector<std::string> names{name};
  if (const auto found = known.find(name); found != known.end()) {
    names.insert(names.end(), found->second.begin(), found->second.end());
  }
  return names;
}

AtomNames heavy_names(const ResidueTemplate& t) {
  AtomNames names;
  for (const auto& a : t.atoms) {
    if (!is_hydrogen(a.atom)) names.insert(a.atom.name);
  }
  return names;
}

AtomNames links_of(const ResidueTemplate& t) {
  AtomNames names;
  for (const auto& a : t.atoms) {
    if (!a.linked.empty()) names.insert(a.atom.name);
  }
  return names;
}

std::string described(const Topology& topology, const Residue& residue) {
  std::string text = residue.name + " " + std::to_string(residue.number);
  const std::string& chain = topology.chains[residue.chain].id;
  return chain.empty() ? text : text + " " + chain;
}

bool has(const ResidueTemplate& t, const char* name) {
  return std::any_of(t.atoms.begin(), t.atoms.end(), [&](const auto& a) { return a.atom.name == name; });
}

bool has_backbone(const ResidueTemplate& t) {
  return has(t, "N") && has(t, "CA") && has(t, "C");
}

/// What each residue has: its atoms by name, and those that are bonded to other residues.
std::vector<CompletionTarget> completion_targets(const Topology& topology, const Frame& frame) {
  std::vector<CompletionTarget> targets(topology.residues.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const Residue& residue = topology.residues[r];
    targets[r].name = residue.name;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const std::string name = common_atom_name(topology.atoms[i].name, residue.name);
      // Of alternate locations the first, and none of another residue at this place.
      if (is_other_residue(topology, r, topology.atoms[i].altloc)) continue;
      if (!targets[r].named.emplace(name, i).second || is_hydrogen(topology.atoms[i])) continue;
      targets[r].heavy.push_back(i);
      targets[r].names.insert(name);
    }
  }
  for (const Bond& bond : guess_bonds(topology, frame)) {
    const std::uint32_t ra = topology.atoms[bond.a].residue, rb = topology.atoms[bond.b].residue;
    if (ra == rb || is_hydrogen(topology.atoms[bond.a]) || is_hydrogen(topology.atoms[bond.b])) continue;
    for (const auto& [a, b] : {std::pair(bond.a, bond.b), std::pair(bond.b, bond.a)}) {
      CompletionTarget& t = targets[topology.atoms[a].residue];
      const std::string name = common_atom_name(topology.atoms[a].name, t.name);
      t.links.insert(name);
      t.linked.emplace(name, b);
    }
  }
  return targets;
}

/// The templates of a residue's name.
struct Candidates {
  const ResidueTemplate* fitting = nullptr;  ///< with the residue's heavy atoms
  const ResidueTemplate* middle = nullptr;   ///< the same but for OXT: of the middle of a chain
};

Candidates candidates_for(const CompletionTarget& target, bool starts, const std::vector<ResidueTemplate>& templates) {
  Candidates found;
  // A disulphide bridge has templates of its own.
  const bool bridged = target.name == "CYS" && target.links.contains("SG");
  for (const std::string& name : bridged ? std::vector<std::string>{"CYX"} : other_names(target.name)) {
    for (const ResidueTemplate& t : templates) {
      if (t.name != name) continue;
      AtomNames names = heavy_names(t);
      if (names == target.names && !(starts && !has(t, "H2") && has(t, "N"))) {
        // Bonds to other residues decide among equals; where a chain is broken none fits, and the first serves.
        if (!found.fitting || (links_of(*found.fitting) != target.links && links_of(t) == target.links))
          found.fitting = &t;
      }
      names.insert("OXT");
      AtomNames with = target.names;
      with.insert("OXT");
      if (names == with && !has(t, "OXT") && !has(t, "H2") && !found.middle) found.middle = &t;
    }
    if (found.fitting) break;
  }
  return found;
}

/// A template that has the end of a chain that `middle` lacks, null where there is none.
const ResidueTemplate* with_chain_end(const ResidueTemplate& middle, bool starts,
                                      const std::vector<ResidueTemplate>& templates) {
  for (const ResidueTemplate& t : templates) {
    const bool fits = has_backbone(t) && has(t, starts ? "H3" : "OXT");
    // Proline's ammonium group and glycine's CA with two hydrogens do not stand for others.
    if (!fits || t.name == "PRO" || middle.name == "PRO" || (t.name == "GLY" && middle.name != "GLY")) continue;
    return &t;
  }
  return nullptr;
}

/// ": lacks CB, CG", why no template of the residue's name fits.
std::string why_unmatched(const CompletionTarget& target, const std::vector<ResidueTemplate>& templates) {
  std::string lacks;
  for (const ResidueTemplate& t : templates) {
    if (t.name != target.name || !lacks.empty()) continue;
    for (const std::string& name : heavy_names(t)) {
      if (!target.names.contains(name) && name != "OXT") lacks += (lacks.empty() ? ": lacks " : ", ") + name;
    }
    if (lacks.empty()) lacks = ": has other atoms than its template";
  }
  return lacks.empty() ? ": no template" : lacks;
}

}  // namespace

CompletedStructure ResidueTemplates::complete(const Molecule& molecule, std::size_t frame_index) const {
  if (!molecule.topology || frame_index >= molecule.frame_count()) {
    throw Error("templates: the structure has no coordinates", Error::Kind::usage);
  }
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(frame_index);
  const std::vector<CompletionTarget> targets = completion_targets(topology, frame);
  CompletedStructure result;
  TopologyBuilder builder;
  std::vector<glm::vec3> positions;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const CompletionTarget& target = targets[r];
    const Residue& residue = topology.residues[r];
    const Chain& chain = topology.chains[residue.chain];
    const bool starts = target.names.contains("N") && target.names.contains("CA") && !target.links.contains("N") &&
                        r == chain.first_residue;
    const bool ends = target.names.contains("OXT");
    const auto [fitting, middle] = candidates_for(target, starts, templates_);
    const ResidueTemplate* chosen = fitting;
    ResidueTemplate made;
    if (!chosen && middle && has_backbone(*middle) && (starts || ends) && !(starts && ends)) {
      if (const ResidueTemplate* const end = with_chain_end(*middle, starts, templates_)) {
        made = composed_end(*middle, *end, starts, result.largest_shift);
        chosen = &made;
        ++result.ends;
      }
    }
    if (!chosen && middle && !ends) chosen = middle;
    if (!chosen) {
      result.unmatched.push_back(described(topology, residue) + why_unmatched(target, templates_));
      continue;
    }
    ++result.matched;
    for (std::size_t k = 0; k < chosen->atoms.size(); ++k) {
      const auto& a = chosen->atoms[k];
      Atom atom = a.atom;
      const auto own = target.named.find(atom.name);
      glm::dvec3 at;
      if (own != target.named.end()) {
        const Atom& there = topology.atoms[own->second];
        at = glm::dvec3(frame.positions[own->second]);
        atom.b_factor = there.b_factor;
        atom.hetero = there.hetero;
        atom.name = there.name;
      } else {
        if (!is_hydrogen(atom) || a.neighbours.empty() ||
            !place_hydrogen(*chosen, a.neighbours.front(), a.position, target, frame.positions, at)) {
          continue;
        }
        ++result.added_hydrogens;
      }
      atom.serial = static_cast<std::int32_t>(positions.size() + 1);
      builder.add(atom, residue.name, residue.number, residue.insertion, chain.id, chain.segment);
      positions.emplace_back(at);
    }
  }
  if (positions.empty()) {
    throw Error("templates: none of the " + std::to_string(targets.size()) + " residues has a template; there are " +
                    std::to_string(templates_.size()),
                Error::Kind::usage);
  }
  Topology completed = builder.finish();
  completed.has_charges = true;
  completed.has_radii = true;
  Frame one;
  one.positions = std::move(positions);
  one.cell = frame.cell;
  completed.bonds = guess_bonds(completed, one);
  result.molecule.title = molecule.title;
  result.molecule.format = molecule.format;
  result.molecule.topology = std::make_shared<const Topology>(std::move(completed));
  result.molecule.trajectory = std::make_shared<const MemoryTrajectory>(std::vector<Frame>{std::move(one)});
  return result;
}

}  // namespace isolume
