// Hydrogen bonds by geometry.
#include "molecule/hydrogen_bonds.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

constexpr float single_bond = 1.32f;  // angstrom: C=O 1.20 to 1.26, C-O 1.34 to 1.43 (Engh and Huber 1991)
constexpr float least_cosine = 0.0f;  // of the angles at donor and acceptor without hydrogens: 90 degrees and more
constexpr int largest_ring = 6;

class Finder {
 public:
  Finder(const Topology& topology, const Frame& frame, const HydrogenBondRule& rule)
      : topology_(topology), frame_(frame), rule_(rule), bonds_(bond_table(topology)) {
    has_hydrogens_ =
        std::any_of(topology.atoms.begin(), topology.atoms.end(), [](const Atom& a) { return a.element == 1; });
  }

  std::vector<HydrogenBond> find(std::span<const std::uint8_t> mask) {
    std::vector<std::uint32_t> donors, acceptors;
    std::vector<glm::vec3> places;
    for (std::uint32_t i = 0; i < topology_.atoms.size(); ++i) {
      if (!mask[i] || !polar(i) || !std::isfinite(frame_.positions[i].x)) continue;
      if (donates(i)) donors.push_back(i);
      if (accepts(i)) {
        acceptors.push_back(i);
        places.push_back(frame_.positions[i]);
      }
    }
    std::vector<HydrogenBond> found;
    if (places.empty()) return found;
    const NeighbourGrid grid(places, static_cast<double>(rule_.distance));
    const std::size_t most = 500'000 + 8 * donors.size();  // liquid water has one or two of each donor
    for (const std::uint32_t donor : donors) {
      check_stop();
      if (found.size() > most) too_many(most);
      const std::size_t first = found.size();
      grid.visit(frame_.positions[donor], [&](std::uint32_t place, double squared) {
        const std::uint32_t acceptor = acceptors[place];
        if (acceptor == donor || other_location(donor, acceptor) || near_by_bonds(donor, acceptor)) return false;
        HydrogenBond bond{donor, donor, acceptor, static_cast<float>(std::sqrt(squared))};
        if (fits(bond)) found.push_back(bond);
        return false;
      });
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                [](const HydrogenBond& a, const HydrogenBond& b) { return a.acceptor < b.acceptor; });
    }
    if (!has_hydrogens_) drop_reverse(found);
    return found;
  }

 private:
  [[noreturn]] void too_many(std::size_t most) const {
    throw Error("hydrogen bonds: more than " + std::to_string(most) + " are within " + std::to_string(rule_.distance) +
                    " angstrom and " + std::to_string(rule_.angle) +
                    " degrees; a smaller distance or a larger angle has fewer",
                Error::Kind::usage);
  }
  bool polar(std::uint32_t i) const {
    const int z = topology_.atoms[i].element;
    return z == 7 || z == 8 || z == 9;
  }
  std::span<const std::uint32_t> neighbours(std::uint32_t i) const {
    return {bonds_.items.data() + bonds_.offsets[i], bonds_.items.data() + bonds_.offsets[i + 1]};
  }
  std::size_t hydrogens(std::uint32_t i) const {
    const auto around = neighbours(i);
    return static_cast<std::size_t>(std::count_if(around.begin(), around.end(),
                                                  [this](std::uint32_t j) { return topology_.atoms[j].element == 1; }));
  }

  bool donates(std::uint32_t i) const {
    if (has_hydrogens_) return hydrogens(i) > 0;
    const auto around = neighbours(i);
    if (topology_.atoms[i].element == 7) return around.size() <= 2;
    if (topology_.atoms[i].element != 8 || around.size() > 1) return false;
    return around.empty() || (topology_.atoms[around[0]].element == 6 &&
                              glm::distance(frame_.positions[i], frame_.positions[around[0]]) > single_bond);
  }

  bool accepts(std::uint32_t i) const {
    if (topology_.atoms[i].element != 7) return true;
    const auto around = neighbours(i);
    if (has_hydrogens_) return around.size() <= 2 && hydrogens(i) == 0;
    return around.size() == 2 && in_ring(i);
  }

  /// Whether the two neighbours of an atom are joined by a way that does not lead over it.
  bool in_ring(std::uint32_t atom) const {
    const auto around = neighbours(atom);
    std::vector<std::uint32_t> seen{atom, around[0]}, front{around[0]};
    for (int steps = 0; steps < largest_ring - 2; ++steps) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t i : front)
        for (const std::uint32_t j : neighbours(i)) {
          if (std::find(seen.begin(), seen.end(), j) != seen.end()) continue;
          if (j == around[1]) return true;
          seen.push_back(j);
          next.push_back(j);
        }
      front = std::move(next);
    }
    return false;
  }

  bool other_location(std::uint32_t a, std::uint32_t b) const {
    const char x = topology_.atoms[a].altloc, y = topology_.atoms[b].altloc;
    return x != y && x != ' ' && y != ' ';
  }

  /// At most three bonds apart.
  bool near_by_bonds(std::uint32_t a, std::uint32_t b) const {
    for (const std::uint32_t i : neighbours(a)) {
      if (i == b) return true;
      for (const std::uint32_t j : neighbours(i)) {
        if (j == b) return true;
        const auto last = neighbours(j);
        if (std::find(last.begin(), last.end(), b) != last.end()) return true;
      }
    }
    return false;
  }

  /// Cosine of the angle a-b-c.
  float cosine(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const glm::vec3 p = frame_.positions[a] - frame_.positions[b], q = frame_.positions[c] - frame_.positions[b];
    const float lengths = glm::length(p) * glm::length(q);
    return lengths > 0 ? glm::dot(p, q) / lengths : 1;
  }

  bool fits(HydrogenBond& bond) const {
    if (!has_hydrogens_) {
      for (const std::uint32_t i : neighbours(bond.donor))
        if (cosine(i, bond.donor, bond.acceptor) > least_cosine) return false;
      for (const std::uint32_t i : neighbours(bond.acceptor))
        if (cosine(i, bond.acceptor, bond.donor) > least_cosine) return false;
      return true;
    }
    float straightest = std::cos(rule_.angle * 0.017453292519943295f);
    bool found = false;
    for (const std::uint32_t i : neighbours(bond.donor)) {
      if (topology_.atoms[i].element != 1) continue;
      const float at_hydrogen = cosine(bond.donor, i, bond.acceptor);
      if (at_hydrogen > straightest) continue;
      straightest = at_hydrogen;
      bond.hydrogen = i;
      found = true;
    }
    return found;
  }

  /// Of two bonds between the same atoms the nitrogen's stays, else the first atom's.
  void drop_reverse(std::vector<HydrogenBond>& found) const {
    const auto rank = [this](const HydrogenBond& b) { return std::pair(topology_.atoms[b.donor].element, b.donor); };
    std::erase_if(found, [&, all = found](const HydrogenBond& bond) {
      const auto reverse =
          std::lower_bound(all.begin(), all.end(), std::pair(bond.acceptor, bond.donor),
                           [](const HydrogenBond& b, const auto& key) { return std::pair(b.donor, b.acceptor) < key; });
      const bool there = reverse != all.end() && reverse->donor == bond.acceptor && reverse->acceptor == bond.donor;
      return there && rank(*reverse) < rank(bond);
    });
  }

  const Topology& topology_;
  const Frame& frame_;
  const HydrogenBondRule& rule_;
  BondTable bonds_;
  bool has_hydrogens_ = false;
};

}  // namespace

std::vector<HydrogenBond> hydrogen_bonds(const Topology& topology, const Frame& frame,
                                         std::span<const std::uint8_t> mask, const HydrogenBondRule& rule) {
  if (frame.positions.size() != topology.atoms.size() || mask.size() != topology.atoms.size()) {
    throw Error("hydrogen bonds: " + std::to_string(topology.atoms.size()) + " atoms, " +
                std::to_string(frame.positions.size()) + " positions and " + std::to_string(mask.size()) +
                " selection marks");
  }
  if (!(rule.distance > 0)) return {};
  return Finder(topology, frame, rule).find(mask);
}

}  // namespace isolume
