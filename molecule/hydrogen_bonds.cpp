// Hydrogen bonds by geometry.
#include "molecule/hydrogen_bonds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "molecule/base/error.h"
#include "molecule/base/stop.h"
#include "molecule/neighbour_grid.h"

namespace isolume {
namespace {

constexpr float least_cosine = 0.0f;  // of the angles at donor and acceptor without hydrogens: 90 degrees and more
constexpr int largest_ring = 6;

/// Who donates and accepts by elements and bonds alone.
class Roles {
 public:
  explicit Roles(const Topology& topology) : topology_(topology), bonds_(bond_table(topology)) {
    has_hydrogens_ =
        std::any_of(topology.atoms.begin(), topology.atoms.end(), [](const Atom& a) { return a.element == 1; });
  }

  bool has_hydrogens() const { return has_hydrogens_; }
  bool hydrogen(std::uint32_t i) const { return topology_.atoms[i].element == 1; }
  bool polar(std::uint32_t i) const {
    const int z = topology_.atoms[i].element;
    return z == 7 || z == 8 || z == 9;
  }
  std::span<const std::uint32_t> neighbours(std::uint32_t i) const {
    return {bonds_.items.data() + bonds_.offsets[i], bonds_.items.data() + bonds_.offsets[i + 1]};
  }

  /// Whether it does, perhaps if the atom `carbon` is a single bond away.
  bool donates(std::uint32_t i, std::uint32_t& carbon) const {
    carbon = i;
    if (has_hydrogens_) return hydrogens(i) > 0;
    const auto around = neighbours(i);
    if (topology_.atoms[i].element == 7) return around.size() <= 2;
    if (topology_.atoms[i].element != 8 || around.size() > 1) return false;
    if (around.empty()) return true;
    carbon = around[0];
    return topology_.atoms[carbon].element == 6;
  }

  bool accepts(std::uint32_t i) const {
    if (topology_.atoms[i].element != 7) return true;
    const auto around = neighbours(i);
    if (has_hydrogens_) return around.size() <= 2 && hydrogens(i) == 0;
    return around.size() == 2 && in_ring(i);
  }

  /// Itself and all that are at most three bonds away.
  std::vector<std::uint32_t> near_by_bonds(std::uint32_t atom) const {
    std::vector<std::uint32_t> all{atom};
    std::size_t front = 0;
    for (int steps = 0; steps < 3; ++steps) {
      const std::size_t end = all.size();
      for (; front < end; ++front)
        for (const std::uint32_t j : neighbours(all[front]))
          if (std::find(all.begin(), all.end(), j) == all.end()) all.push_back(j);
    }
    return all;
  }

 private:
  std::size_t hydrogens(std::uint32_t i) const {
    const auto around = neighbours(i);
    return static_cast<std::size_t>(
        std::count_if(around.begin(), around.end(), [this](std::uint32_t j) { return hydrogen(j); }));
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

  const Topology& topology_;
  BondTable bonds_;
  bool has_hydrogens_ = false;
};

/// The bonds of one frame.
class Finder {
 public:
  using Site = HydrogenBondSites::Site;
  Finder(const HydrogenBondSites& sites, std::span<const glm::vec3> positions, const HydrogenBondRule& rule)
      : sites_(sites), positions_(positions), rule_(rule) {}

  std::vector<HydrogenBond> find() {
    std::vector<const Site*> acceptors;
    std::vector<glm::vec3> places;
    for (const Site& site : sites_.acceptors()) {
      if (!std::isfinite(positions_[site.point].x)) continue;
      acceptors.push_back(&site);
      places.push_back(positions_[site.point]);
    }
    std::vector<HydrogenBond> found;
    if (places.empty()) return found;
    const NeighbourGrid grid(places, static_cast<double>(rule_.distance));
    const std::size_t most = sites_.most();
    for (const Site& donor : sites_.donors()) {
      check_stop();
      if (found.size() > most) sites_.throw_too_many(rule_);
      if (!std::isfinite(positions_[donor.point].x) || !donates(donor)) continue;
      const std::size_t first = found.size();
      grid.visit(positions_[donor.point], [&](std::uint32_t place, double squared) {
        const Site& acceptor = *acceptors[place];
        HydrogenBond bond{donor.atom, donor.atom, acceptor.atom, static_cast<float>(std::sqrt(squared))};
        if (meet(donor, acceptor) && fits(donor, acceptor, bond)) found.push_back(bond);
        return false;
      });
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                [](const HydrogenBond& a, const HydrogenBond& b) { return a.acceptor < b.acceptor; });
    }
    return found;
  }

 private:
  bool donates(const Site& site) const {
    return site.carbon == site.point ||
           glm::distance(positions_[site.point], positions_[site.carbon]) > carbon_oxygen_single;
  }

  /// Whether the two can be partners, wherever they are.
  bool meet(const Site& donor, const Site& acceptor) const {
    if (donor.altloc != acceptor.altloc && donor.altloc != ' ' && acceptor.altloc != ' ') return false;
    if (sites_.between() && !((donor.sets & 1) && (acceptor.sets & 2)) && !((donor.sets & 2) && (acceptor.sets & 1)))
      return false;
    const auto barred = sites_.barred().subspan(donor.barred_begin, donor.barred_end - donor.barred_begin);
    if (std::find(barred.begin(), barred.end(), acceptor.atom) != barred.end()) return false;
    // Of two bonds between the same atoms the nitrogen's stays, else the first atom's.
    const bool reverse = !sites_.hydrogens() && donor.both && acceptor.both && donates(acceptor);
    return !reverse || std::pair(donor.element, donor.atom) < std::pair(acceptor.element, acceptor.atom);
  }

  /// Cosine of the angle a-b-c.
  float cosine(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const glm::vec3 p = positions_[a] - positions_[b], q = positions_[c] - positions_[b];
    const float lengths = glm::length(p) * glm::length(q);
    return lengths > 0 ? glm::dot(p, q) / lengths : 1;
  }

  bool fits(const Site& donor, const Site& acceptor, HydrogenBond& bond) const {
    if (!sites_.hydrogens()) {
      for (std::uint32_t i = donor.around_begin; i < donor.around_end; ++i)
        if (cosine(sites_.around()[i], donor.point, acceptor.point) > least_cosine) return false;
      for (std::uint32_t i = acceptor.around_begin; i < acceptor.around_end; ++i)
        if (cosine(sites_.around()[i], acceptor.point, donor.point) > least_cosine) return false;
      return true;
    }
    float straightest = std::cos(rule_.angle * 0.017453292519943295f);
    bool found = false;
    for (std::uint32_t i = donor.around_begin; i < donor.around_end; ++i) {
      const float at_hydrogen = cosine(donor.point, sites_.around()[i], acceptor.point);
      if (at_hydrogen > straightest) continue;
      straightest = at_hydrogen;
      bond.hydrogen = sites_.around_atoms()[i];
      found = true;
    }
    return found;
  }

  const HydrogenBondSites& sites_;
  std::span<const glm::vec3> positions_;
  const HydrogenBondRule& rule_;
};

}  // namespace

HydrogenBondSites::HydrogenBondSites(const Topology& topology, std::span<const std::uint8_t> first,
                                     std::span<const std::uint8_t> second)
    : between_(!second.empty()) {
  if (first.size() != topology.atoms.size() || (between_ && second.size() != topology.atoms.size()))
    throw Error("hydrogen bonds: " + std::to_string(topology.atoms.size()) + " atoms and " +
                std::to_string(first.size()) + " selection marks");
  const Roles roles(topology);
  hydrogens_ = roles.has_hydrogens();
  for (std::uint32_t i = 0; i < topology.atoms.size(); ++i) {
    if (!roles.polar(i) || (!first[i] && !(between_ && second[i]))) continue;
    Site site;
    const bool donor = roles.donates(i, site.carbon), acceptor = roles.accepts(i);
    if (!donor && !acceptor) continue;
    site.atom = site.point = i;
    site.element = topology.atoms[i].element;
    site.altloc = topology.atoms[i].altloc;
    site.sets = static_cast<std::uint8_t>((first[i] ? 1 : 0) + (between_ && second[i] ? 2 : 0));
    site.both = donor && acceptor;
    site.around_begin = static_cast<std::uint32_t>(around_.size());
    for (const std::uint32_t j : roles.neighbours(i))
      if (!hydrogens_ || (donor && roles.hydrogen(j))) around_.push_back(j);
    site.around_end = static_cast<std::uint32_t>(around_.size());
    if (acceptor) {
      acceptors_.push_back(site);
      if (!donor) acceptors_.back().carbon = i;
    }
    if (!donor) continue;
    site.barred_begin = static_cast<std::uint32_t>(barred_.size());
    for (const std::uint32_t j : roles.near_by_bonds(i))
      if (roles.polar(j)) barred_.push_back(j);
    site.barred_end = static_cast<std::uint32_t>(barred_.size());
    donors_.push_back(site);
  }
  around_atoms_ = around_;
}

std::vector<std::uint32_t> HydrogenBondSites::gather() {
  std::vector<std::uint32_t> atoms;
  for (const Site& site : donors_) atoms.push_back(site.atom);
  for (const Site& site : acceptors_) atoms.push_back(site.atom);
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> others;  // point of each atom, so far as it is one
  const auto point_of = [&](std::uint32_t atom) {
    if (atom >= others.size()) others.resize(atom + std::size_t{1}, none);
    if (others[atom] == none) {
      others[atom] = static_cast<std::uint32_t>(atoms.size());
      atoms.push_back(atom);
    }
    return others[atom];
  };
  // Points were atoms until now.
  for (std::uint32_t& point : around_) point = point_of(point);
  std::uint32_t number = 0;
  for (auto* sites : {&donors_, &acceptors_})
    for (Site& site : *sites) {
      site.carbon = site.carbon == site.point ? number : point_of(site.carbon);
      site.point = number++;
    }
  return atoms;
}

std::vector<HydrogenBond> HydrogenBondSites::find(std::span<const glm::vec3> positions,
                                                  const HydrogenBondRule& rule) const {
  if (!(rule.distance > 0)) return {};
  return Finder(*this, positions, rule).find();
}

void HydrogenBondSites::throw_too_many(const HydrogenBondRule& rule) const {
  throw Error("hydrogen bonds: more than " + std::to_string(most()) + " are within " + std::to_string(rule.distance) +
                  " angstrom and " + std::to_string(rule.angle) +
                  " degrees; a smaller distance or a larger angle has fewer",
              Error::Kind::usage);
}

std::vector<HydrogenBond> hydrogen_bonds(const Topology& topology, const Frame& frame,
                                         std::span<const std::uint8_t> mask, const HydrogenBondRule& rule) {
  if (frame.positions.size() != topology.atoms.size() || mask.size() != topology.atoms.size()) {
    throw Error("hydrogen bonds: " + std::to_string(topology.atoms.size()) + " atoms, " +
                std::to_string(frame.positions.size()) + " positions and " + std::to_string(mask.size()) +
                " selection marks");
  }
  if (!(rule.distance > 0)) return {};
  return HydrogenBondSites(topology, mask).find(frame.positions, rule);
}

}  // namespace isolume
