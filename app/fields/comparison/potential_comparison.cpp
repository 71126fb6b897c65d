// Two methods of the potential on one grid: their maps, times and errors, and the difference.
#include "app/fields/comparison/potential_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "app/fields/potential_field.h"
#include "compute/electrostatics/potential_map.h"
#include "molecule/base/error.h"

namespace isolume {

double ComparedSide::median_seconds() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

ComparedSide compared_side(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                           std::span<const Device> devices, int repeats, std::size_t points, Job& job) {
  ComparedSide side;
  side.potential = options;
  side.values.resize(grid.size());
  PotentialRoom room;
  for (int k = 0; k < repeats; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    potential_map_in_slabs(spheres, grid, side.potential, devices, side.values, job, &room);
    side.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  side.error = measured_error(spheres, grid, side.potential, Span<const float>(side.values), job, points, &room);
  return side;
}

MapDifference difference_of(const Grid& grid, std::span<const float> first, std::span<const float> second) {
  if (first.size() != grid.size() || second.size() != grid.size())
    throw Error("difference of maps: both need a value for every point of the grid", Error::Kind::usage);
  MapDifference result;
  result.values.resize(grid.size());
  double squares = 0, scale = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const double difference = static_cast<double>(second[i]) - static_cast<double>(first[i]);
    squares += difference * difference;
    scale += static_cast<double>(first[i]) * static_cast<double>(first[i]);
    // One that is not a number is the largest, at its first place.
    if (std::abs(difference) > result.max || (std::isnan(difference) && !std::isnan(result.max)))
      result.max = std::abs(difference), at = i;
    result.values[i] = static_cast<float>(difference);
  }
  result.rms = std::sqrt(squares / static_cast<double>(std::max<std::size_t>(1, grid.size())));
  result.relative = scale > 0 ? std::sqrt(squares / scale) : 0;
  const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
  if (nx * ny > 0)
    result.at = grid.point(static_cast<int>(at % nx), static_cast<int>(at / nx % ny), static_cast<int>(at / nx / ny));
  return result;
}

PotentialComparison compare_potentials(FieldRequest request, const PotentialSettings& first,
                                       const PotentialSettings& second, int repeats, Job& job) {
  PotentialComparison result;
  request.field.kind = Field::Kind::potential;
  const std::array<Device, 1> devices{request.device};
  const auto atoms = request.atoms ? request.atoms : field_atoms(request.field, request.molecule, request.frame);
  for (const bool is_first : {true, false}) {
    request.field.potential = is_first ? first : second;
    const PotentialPlan plan = plan_potential(request.field, *atoms, request.device, request.grid);
    if (is_first) result.grid = plan.grid;
    request.grid = result.grid;
    result.charges = plan.spheres.size();
    (is_first ? result.first : result.second) =
        compared_side(plan.spheres, seen_from(result.grid, plan.origin), plan.options, devices, repeats,
                      quick_error_points(plan.spheres.size()), job);
  }
  result.difference = difference_of(result.grid, result.first.values, result.second.values);
  return result;
}

double MapLayer::range(double part) const {
  if (values.empty()) return 0;
  std::vector<float> sizes;
  for (const float v : values) sizes.push_back(std::abs(v));
  const auto place = static_cast<std::ptrdiff_t>(part * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), sizes.begin() + place, sizes.end());
  return static_cast<double>(sizes[static_cast<std::size_t>(place)]);
}

MapLayer layer_of(const Grid& grid, std::span<const float> values, int axis, int index) {
  if (axis < 0 || axis > 2 || index < 0 || index >= grid.counts[axis] || values.size() != grid.size())
    throw Error(fmt::format("layer {} across axis {}: the grid has {} x {} x {} points", index, axis, grid.counts.x,
                            grid.counts.y, grid.counts.z),
                Error::Kind::usage);
  const int across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
  MapLayer layer;
  layer.width = grid.counts[across], layer.height = grid.counts[up];
  layer.width_length = (layer.width - 1) * glm::length(grid.step[across]);
  layer.height_length = (layer.height - 1) * glm::length(grid.step[up]);
  glm::ivec3 at(0);
  at[axis] = index;
  for (at[up] = 0; at[up] < layer.height; ++at[up])
    for (at[across] = 0; at[across] < layer.width; ++at[across])
      layer.values.push_back(values[grid.index(at.x, at.y, at.z)]);
  return layer;
}

}  // namespace isolume
