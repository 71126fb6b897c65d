// The potential of a quantum density: the electrons by the body, the nuclei here.
#include "compute/electron_density/density_potential.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/density_potential_body.h"
#include "molecule/base/error.h"

namespace isolume {

DensityPotential::DensityPotential(const Orbitals& orbitals, std::span<const double> weights,
                                   std::span<const double> charges, Job& job)
    : density_(hermite_density(orbitals, weights, job)),
      centres_(orbitals.centres),
      charges_(charges.begin(), charges.end()) {
  if (charges_.empty()) charges_.resize(centres_.size(), 0.0);
  if (charges_.size() != centres_.size()) {
    throw Error(fmt::format("potential: {} charges for {} nuclei", charges_.size(), centres_.size()),
                Error::Kind::usage);
  }
}

void DensityPotential::evaluate(std::span<const glm::dvec3> points, std::span<double> potential,
                                std::span<glm::dvec3> field) const {
  if (points.empty()) return;
  thread_local PotentialTile tile;
  for (std::size_t n = 0; n < batch; ++n) {
    for (int axis = 0; axis < 3; ++axis) tile.points[axis][n] = points[std::min(n, points.size() - 1)][axis];
  }
  sum_potential(density_, !field.empty(), tile);
  for (std::size_t n = 0; n < points.size(); ++n) {
    double sum = tile.potential[n];
    glm::dvec3 slope(tile.field[0][n], tile.field[1][n], tile.field[2][n]);
    for (std::size_t a = 0; a < centres_.size(); ++a) {
      if (charges_[a] == 0) continue;
      const glm::dvec3 away = points[n] - centres_[a];
      const double r = glm::length(away);
      sum += charges_[a] / r;
      slope += charges_[a] / (r * r * r) * away;
    }
    potential[n] = sum;
    if (!field.empty()) field[n] = slope;
  }
}

void DensityPotential::at(std::span<const glm::dvec3> points, std::span<double> potential, std::span<glm::dvec3> field,
                          Job& job) const {
  parallel_for((points.size() + batch - 1) / batch, job, "potential of the density", [&](std::size_t i) {
    const std::size_t first = i * batch, count = std::min(batch, points.size() - first);
    evaluate(points.subspan(first, count), potential.subspan(first, count),
             field.empty() ? field : field.subspan(first, count));
  });
}

}  // namespace isolume
