// When two sites interact: shared by the search with cell lists and by the plain loops.
#pragma once

#include <optional>

#include "compute/structure/interactions.h"

namespace isolume {

/// The middle of atoms, and the normal of their plane (of a ring).
struct SitePlace {
  glm::dvec3 centre{0}, normal{0};
};
SitePlace place_of(const std::vector<std::uint32_t>& atoms, const Frame& frame);

/// Decides about pairs in one frame. Pairs are asked for once, in either order.
class InteractionPairs {
 public:
  InteractionPairs(const Topology& topology, const InteractionSites& sites, const Frame& frame,
                   std::span<const std::uint8_t> first, std::span<const std::uint8_t> second,
                   const InteractionRules& rules);

  std::optional<Interaction> salt_bridge(std::size_t positive, std::size_t negative) const;
  /// Of two rings, face to face or edge to face.
  std::optional<Interaction> stacking(std::size_t a, std::size_t b) const;
  std::optional<Interaction> cation_pi(std::size_t positive, std::size_t ring) const;
  /// A clash, or what may be a contact.
  std::optional<Interaction> touch(std::uint32_t a, std::uint32_t b) const;
  /// Whether an atom takes part in clashes and contacts.
  bool counts(std::uint32_t atom) const;
  /// One partner in the first set and the other in the second.
  bool wanted(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) const;

  float radius(std::uint32_t atom) const;
  const std::vector<SitePlace>& rings() const { return rings_; }
  const std::vector<SitePlace>& positive() const { return positive_; }

 private:
  bool near_by_bonds(std::uint32_t a, std::uint32_t b) const;
  bool may_bond(std::uint32_t a, std::uint32_t b) const;
  bool in(std::span<const std::uint8_t> set, const std::vector<std::uint32_t>& atoms) const;

  const Topology& topology_;
  const InteractionSites& sites_;
  const Frame& frame_;
  std::span<const std::uint8_t> first_, second_;
  const InteractionRules& rules_;
  std::vector<SitePlace> rings_, positive_;
};

/// Of each pair of residues the contact that overlaps most; then all in their order.
void keep_nearest_contacts(std::vector<Interaction>& found, const Topology& topology);

}  // namespace isolume
