// Residue templates: hydrogens and charges of a structure that has neither.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "molecule/bonds.h"
#include "molecule/error.h"
#include "molecule/residue_templates.h"

namespace isolume {

namespace {

using Names = std::set<std::string>;

bool is_hydrogen(const Atom& atom) {
  return atom.element == 1;
}

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

/// Three directions of right angles at an atom, by one or two of its neighbours: along their mean, and out of their
/// plane. Nothing where they stand in a line.
bool axes_at(glm::dvec3 at, glm::dvec3 first, glm::dvec3 second, bool both_bonded, glm::dmat3& out) {
  const glm::dvec3 a = glm::normalize(first - at);
  const glm::dvec3 b = both_bonded ? glm::normalize(second - at) : glm::normalize(second - first);
  const glm::dvec3 normal = glm::cross(a, b);
  if (!(glm::length(normal) > 1e-3)) return false;
  out[0] = both_bonded && glm::length(a + b) > 1e-3 ? glm::normalize(a + b) : a;
  out[2] = glm::normalize(normal);
  out[1] = glm::cross(out[2], out[0]);
  return true;
}

/// A residue of the structure that is to be completed.
struct Target {
  std::string name;
  std::vector<std::uint32_t> heavy;             ///< atoms of the file
  std::map<std::string, std::uint32_t> named;   ///< heavy and hydrogen, by common name
  Names names, links;                           ///< of heavy atoms, and of those bonded to other residues
  std::map<std::string, std::uint32_t> linked;  ///< the first atom of another residue at each link
};

Names heavy_names(const ResidueTemplate& t) {
  Names names;
  for (const auto& a : t.atoms) {
    if (!is_hydrogen(a.atom)) names.insert(a.atom.name);
  }
  return names;
}

Names links_of(const ResidueTemplate& t) {
  Names names;
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

/// Where a hydrogen of a template stands in the target, by the frame of the atom that carries it.
bool place(const ResidueTemplate& t, std::size_t carrier, glm::dvec3 hydrogen, const Target& target,
           const std::vector<glm::vec3>& positions, glm::dvec3& out) {
  const auto& x = t.atoms[carrier];
  const auto found = target.named.find(x.atom.name);
  if (found == target.named.end()) return false;
  const glm::dvec3 at(positions[found->second]);
  // Neighbours that stand on both sides: here and there.
  std::vector<std::pair<glm::dvec3, glm::dvec3>> bonded;
  std::size_t first_inside = t.atoms.size();
  for (const std::uint32_t n : x.neighbours) {
    if (is_hydrogen(t.atoms[n].atom)) continue;
    if (const auto other = target.named.find(t.atoms[n].atom.name); other != target.named.end()) {
      if (first_inside == t.atoms.size()) first_inside = n;
      bonded.emplace_back(t.atoms[n].position, glm::dvec3(positions[other->second]));
    }
  }
  if (const auto link = target.linked.find(x.atom.name); link != target.linked.end() && !x.linked.empty()) {
    bonded.emplace_back(x.linked.front(), glm::dvec3(positions[link->second]));
  }
  glm::dmat3 there(1.0), here(1.0);
  bool framed = false;
  if (bonded.size() >= 2) {
    framed = axes_at(x.position, bonded[0].first, bonded[1].first, true, there) &&
             axes_at(at, bonded[0].second, bonded[1].second, true, here);
  }
  if (!framed && first_inside < t.atoms.size()) {
    // One neighbour: with its neighbour, so that the hydrogen keeps its turn about the bond.
    const auto& n = t.atoms[first_inside];
    for (const std::uint32_t m : n.neighbours) {
      const auto other = target.named.find(t.atoms[m].atom.name);
      if (m == carrier || is_hydrogen(t.atoms[m].atom) || other == target.named.end()) continue;
      framed = axes_at(x.position, n.position, t.atoms[m].position, false, there) &&
               axes_at(at, glm::dvec3(positions[target.named.at(n.atom.name)]), glm::dvec3(positions[other->second]),
                       false, here);
      if (framed) break;
    }
  }
  if (!framed) there = here = glm::dmat3(1.0);  // water, ammonium: any turn serves
  out = at + here * (glm::transpose(there) * (hydrogen - x.position));
  return true;
}

/// The template of an amino acid at an end of a chain, composed: the atoms of the backbone from `end` (an end of
/// another residue), the side chain from `middle`. `first`: the end with the ammonium group, else that with OXT.
ResidueTemplate composed_end(const ResidueTemplate& middle, const ResidueTemplate& end, bool first, double& shift) {
  Names backbone{"N", "CA", "C", "O", "OXT", "H", "H1", "H2", "H3", "HA"};
  // Glycine keeps its own CA with its two hydrogens.
  if (middle.name == "GLY") {
    backbone.erase("CA");
    backbone.erase("HA");
  }
  ResidueTemplate t;
  t.name = middle.name;
  std::vector<std::size_t> side;
  std::map<std::string, std::uint32_t> at;
  double whole = 0;
  for (const auto& a : middle.atoms) whole += static_cast<double>(a.atom.charge);
  whole = std::round(whole) + (first ? 1 : -1);
  const auto add = [&](const ResidueTemplate::TemplateAtom& a) {
    at[a.atom.name] = static_cast<std::uint32_t>(t.atoms.size());
    t.atoms.push_back(a);
  };
  // The end is brought into the frame of the other by N, CA and C.
  const auto find = [](const ResidueTemplate& from, const char* name) {
    return std::find_if(from.atoms.begin(), from.atoms.end(), [&](const auto& a) { return a.atom.name == name; })
        ->position;
  };
  glm::dmat3 there(1.0), here(1.0);
  const glm::dvec3 from = find(end, "CA"), to = find(middle, "CA");
  axes_at(from, find(end, "N"), find(end, "C"), true, there);
  axes_at(to, find(middle, "N"), find(middle, "C"), true, here);
  const auto moved = [&](glm::dvec3 p) { return to + here * (glm::transpose(there) * (p - from)); };
  for (ResidueTemplate::TemplateAtom a : end.atoms) {
    if (!backbone.contains(a.atom.name)) continue;
    a.position = moved(a.position);
    for (glm::dvec3& p : a.linked) p = moved(p);
    add(a);
  }
  for (const auto& a : middle.atoms) {
    if (backbone.contains(a.atom.name)) continue;
    side.push_back(t.atoms.size());
    add(a);
  }
  // Each atom's neighbours by the template that it comes from: those that the other one calls the same.
  for (auto& a : t.atoms) {
    const ResidueTemplate& from = backbone.contains(a.atom.name) ? end : middle;
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t n : a.neighbours) {
      const auto found = at.find(from.atoms[n].atom.name);
      if (found != at.end()) kept.push_back(found->second);
    }
    a.neighbours = std::move(kept);
  }
  const double missing = (whole - t.charge()) / static_cast<double>(std::max<std::size_t>(1, side.size()));
  for (const std::size_t k : side) t.atoms[k].atom.charge += static_cast<float>(missing);
  if (!side.empty()) shift = std::max(shift, std::abs(missing));
  return t;
}

bool has(const ResidueTemplate& t, const char* name) {
  return std::any_of(t.atoms.begin(), t.atoms.end(), [&](const auto& a) { return a.atom.name == name; });
}

bool has_backbone(const ResidueTemplate& t) {
  return has(t, "N") && has(t, "CA") && has(t, "C");
}

}  // namespace

CompletedStructure ResidueTemplates::complete(const Molecule& molecule, std::size_t frame_index) const {
  if (!molecule.topology || frame_index >= molecule.frame_count()) {
    throw Error("templates: the structure has no coordinates", Error::Kind::usage);
  }
  const Topology& topology = *molecule.topology;
  const Frame frame = molecule.trajectory->frame(frame_index);
  std::vector<Target> targets(topology.residues.size());
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const Residue& residue = topology.residues[r];
    targets[r].name = residue.name;
    for (std::uint32_t i = residue.first_atom; i < residue.first_atom + residue.atom_count; ++i) {
      const std::string name = common_atom_name(topology.atoms[i].name, residue.name);
      // Of alternate locations the first.
      if (!targets[r].named.emplace(name, i).second || is_hydrogen(topology.atoms[i])) continue;
      targets[r].heavy.push_back(i);
      targets[r].names.insert(name);
    }
  }
  for (const Bond& bond : guess_bonds(topology, frame)) {
    const std::uint32_t ra = topology.atoms[bond.a].residue, rb = topology.atoms[bond.b].residue;
    if (ra == rb || is_hydrogen(topology.atoms[bond.a]) || is_hydrogen(topology.atoms[bond.b])) continue;
    for (const auto& [a, b] : {std::pair(bond.a, bond.b), std::pair(bond.b, bond.a)}) {
      Target& t = targets[topology.atoms[a].residue];
      const std::string name = common_atom_name(topology.atoms[a].name, t.name);
      t.links.insert(name);
      t.linked.emplace(name, b);
    }
  }

  CompletedStructure result;
  TopologyBuilder builder;
  std::vector<glm::vec3> positions;
  for (std::size_t r = 0; r < targets.size(); ++r) {
    const Target& target = targets[r];
    const Residue& residue = topology.residues[r];
    const Chain& chain = topology.chains[residue.chain];
    const bool starts = target.names.contains("N") && target.names.contains("CA") && !target.links.contains("N") &&
                        r == chain.first_residue;
    const bool ends = target.names.contains("OXT");
    const ResidueTemplate* chosen = nullptr;
    const ResidueTemplate* middle = nullptr;
    // A disulphide bridge has templates of its own.
    const bool bridged = target.name == "CYS" && target.links.contains("SG");
    for (const std::string& name : bridged ? std::vector<std::string>{"CYX"} : other_names(target.name)) {
      for (const ResidueTemplate& t : templates_) {
        if (t.name != name) continue;
        Names names = heavy_names(t);
        if (names == target.names && !(starts && !has(t, "H2") && has(t, "N"))) {
          // Bonds to other residues decide among equals; where a chain is broken none fits, and the first serves.
          if (!chosen || (links_of(*chosen) != target.links && links_of(t) == target.links)) chosen = &t;
        }
        names.insert("OXT");
        Names with = target.names;
        with.insert("OXT");
        if (names == with && !has(t, "OXT") && !has(t, "H2") && !middle) middle = &t;
      }
      if (chosen) break;
    }
    ResidueTemplate made;
    if (!chosen && middle && has_backbone(*middle) && (starts || ends) && !(starts && ends)) {
      for (const ResidueTemplate& t : templates_) {
        const bool fits = has_backbone(t) && has(t, starts ? "H3" : "OXT");
        // Proline's ammonium group and glycine's CA with two hydrogens do not stand for others.
        if (!fits || t.name == "PRO" || middle->name == "PRO" || (t.name == "GLY" && middle->name != "GLY")) continue;
        made = composed_end(*middle, t, starts, result.largest_shift);
        chosen = &made;
        ++result.ends;
        break;
      }
    }
    if (!chosen && middle && !ends) chosen = middle;
    if (!chosen) {
      std::string lacks;
      for (const ResidueTemplate& t : templates_) {
        if (t.name != target.name || !lacks.empty()) continue;
        for (const std::string& name : heavy_names(t)) {
          if (!target.names.contains(name) && name != "OXT") lacks += (lacks.empty() ? ": lacks " : ", ") + name;
        }
        if (lacks.empty()) lacks = ": has other atoms than its template";
      }
      result.unmatched.push_back(described(topology, residue) + (lacks.empty() ? ": no template" : lacks));
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
            !place(*chosen, a.neighbours.front(), a.position, target, frame.positions, at)) {
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
