// Energies with which molecules of water interact with the rest of a system.
#include "compute/over_time/hydration_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// The nearest images in one cell.
class NearestImage {
 public:
  explicit NearestImage(const Cell& cell) : cell_(cell), periodic_(cell.exists()), orthogonal_(cell.orthogonal()) {
    if (periodic_) edges_ = {cell.vectors[0].x, cell.vectors[1].y, cell.vectors[2].z};
    // Turned cells, as of superposed frames, have their edges elsewhere.
    for (int column = 0; column < 3; ++column)
      for (int row = 0; row < 3; ++row)
        if (row != column && cell.vectors[column][row] != 0) orthogonal_ = false;
  }

  glm::dvec3 operator()(glm::dvec3 d) const {
    if (!periodic_) return d;
    if (orthogonal_) return d - edges_ * glm::round(d / edges_);
    return cell_.minimum_image(d);
  }

 private:
  const Cell& cell_;
  bool periodic_, orthogonal_;
  glm::dvec3 edges_{1.0};
};

}  // namespace

HydrationEnergies::HydrationEnergies(const Topology& topology, const ForceField& field,
                                     std::span<const std::uint32_t> water)
    : constant_(field.coulomb_constant),
      type_count_(field.type_count),
      charges_(field.charges),
      lj_a_(field.lj_a),
      lj_b_(field.lj_b),
      types_(field.types),
      waters_(water.begin(), water.end()),
      molecule_of_(topology.atoms.size(), -1) {
  const std::size_t atoms = topology.atoms.size();
  if (charges_.size() != atoms || types_.size() != atoms)
    throw Error(fmt::format("hydration: a force field of {} atoms for {}", types_.size(), atoms), Error::Kind::usage);
  if (waters_.empty()) throw Error("hydration: there is no water", Error::Kind::usage);
  std::sort(waters_.begin(), waters_.end());
  for (std::uint32_t i = 0; i < waters_.size(); ++i) {
    const bool goes_on = i > 0 && topology.atoms[waters_[i]].residue == topology.atoms[waters_[i - 1]].residue;
    if (!goes_on) molecules_.push_back({i, i});
    molecules_.back().last = i + 1;
    molecule_of_[waters_[i]] = static_cast<std::int32_t>(molecules_.size()) - 1;
  }
  for (std::uint32_t i = 0; i < atoms; ++i)
    if (molecule_of_[i] < 0) solute_.push_back(i);
}

double HydrationEnergies::between(std::uint32_t a, std::uint32_t b, double squared) const {
  const double inverse = 1 / squared, sixth = inverse * inverse * inverse;
  const std::size_t pair = static_cast<std::size_t>(types_[a]) * type_count_ + types_[b];
  return constant_ * charges_[a] * charges_[b] * std::sqrt(inverse) + (lj_a_[pair] * sixth - lj_b_[pair]) * sixth;
}

std::vector<double> HydrationEnergies::of(std::span<const std::uint32_t> which, std::span<const glm::dvec3> positions,
                                          const Cell& cell, HydrationPartner partner, const Job& job) const {
  if (positions.size() != molecule_of_.size())
    throw Error(fmt::format("hydration: {} positions for {} atoms", positions.size(), molecule_of_.size()),
                Error::Kind::usage);
  const NearestImage nearest(cell);
  std::vector<double> energies;
  energies.reserve(which.size());
  for (const std::uint32_t atom : which) {
    job.check();
    if (atom >= molecule_of_.size() || molecule_of_[atom] < 0)
      throw Error(fmt::format("hydration: atom {} is not of water", atom), Error::Kind::usage);
    const Molecule own = molecules_[static_cast<std::size_t>(molecule_of_[atom])];
    const auto add = [&](std::uint32_t own_atom, std::uint32_t other, double part) {
      const glm::dvec3 d = nearest(positions[other] - positions[own_atom]);
      return part * between(own_atom, other, glm::dot(d, d));
    };
    double sum = 0;
    for (std::uint32_t i = own.first; i < own.last; ++i) {
      if (partner == HydrationPartner::solute) {
        for (const std::uint32_t other : solute_) sum += add(waters_[i], other, 1);
        continue;
      }
      for (std::uint32_t j = 0; j < own.first; ++j) sum += add(waters_[i], waters_[j], 0.5);
      for (std::uint32_t j = own.last; j < waters_.size(); ++j) sum += add(waters_[i], waters_[j], 0.5);
    }
    energies.push_back(sum);
  }
  return energies;
}

}  // namespace isolume
