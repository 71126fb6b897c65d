// The potential of a density map that pulls a model into it.
#include "compute/density_maps/map_potential.h"

#include <fmt/core.h>

#include <algorithm>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<double> potential_of(std::span<const float> values, double threshold, double scale) {
  const double most = values.empty() ? threshold : static_cast<double>(*std::max_element(values.begin(), values.end()));
  if (!(threshold < most))
    throw Error(
        fmt::format("map potential: the threshold {:g} is not below the map's largest value, {:g}", threshold, most),
        Error::Kind::usage);
  std::vector<double> result;
  result.reserve(values.size());
  for (const float value : values) {
    const double rho = std::max(static_cast<double>(value), threshold);
    result.push_back(scale * (1 - (rho - threshold) / (most - threshold)));
  }
  return result;
}

}  // namespace

MapPotential::MapPotential(const Grid& grid, std::span<const float> values, double threshold, double scale)
    : threshold_(threshold), scale_(scale), spline_(grid, potential_of(values, threshold, scale)) {}

MapSpline::Sample MapPotential::at(glm::dvec3 point) const {
  MapSpline::Sample sample = spline_.at(point);
  if (!sample.inside) sample.value = scale_;
  return sample;
}

double MapPotential::add_forces(std::span<const glm::dvec3> positions, std::span<const double> weights,
                                std::span<glm::dvec3> forces, Job& job) const {
  if (weights.size() != positions.size() || forces.size() != positions.size())
    throw Error(fmt::format("map potential: {} positions, {} weights and {} forces", positions.size(), weights.size(),
                            forces.size()),
                Error::Kind::usage);
  constexpr std::size_t block = 512;
  std::vector<double> energies((positions.size() + block - 1) / block);
  parallel_for(energies.size(), job, "map potential", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(positions.size(), (b + 1) * block); ++i) {
      const MapSpline::Sample sample = at(positions[i]);
      energies[b] += weights[i] * sample.value;
      forces[i] -= weights[i] * sample.gradient;
    }
  });
  double energy = 0;
  for (const double part : energies) energy += part;
  return energy;
}

}  // namespace isolume
