// When two sites interact: shared by the search with cell lists and by the plain loops.
#include "compute/structure/interaction_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "molecule/elements.h"

namespace isolume {
namespace {

constexpr double degree = 57.29577951308232;
constexpr float none = std::numeric_limits<float>::quiet_NaN();
constexpr int bonds_apart = 4;

/// How far a place is from the axis of a ring.
double offset_of(const SitePlace& ring, glm::dvec3 place) {
  const glm::dvec3 d = place - ring.centre;
  return glm::length(d - glm::dot(d, ring.normal) * ring.normal);
}

bool is_polar(int element) {
  return element == 7 || element == 8 || element == 9;
}

bool is_metal(int z) {
  return z == 3 || z == 4 || (z >= 11 && z <= 13) || (z >= 19 && z <= 31) || (z >= 37 && z <= 50) ||
         (z >= 55 && z <= 84);
}

}  // namespace

InteractionPairs::InteractionPairs(const Topology& topology, const InteractionSites& sites, const Frame& frame,
                                   std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                   const InteractionRules& rules)
    : topology_(topology), sites_(sites), frame_(frame), first_(first), second_(second), rules_(rules) {
  for (const auto& ring : sites.rings) rings_.push_back(place_of(ring.atoms, frame));
  for (const auto& group : sites.positive) positive_.push_back(place_of(group.atoms, frame));
}

float InteractionPairs::radius(std::uint32_t atom) const {
  return element(topology_.atoms[atom].element).vdw_radius;
}

bool InteractionPairs::in(std::span<const std::uint8_t> set, const std::vector<std::uint32_t>& atoms) const {
  return std::any_of(atoms.begin(), atoms.end(), [&](std::uint32_t i) { return set[i] != 0; });
}

bool InteractionPairs::wanted(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) const {
  if (second_.empty()) return in(first_, a) && in(first_, b);
  return (in(first_, a) && in(second_, b)) || (in(second_, a) && in(first_, b));
}

std::optional<Interaction> InteractionPairs::salt_bridge(std::size_t positive, std::size_t negative) const {
  const auto& n = sites_.positive[positive];
  const auto& o = sites_.negative[negative];
  if (n.residue == o.residue || !wanted(n.atoms, o.atoms)) return std::nullopt;
  Interaction found{InteractionKind::salt_bridge, {}, {}, {}, {}, std::numeric_limits<float>::max(), none, 0};
  for (const std::uint32_t i : n.atoms)
    for (const std::uint32_t j : o.atoms) {
      const float distance = glm::distance(frame_.positions[i], frame_.positions[j]);
      if (!(distance < found.distance)) continue;
      found = {found.kind, {i}, {j}, frame_.positions[i], frame_.positions[j], distance, none, 0};
    }
  if (!(found.distance <= rules_.salt_bridge)) return std::nullopt;
  return found;
}

std::optional<Interaction> InteractionPairs::stacking(std::size_t a, std::size_t b) const {
  const auto& p = sites_.rings[a];
  const auto& q = sites_.rings[b];
  if (p.residue == q.residue || !wanted(p.atoms, q.atoms)) return std::nullopt;
  const double distance = glm::distance(rings_[a].centre, rings_[b].centre);
  if (!(distance <= rules_.ring_distance)) return std::nullopt;
  const double angle = degree * std::acos(std::min(1.0, std::abs(glm::dot(rings_[a].normal, rings_[b].normal))));
  const bool face = angle <= rules_.ring_angle, edge = angle >= 90.0 - rules_.ring_angle;
  if (!face && !edge) return std::nullopt;
  const double offset = std::min(offset_of(rings_[a], rings_[b].centre), offset_of(rings_[b], rings_[a].centre));
  if (!(offset <= rules_.ring_offset)) return std::nullopt;
  return Interaction{face ? InteractionKind::stacking : InteractionKind::edge_stacking,
                     p.atoms,
                     q.atoms,
                     glm::vec3(rings_[a].centre),
                     glm::vec3(rings_[b].centre),
                     static_cast<float>(distance),
                     static_cast<float>(angle),
                     0};
}

std::optional<Interaction> InteractionPairs::cation_pi(std::size_t positive, std::size_t ring) const {
  const auto& n = sites_.positive[positive];
  const auto& q = sites_.rings[ring];
  if (n.residue == q.residue || !wanted(n.atoms, q.atoms)) return std::nullopt;
  const double distance = glm::distance(positive_[positive].centre, rings_[ring].centre);
  if (!(distance <= rules_.cation_distance)) return std::nullopt;
  if (!(offset_of(rings_[ring], positive_[positive].centre) <= rules_.ring_offset)) return std::nullopt;
  return Interaction{InteractionKind::cation_pi,
                     n.atoms,
                     q.atoms,
                     glm::vec3(positive_[positive].centre),
                     glm::vec3(rings_[ring].centre),
                     static_cast<float>(distance),
                     none,
                     0};
}

bool InteractionPairs::counts(std::uint32_t atom) const {
  const Atom& a = topology_.atoms[atom];
  if (a.element == 0 || is_metal(a.element) || !std::isfinite(frame_.positions[atom].x)) return false;
  if (a.altloc == ' ') return true;
  // Of alternate locations the first in the file counts.
  const Residue& residue = topology_.residue_of(atom);
  for (std::uint32_t i = residue.first_atom; i < atom; ++i)
    if (topology_.atoms[i].name == a.name) return false;
  return true;
}

bool InteractionPairs::near_by_bonds(std::uint32_t a, std::uint32_t b) const {
  std::vector<std::uint32_t> seen{a};
  std::size_t begin = 0;
  for (int step = 0; step < bonds_apart; ++step) {
    const std::size_t end = seen.size();
    for (; begin < end; ++begin)
      for (std::uint32_t k = sites_.bonds.offsets[seen[begin]]; k < sites_.bonds.offsets[seen[begin] + 1]; ++k) {
        const std::uint32_t next = sites_.bonds.items[k];
        if (next == b) return true;
        if (std::find(seen.begin(), seen.end(), next) == seen.end()) seen.push_back(next);
      }
  }
  return false;
}

bool InteractionPairs::may_bond(std::uint32_t a, std::uint32_t b) const {
  const auto on_polar = [&](std::uint32_t i) {
    if (topology_.atoms[i].element != 1) return false;
    const std::uint32_t begin = sites_.bonds.offsets[i];
    return begin < sites_.bonds.offsets[i + 1] && is_polar(topology_.atoms[sites_.bonds.items[begin]].element);
  };
  const bool p = is_polar(topology_.atoms[a].element), q = is_polar(topology_.atoms[b].element);
  return (p && q) || (p && on_polar(b)) || (q && on_polar(a));
}

std::optional<Interaction> InteractionPairs::touch(std::uint32_t a, std::uint32_t b) const {
  const float distance = glm::distance(frame_.positions[a], frame_.positions[b]);
  const float least = std::min(rules_.contact, rules_.clash);
  float overlap = radius(a) + radius(b) - distance;
  if (!(overlap >= least) || !wanted({a}, {b})) return std::nullopt;
  if (may_bond(a, b)) overlap -= rules_.allowance;
  if (!(overlap >= least) || near_by_bonds(a, b)) return std::nullopt;
  const bool clash = overlap >= rules_.clash;
  if (!clash && topology_.atoms[a].residue == topology_.atoms[b].residue) return std::nullopt;
  return Interaction{clash ? InteractionKind::clash : InteractionKind::contact,
                     {a},
                     {b},
                     frame_.positions[a],
                     frame_.positions[b],
                     distance,
                     none,
                     overlap};
}

void keep_nearest_contacts(std::vector<Interaction>& found, const Topology& topology) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> best;
  const auto residues = [&](const Interaction& i) {
    const std::uint32_t a = topology.atoms[i.first.front()].residue, b = topology.atoms[i.second.front()].residue;
    return std::pair(std::min(a, b), std::max(a, b));
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].kind != InteractionKind::contact) continue;
    const auto [entry, fresh] = best.emplace(residues(found[i]), i);
    const Interaction& old = found[entry->second];
    const auto rank = [](const Interaction& x) { return std::tuple(-x.overlap, x.first.front(), x.second.front()); };
    if (!fresh && rank(found[i]) < rank(old)) entry->second = i;
  }
  std::vector<Interaction> kept;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].kind != InteractionKind::contact || best.at(residues(found[i])) == i)
      kept.push_back(std::move(found[i]));
  std::sort(kept.begin(), kept.end(), [](const Interaction& a, const Interaction& b) {
    return std::tie(a.kind, a.first, a.second) < std::tie(b.kind, b.first, b.second);
  });
  found = std::move(kept);
}

}  // namespace isolume
