// The measured error of a potential map.
#include "compute/electrostatics/error_estimate.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "compute/analysis/volume_samples.h"
#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/direct/exact_sum.h"

namespace isolume {

namespace {

constexpr double shell = 4.0;  // angstrom around charges from which half of the points come

/// A number below `count`, the same on every platform (std::uniform_int_distribution is not).
std::size_t draw(std::mt19937_64& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

/// The grid point nearest to a random point within `shell` of a random charge; any point where that lies outside.
std::size_t near_charge(std::mt19937_64& random, std::span<const PointCharge> charges, const Grid& grid) {
  for (int attempt = 0; attempt < 16; ++attempt) {
    const glm::dvec3 centre(charges[draw(random, charges.size())].position);
    const glm::dvec3 cube(uniform(random), uniform(random), uniform(random));
    const glm::dvec3 at = glm::round(grid.coordinates(centre + shell * (2.0 * cube - 1.0)));
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) inside = inside && at[axis] >= 0 && at[axis] < grid.counts[axis];
    if (!inside) continue;
    const glm::ivec3 point(at);
    if (glm::distance(grid.point(point.x, point.y, point.z), centre) > shell) continue;
    return grid.index(point.x, point.y, point.z);
  }
  return draw(random, grid.size());
}

/// Numbers of grid points: half anywhere, half near charges.
std::vector<std::size_t> sample_of(std::span<const PointCharge> charges, const Grid& grid, std::size_t points,
                                   std::uint32_t seed) {
  std::mt19937_64 random(seed);
  const bool solid = std::abs(glm::determinant(grid.step)) > 0;
  std::vector<std::size_t> sample(points);
  for (std::size_t i = 0; i < points; ++i) {
    const bool near = i % 2 == 1 && !charges.empty() && solid;
    sample[i] = near ? near_charge(random, charges, grid) : draw(random, grid.size());
  }
  return sample;
}

std::vector<glm::dvec3> places_of(std::span<const std::size_t> sample, const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.counts.x);
  const auto ny = static_cast<std::size_t>(grid.counts.y);
  std::vector<glm::dvec3> places;
  places.reserve(sample.size());
  for (const std::size_t at : sample)
    places.push_back(
        grid.point(static_cast<double>(at % nx), static_cast<double>(at / nx % ny), static_cast<double>(at / nx / ny)));
  return places;
}

MapError compare_sampled(Span<const float> values, std::span<const std::size_t> sample, std::span<const double> exact) {
  const std::vector<float> sampled = values_at(values, sample);
  return compare_potentials(std::vector<double>(sampled.begin(), sampled.end()), exact);
}

}  // namespace

MapError potential_error(std::span<const PointCharge> charges, const Grid& grid, std::span<const float> values,
                         std::size_t points, std::uint32_t seed) {
  Job job;
  return potential_error(
      charges, grid, Span<const float>(values.data(), values.size(), Device::cpu()),
      [&](std::span<const glm::dvec3> at, std::span<double> potential) {
        direct_potential_reference(charges, at, potential);
      },
      points, seed, job);
}

MapError potential_error(std::span<const PointCharge> charges, const Grid& grid, Span<const float> values,
                         const ExactPotential& exact_of, std::size_t points, std::uint32_t seed, Job& job) {
  check_grid(grid, "potential error");
  check_values(grid, values, "potential error");
  if (grid.size() == 0) return {};
  const std::vector<std::size_t> sample = sample_of(charges, grid, points, seed);
  const std::vector<glm::dvec3> places = places_of(sample, grid);
  std::vector<double> exact(points);
  constexpr std::size_t tile = 20;  // points at a time: what `exact_of` prepares is shared by them
  parallel_for((points + tile - 1) / tile, job, "measuring the error", [&](std::size_t t) {
    const std::size_t begin = t * tile;
    const std::size_t count = std::min(points, begin + tile) - begin;
    exact_of(std::span(places).subspan(begin, count), std::span(exact).subspan(begin, count));
  });
  return compare_sampled(values, sample, exact);
}

MapError potential_error_on_device(std::span<const PointCharge> charges, const Grid& grid, Span<const float> values,
                                   std::size_t points, std::uint32_t seed, Job& job, Span<const PointCharge> there) {
  check_grid(grid, "potential error");
  check_values(grid, values, "potential error");
  if (grid.size() == 0) return {};
  const std::vector<std::size_t> sample = sample_of(charges, grid, points, seed);
  std::vector<double> exact(points);
  exact_potential(charges, places_of(sample, grid), exact, values.device, job, there);
  return compare_sampled(values, sample, exact);
}

MapError compare_potentials(std::span<const double> values, std::span<const double> exact) {
  MapError error;
  double squares = 0;
  double exact_squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double difference = values[i] - exact[i];
    squares += difference * difference;
    exact_squares += exact[i] * exact[i];
    error.max = std::max(error.max, std::abs(difference));
    // A value that is not a number must not vanish in the maximum.
    if (std::isnan(difference)) error.max = difference;
  }
  error.points = values.size();
  if (values.empty()) return error;
  error.rms = std::sqrt(squares / static_cast<double>(values.size()));
  if (exact_squares > 0) error.relative = std::sqrt(squares / exact_squares);
  return error;
}

}  // namespace isolume
