// The measured error of a potential map.
#include "compute/electrostatics/error/error_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "compute/analysis/volume_samples.h"
#include "compute/base/checks.h"
#include "compute/base/parallel_for.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/error/near_points.h"

namespace isolume {

namespace {

glm::ivec3 place_of(std::size_t at, const Grid& grid) {
  const auto nx = static_cast<std::size_t>(grid.counts.x);
  const auto ny = static_cast<std::size_t>(grid.counts.y);
  return {static_cast<int>(at % nx), static_cast<int>(at / nx % ny), static_cast<int>(at / nx / ny)};
}

/// Numbers of grid points, how much each counts, and which were drawn near charges.
struct Sample {
  std::vector<std::size_t> points;
  std::vector<double> weights;  ///< 1 over (probability x points of the grid)
  std::vector<bool> near;
};

Sample sample_of(std::span<const PointCharge> charges, const Grid& grid, std::size_t points, std::uint32_t seed) {
  std::mt19937_64 random(seed);
  const NearPoints around(charges, grid);
  Sample sample;
  const auto size = static_cast<double>(grid.size());
  for (std::size_t i = 0; i < points; ++i) {
    const bool near = i % 4 == 1 && !around.empty(), corner = i % 4 == 3 && !around.empty();
    const std::size_t at = near     ? around.draw_near(random)
                           : corner ? around.draw_corner(random)
                                    : draw(random, grid.size());
    sample.points.push_back(at);
    sample.near.push_back(near);
    double probability = 1 / size;
    if (!around.empty()) {
      const auto [by_near, by_corner] = around.probability(place_of(at, grid));
      probability = 0.5 / size + 0.25 * by_near + 0.25 * by_corner;
    }
    sample.weights.push_back(1 / (probability * size));
  }
  return sample;
}

std::vector<glm::dvec3> places_of(std::span<const std::size_t> sample, const Grid& grid) {
  std::vector<glm::dvec3> places;
  places.reserve(sample.size());
  for (const std::size_t at : sample) {
    const glm::ivec3 p = place_of(at, grid);
    places.push_back(grid.point(p.x, p.y, p.z));
  }
  return places;
}

MapError compare_sampled(Span<const float> values, const Sample& sample, std::span<const double> exact, Job& job) {
  const std::vector<float> sampled = values_at(values, sample.points);
  MapError error;
  error.points = sample.points.size();
  double squares = 0, exact_squares = 0, map_squares = 0, near_squares = 0, near_exact = 0;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    const auto value = static_cast<double>(sampled[i]);
    const double difference = value - exact[i];
    squares += sample.weights[i] * difference * difference;
    exact_squares += sample.weights[i] * exact[i] * exact[i];
    map_squares += sample.weights[i] * value * value;
    error.max = std::max(error.max, std::abs(difference));
    // A value that is not a number must not vanish in the maximum.
    if (std::isnan(difference)) error.max = difference;
    if (!sample.near[i]) continue;
    near_squares += difference * difference;
    near_exact += exact[i] * exact[i];
    ++error.near_points;
  }
  // The weights add up to the number of points but for chance; over their sum an even error is found exactly.
  const double count = std::accumulate(sample.weights.begin(), sample.weights.end(), 0.0);
  error.rms = std::sqrt(squares / count);
  // What the map itself has at all points, and by how much the exact squares differ from it at those sampled: a few
  // points may hold most of the squares.
  double exact_mean = mean_square(values, job) + (exact_squares - map_squares) / count;
  if (!(exact_mean > 0) || !std::isfinite(exact_mean)) exact_mean = exact_squares / count;
  if (exact_mean > 0) error.relative = error.rms / std::sqrt(exact_mean);
  if (error.near_points > 0) error.near_rms = std::sqrt(near_squares / static_cast<double>(error.near_points));
  if (near_exact > 0) error.near_relative = std::sqrt(near_squares / near_exact);
  return error;
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
  if (grid.size() == 0 || points == 0) return {};
  const Sample sample = sample_of(charges, grid, points, seed);
  const std::vector<glm::dvec3> places = places_of(sample.points, grid);
  std::vector<double> exact(points);
  constexpr std::size_t tile = 20;  // points at a time: what `exact_of` prepares is shared by them
  parallel_for((points + tile - 1) / tile, job, "measuring the error", [&](std::size_t t) {
    const std::size_t begin = t * tile;
    const std::size_t count = std::min(points, begin + tile) - begin;
    exact_of(std::span(places).subspan(begin, count), std::span(exact).subspan(begin, count));
  });
  return compare_sampled(values, sample, exact, job);
}

MapError potential_error_on_device(std::span<const PointCharge> charges, const Grid& grid, Span<const float> values,
                                   std::size_t points, std::uint32_t seed, Job& job, Span<const PointCharge> there) {
  check_grid(grid, "potential error");
  check_values(grid, values, "potential error");
  if (grid.size() == 0 || points == 0) return {};
  const Sample sample = sample_of(charges, grid, points, seed);
  std::vector<double> exact(points);
  exact_potential(charges, places_of(sample.points, grid), exact, values.device, job, there);
  return compare_sampled(values, sample, exact, job);
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
