// Interactions between atoms by geometry, found with cell lists.
#include "compute/structure/interactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/structure/interaction_pairs.h"
#include "molecule/base/error.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

constexpr const char* names[] = {"hydrogen bond", "salt bridge", "stacking", "edge stacking",
                                 "cation-pi",     "clash",       "contact"};
constexpr std::size_t most = 500'000;

bool has(const InteractionKinds& kinds, InteractionKind kind) {
  return kinds[static_cast<std::size_t>(kind)];
}

std::vector<glm::vec3> centres(const std::vector<SitePlace>& places) {
  std::vector<glm::vec3> result;
  for (const SitePlace& place : places) result.emplace_back(place.centre);
  return result;
}

void check_count(const std::vector<Interaction>& found) {
  if (found.size() > most)
    throw Error(fmt::format("interactions: more than {} were found; select fewer atoms", most), Error::Kind::usage);
}

float degrees_at(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
  const glm::vec3 p = a - b, q = c - b;
  const float lengths = glm::length(p) * glm::length(q);
  return lengths > 0 ? 57.29578f * std::acos(std::clamp(glm::dot(p, q) / lengths, -1.0f, 1.0f)) : 0.0f;
}

void add_hydrogen_bonds(const Topology& topology, const Frame& frame, std::span<const std::uint8_t> first,
                        std::span<const std::uint8_t> second, const InteractionPairs& pairs,
                        const InteractionRules& rules, std::vector<Interaction>& found) {
  std::vector<std::uint8_t> either(first.begin(), first.end());
  for (std::size_t i = 0; i < second.size(); ++i) either[i] |= second[i];
  for (const HydrogenBond& bond : hydrogen_bonds(topology, frame, either, rules.hydrogen_bonds)) {
    if (!pairs.wanted({bond.donor}, {bond.acceptor})) continue;
    const auto& at = frame.positions;
    found.push_back({InteractionKind::hydrogen_bond,
                     {bond.donor},
                     {bond.acceptor},
                     at[bond.hydrogen],
                     at[bond.acceptor],
                     bond.distance,
                     bond.hydrogen == bond.donor ? std::numeric_limits<float>::quiet_NaN()
                                                 : degrees_at(at[bond.donor], at[bond.hydrogen], at[bond.acceptor]),
                     0});
  }
}

}  // namespace

const char* name(InteractionKind kind) {
  return names[static_cast<std::size_t>(kind)];
}

InteractionKind interaction_from_name(const std::string& given) {
  const auto plain = [](std::string text) {
    for (char& c : text) c = c == '-' || c == '_' ? ' ' : c;
    return text;
  };
  for (int i = 0; i < interaction_kinds; ++i)
    if (plain(given) == plain(names[i])) return static_cast<InteractionKind>(i);
  throw Error(fmt::format("there is no interaction '{}'; there are {}", given, fmt::join(names, ", ")),
              Error::Kind::usage);
}

std::vector<Interaction> interactions(const Topology& topology, const InteractionSites& sites, const Frame& frame,
                                      std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                                      const InteractionKinds& kinds, const InteractionRules& rules, Job& job) {
  const std::size_t n = topology.atoms.size();
  if (frame.positions.size() != n || first.size() != n || (!second.empty() && second.size() != n))
    throw Error(fmt::format("interactions: {} atoms, {} positions and {} selection marks", n, frame.positions.size(),
                            first.size()));
  const InteractionPairs pairs(topology, sites, frame, first, second, rules);
  std::vector<Interaction> found;
  const auto keep = [&](const std::optional<Interaction>& interaction) {
    if (interaction && has(kinds, interaction->kind)) found.push_back(*interaction);
    return false;
  };
  if (has(kinds, InteractionKind::hydrogen_bond))
    add_hydrogen_bonds(topology, frame, first, second, pairs, rules, found);
  job.check();
  if (has(kinds, InteractionKind::salt_bridge) && !sites.negative.empty()) {
    std::vector<glm::vec3> oxygens;
    std::vector<std::size_t> group;
    for (std::size_t g = 0; g < sites.negative.size(); ++g)
      for (const std::uint32_t i : sites.negative[g].atoms) oxygens.push_back(frame.positions[i]), group.push_back(g);
    const NeighbourGrid grid(oxygens, static_cast<double>(rules.salt_bridge));
    for (std::size_t p = 0; p < sites.positive.size(); ++p) {
      std::vector<std::size_t> near;
      for (const std::uint32_t i : sites.positive[p].atoms)
        grid.visit(frame.positions[i], [&](std::uint32_t k, double) { return near.push_back(group[k]), false; });
      std::sort(near.begin(), near.end());
      near.erase(std::unique(near.begin(), near.end()), near.end());
      for (const std::size_t g : near) keep(pairs.salt_bridge(p, g));
      job.check();
    }
  }
  const bool stacking = has(kinds, InteractionKind::stacking) || has(kinds, InteractionKind::edge_stacking);
  if ((stacking || has(kinds, InteractionKind::cation_pi)) && !sites.rings.empty()) {
    const NeighbourGrid grid(centres(pairs.rings()),
                             static_cast<double>(std::max(rules.ring_distance, rules.cation_distance)) + 1e-3);
    for (std::uint32_t a = 0; stacking && a < sites.rings.size(); ++a)
      grid.visit(glm::vec3(pairs.rings()[a].centre), [&](std::uint32_t b, double) {
        if (b > a) keep(pairs.stacking(a, b));
        return false;
      });
    for (std::size_t p = 0; has(kinds, InteractionKind::cation_pi) && p < sites.positive.size(); ++p)
      grid.visit(glm::vec3(pairs.positive()[p].centre),
                 [&](std::uint32_t ring, double) { return keep(pairs.cation_pi(p, ring)); });
    job.check();
  }
  if (has(kinds, InteractionKind::clash) || has(kinds, InteractionKind::contact)) {
    std::vector<std::uint32_t> atoms;
    std::vector<glm::vec3> places;
    float widest = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!(first[i] || (!second.empty() && second[i])) || !pairs.counts(i)) continue;
      atoms.push_back(i);
      places.push_back(frame.positions[i]);
      widest = std::max(widest, pairs.radius(i));
    }
    const double reach = 2 * static_cast<double>(widest) - static_cast<double>(std::min(rules.contact, rules.clash));
    const NeighbourGrid grid(places, std::max(0.1, reach) + 1e-3);
    for (std::size_t k = 0; k < atoms.size(); ++k) {
      grid.visit(places[k], [&](std::uint32_t other, double) {
        if (atoms[other] > atoms[k]) keep(pairs.touch(atoms[k], atoms[other]));
        return false;
      });
      if (k % 512 == 0) job.check(), check_count(found);
    }
  }
  check_count(found);
  keep_nearest_contacts(found, topology);
  return found;
}

std::string partner_text(const Topology& topology, InteractionKind kind, const std::vector<std::uint32_t>& atoms) {
  const Residue& residue = topology.residue_of(atoms.front());
  const std::string& chain = topology.chains[residue.chain].id;
  std::string text = fmt::format("{}{}{} {}{}/", chain, chain.empty() ? "" : "/", residue.name, residue.number,
                                 residue.insertion == ' ' ? "" : std::string(1, residue.insertion));
  const bool rings =
      kind == InteractionKind::stacking || kind == InteractionKind::edge_stacking || kind == InteractionKind::cation_pi;
  if (rings && atoms.size() >= 5) return text + "ring";
  for (std::size_t i = 0; i < atoms.size(); ++i) text += (i ? " " : "") + topology.atoms[atoms[i]].name;
  return text;
}

}  // namespace isolume
