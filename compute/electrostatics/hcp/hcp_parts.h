// What acts at a point under hierarchical charge partitioning, in plain double precision.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/electrostatics/hcp/hcp_components.h"

namespace isolume {

/// A charge that acts at a point: an atom, or what stands for a component there.
struct HcpPart {
  glm::dvec3 place;          ///< angstrom
  double charge;             ///< e
  std::uint32_t begin, end;  ///< the atoms whose charges it is the sum of
  int sign;                  ///< 1: of their positive charges, -1: of their negative ones, 0: of all
};

/// The potential (w, e/angstrom) and the field (e/angstrom^2) of a charge at a point.
glm::dvec4 hcp_charge_at(glm::dvec3 from, double q, glm::dvec3 point, const Dielectric& dielectric);

/// The components of a system, straight from their definition. `charges` must stay. Throws Error (usage) as
/// hcp_potential() does.
class HcpParts {
 public:
  HcpParts(std::span<const PointCharge> charges, const HcpHierarchy& hierarchy, const HcpOptions& options);

  /// Calls take(const HcpPart&) for all that acts at `point`.
  template <class Take>
  void at(glm::dvec3 point, const Take& take) const {
    const std::size_t top = levels_.empty() ? atoms_.size() : levels_.back().first.size() - 1;
    for (std::size_t c = 0; c < top; ++c) visit(levels_.size(), static_cast<std::uint32_t>(c), point, take);
  }

 private:
  struct Component {
    glm::dvec3 centre, plus_at{0}, minus_at{0};
    double reach, plus = 0, minus = 0;
  };

  glm::dvec3 position(std::uint32_t atom) const { return glm::dvec3(atoms_[atom].position); }
  Component component(std::uint32_t begin, std::uint32_t end, double threshold) const;

  /// Component c of level l (0: an atom).
  template <class Take>
  void visit(std::size_t level, std::uint32_t c, glm::dvec3 point, const Take& take) const {
    if (level == 0) return take(HcpPart{position(c), atoms_[c].charge, c, c + 1, 0});
    const Component& own = components_[level - 1][c];
    const HcpLevel& at = levels_[level - 1];
    if (glm::distance(point, own.centre) <= own.reach) {
      for (std::uint32_t child = at.first[c]; child < at.first[c + 1]; ++child) visit(level - 1, child, point, take);
    } else if (charges_each_ == 1) {
      take(HcpPart{own.centre, own.plus - own.minus, at.atom[c], at.atom[c + 1], 0});
    } else {
      take(HcpPart{own.plus_at, own.plus, at.atom[c], at.atom[c + 1], 1});
      take(HcpPart{own.minus_at, -own.minus, at.atom[c], at.atom[c + 1], -1});
    }
  }

  std::span<const PointCharge> atoms_;
  int charges_each_;
  std::vector<HcpLevel> levels_;
  std::vector<std::vector<Component>> components_;
};

}  // namespace isolume
