// Where hydrogens of templates stand in a structure, and templates of the ends of chains.
#include "molecule/force_field/residue_placement.h"

#include <algorithm>
#include <cmath>

namespace isolume {

namespace {

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

}  // namespace

bool place_hydrogen(const ResidueTemplate& t, std::size_t carrier, glm::dvec3 hydrogen, const CompletionTarget& target,
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

ResidueTemplate composed_end(const ResidueTemplate& middle, const ResidueTemplate& end, bool first, double& shift) {
  AtomNames backbone{"N", "CA", "C", "O", "OXT", "H", "H1", "H2", "H3", "HA"};
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

}  // namespace isolume
