// The potential of a quantum density: the electrons by the body, the nuclei here.
#include "compute/electron_density/density_potential.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/electron_density/density_bodies_cuda.h"
#include "compute/electron_density/density_potential_body.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

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
                          Job& job, Device device) const {
  job.check();
  if (device.is_cuda())
    return potential_at_points_cuda({density_, centres_, charges_}, points, potential, field, device, job);
  parallel_for((points.size() + batch - 1) / batch, job, "potential of the density", [&](std::size_t i) {
    const std::size_t first = i * batch, count = std::min(batch, points.size() - first);
    evaluate(points.subspan(first, count), potential.subspan(first, count),
             field.empty() ? field : field.subspan(first, count));
  });
}

void DensityPotential::on_grid(const Grid& grid, bool field, double factor, Span<float> values, Job& job) const {
  check_grid(grid, "potential of the density");
  check_values(grid, values, "potential of the density");
  job.check();
  if (values.empty()) return;
  if (values.device.is_cuda())
    return potential_on_grid_cuda({density_, centres_, charges_}, field, factor, grid, values, job);
  const auto counts = glm::u64vec3(grid.counts);
  parallel_for((grid.size() + batch - 1) / batch, job, "potential of the density", [&](std::size_t i) {
    std::array<glm::dvec3, batch> points, slopes;
    std::array<double, batch> sums;
    const std::size_t first = i * batch, count = std::min(batch, grid.size() - first);
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t at = first + n;
      points[n] = units::angstrom_in_bohr * grid.point(static_cast<double>(at % counts.x),
                                                       static_cast<double>(at / counts.x % counts.y),
                                                       static_cast<double>(at / counts.x / counts.y));
    }
    evaluate({points.data(), count}, {sums.data(), count},
             field ? std::span(slopes.data(), count) : std::span<glm::dvec3>());
    for (std::size_t n = 0; n < count; ++n) {
      const double value = factor * (field ? glm::length(slopes[n]) : sums[n]);
      values.data[first + n] = static_cast<float>(std::min(value, 1e30));
    }
  });
}

}  // namespace isolume
