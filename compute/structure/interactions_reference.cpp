// Interactions by plain loops over all pairs; for tests.
#include "compute/structure/interaction_pairs.h"

namespace isolume {

std::vector<Interaction> interactions_reference(const Topology& topology, const InteractionSites& sites,
                                                const Frame& frame, std::span<const std::uint8_t> first,
                                                std::span<const std::uint8_t> second, const InteractionKinds& kinds,
                                                const InteractionRules& rules) {
  const InteractionPairs pairs(topology, sites, frame, first, second, rules);
  std::vector<Interaction> found;
  const auto keep = [&](const std::optional<Interaction>& interaction) {
    if (interaction && kinds[static_cast<std::size_t>(interaction->kind)]) found.push_back(*interaction);
  };
  for (std::size_t p = 0; p < sites.positive.size(); ++p) {
    for (std::size_t n = 0; n < sites.negative.size(); ++n) keep(pairs.salt_bridge(p, n));
    for (std::size_t r = 0; r < sites.rings.size(); ++r) keep(pairs.cation_pi(p, r));
  }
  for (std::size_t a = 0; a < sites.rings.size(); ++a)
    for (std::size_t b = a + 1; b < sites.rings.size(); ++b) keep(pairs.stacking(a, b));
  for (std::uint32_t a = 0; a < topology.atoms.size(); ++a)
    for (std::uint32_t b = a + 1; b < topology.atoms.size(); ++b)
      if (pairs.counts(a) && pairs.counts(b)) keep(pairs.touch(a, b));
  keep_nearest_contacts(found, topology);
  return found;
}

}  // namespace isolume
