// Hydrogens that can turn, each group by its least electrostatic energy.
#include "compute/preparation/hydrogen_turns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "molecule/base/units.h"
#include "molecule/neighbour_grid.h"

namespace isolume {

namespace {

constexpr double reach = 5.0;  // angstrom, from the carrier

/// Distances below which a hydrogen is pushed away, angstrom.
double closest(std::uint8_t element) {
  switch (element) {
    case 1:
      return 2.0;
    case 7:
    case 8:
      return 1.7;
    default:
      return 2.4;
  }
}

struct Neighbour {
  glm::dvec3 place{0.0};
  double charge = 0;
  double closest = 0;
};

class Turner {
 public:
  Turner(const std::vector<TurningHydrogens>& groups, const std::vector<FeltAtom>& atoms,
         std::vector<glm::dvec3>& places)
      : atoms_(atoms),
        places_(places),
        turning_(turning(groups, atoms.size())),
        fixed_(fixed(turning_)),
        grid_(points(fixed_, places), reach),
        carried_(atoms.size(), nullptr) {}

  void place(const TurningHydrogens& group) {
    around_.clear();
    const auto feel = [&](std::uint32_t atom) {
      around_.push_back({places_[atom], atoms_[atom].charge, closest(atoms_[atom].element)});
    };
    grid_.visit(glm::vec3(group.parent.place), [&](std::uint32_t i, double) {
      const std::uint32_t atom = fixed_[i];
      if (atom != group.carrier && atom != group.neighbour) feel(atom);
      if (carried_[atom] && atom != group.carrier) {
        for (const std::uint32_t h : carried_[atom]->hydrogens) feel(h);
      }
      return false;
    });
    double least = std::numeric_limits<double>::infinity();
    std::vector<glm::dvec3> best;
    const auto offer = [&](const std::vector<glm::dvec3>& hydrogens) {
      double sum = 0;
      for (std::size_t k = 0; k < hydrogens.size(); ++k) sum += energy(hydrogens[k], atoms_[group.hydrogens[k]].charge);
      if (sum < least - 1e-9) {
        least = sum;
        best = hydrogens;
      }
    };
    if (group.parent.bonded.empty()) {
      offer_waters(group, offer);
    } else {
      const std::size_t count = group.hydrogens.size();
      const double first = usual_torsion(group.parent, count);
      const int steps = group.parent.planar ? 2 : count == 3 ? 12 : 36;
      const double step = group.parent.planar ? 180 : 10;
      for (int i = 0; i < steps; ++i) offer(hydrogen_places(group.parent, count, first + step * i));
    }
    for (std::size_t k = 0; k < best.size(); ++k) places_[group.hydrogens[k]] = best[k];
    carried_[group.carrier] = &group;
  }

 private:
  static std::vector<char> turning(const std::vector<TurningHydrogens>& groups, std::size_t count) {
    std::vector<char> result(count, 0);
    for (const TurningHydrogens& group : groups) {
      for (const std::uint32_t h : group.hydrogens) result[h] = 1;
    }
    return result;
  }
  static std::vector<std::uint32_t> fixed(const std::vector<char>& turning) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < turning.size(); ++i) {
      if (!turning[i]) result.push_back(i);
    }
    return result;
  }
  static std::vector<glm::vec3> points(const std::vector<std::uint32_t>& fixed, const std::vector<glm::dvec3>& places) {
    std::vector<glm::vec3> result;
    for (const std::uint32_t i : fixed) result.emplace_back(places[i]);
    return result;
  }

  double energy(glm::dvec3 hydrogen, double charge) const {
    double sum = 0;
    for (const Neighbour& n : around_) {
      const double r = std::max(glm::distance(hydrogen, n.place), 0.5);
      sum += units::coulomb_kcal_angstrom * charge * n.charge / r;
      if (r < n.closest) sum += 60.0 * (n.closest - r) * (n.closest - r);
    }
    return sum;
  }

  /// One hydrogen towards each acceptor around (or along x where there is none), the other turned about it.
  template <class Offer>
  void offer_waters(const TurningHydrogens& group, Offer&& offer) const {
    const glm::dvec3 at = group.parent.place;
    std::vector<glm::dvec3> first;
    for (const Neighbour& n : around_) {
      const double r = glm::distance(n.place, at);
      if (n.charge < -0.2 && r > 1.5 && r < 3.6) first.push_back((n.place - at) / r);
    }
    if (first.empty()) first.emplace_back(1, 0, 0);
    const double length = hydrogen_bond_length(8, false), angle = 104.52 * units::pi / 180.0;
    for (const glm::dvec3 along : first) {
      const glm::dvec3 across =
          glm::normalize(glm::cross(along, std::abs(along.x) < 0.8 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
      const glm::dvec3 up = glm::cross(along, across);
      for (int i = 0; i < 12; ++i) {
        const double t = i * units::pi / 6.0;
        const glm::dvec3 other = std::cos(angle) * along + std::sin(angle) * (std::cos(t) * across + std::sin(t) * up);
        offer({at + length * along, at + length * other});
      }
    }
  }

  const std::vector<FeltAtom>& atoms_;
  std::vector<glm::dvec3>& places_;
  std::vector<char> turning_;
  std::vector<std::uint32_t> fixed_;
  NeighbourGrid grid_;
  std::vector<const TurningHydrogens*> carried_;  // by carrier, once it is placed
  std::vector<Neighbour> around_;
};

}  // namespace

void turn_hydrogens(const std::vector<TurningHydrogens>& groups, const std::vector<FeltAtom>& atoms,
                    std::vector<glm::dvec3>& places) {
  if (groups.empty()) return;
  Turner turner(groups, atoms, places);
  for (const bool water : {false, true}) {
    for (const TurningHydrogens& group : groups) {
      if (group.parent.bonded.empty() == water) turner.place(group);
    }
  }
}

}  // namespace isolume
