// Maps of the potential on one grid: times, errors, and the differences to one of them.
#include "compute/electrostatics/map_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "compute/electrostatics/potential_map.h"
#include "molecule/base/error.h"

namespace isolume {

double ComparedSide::median_seconds() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

std::string ComparedSide::text() const {
  return is_computed() ? describe(potential) : file;
}

ComparedSide compared_side(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                           std::span<const Device> devices, int repeats, std::size_t points, Job& job) {
  ComparedSide side;
  side.potential = options;
  side.values.resize(grid.size());
  PotentialRoom room;
  for (int k = 0; k < repeats; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    side.workers = potential_map_in_slabs(spheres, grid, side.potential, devices, side.values, job, &room).workers;
    side.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  side.error = measured_error(spheres, grid, side.potential, Span<const float>(side.values), job, points, &room);
  return side;
}

bool same_points(const Grid& a, const Grid& b) {
  if (a.counts != b.counts) return false;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::ivec3 at = glm::ivec3(corner & 1, corner >> 1 & 1, corner >> 2) * (a.counts - 1);
    const glm::dvec3 apart = b.coordinates(a.point(at.x, at.y, at.z)) - glm::dvec3(at);
    if (!(glm::length(apart) < 1e-3)) return false;
  }
  return true;
}

ComparedSide side_of_map(const Volume& map, const std::string& file, double unit, const Grid& grid, bool resample) {
  ComparedSide side;
  side.file = file;
  side.values.resize(grid.size());
  const bool same = same_points(map.grid, grid);
  if (!same && !resample)
    throw Error(fmt::format("{} has another grid ({} x {} x {} points): resample it, or take its grid for all", file,
                            map.grid.counts.x, map.grid.counts.y, map.grid.counts.z),
                Error::Kind::usage);
  std::size_t outside = 0;
  for (int z = 0; z < grid.counts.z; ++z)
    for (int y = 0; y < grid.counts.y; ++y)
      for (int x = 0; x < grid.counts.x; ++x) {
        const std::size_t i = grid.index(x, y, z);
        if (same) {
          side.values[i] = static_cast<float>(unit * static_cast<double>(map.values[i]));
          continue;
        }
        const glm::dvec3 at = map.grid.coordinates(grid.point(x, y, z)), last(map.grid.counts - 1);
        if (glm::any(glm::lessThan(at, glm::dvec3(-1e-3))) || glm::any(glm::greaterThan(at, last + 1e-3))) {
          ++outside;
          continue;
        }
        // A point on the last face may be beyond it by rounding.
        const glm::dvec3 inside = glm::clamp(at, glm::dvec3(0.0), last);
        const double value = map_value(map.grid, map.values, false, map.grid.origin + map.grid.step * inside);
        side.values[i] = static_cast<float>(unit * value);
      }
  if (outside > 0)
    throw Error(fmt::format("{} of {} points of the grid are outside of {}: take its grid for all, or one within it",
                            outside, grid.size(), file),
                Error::Kind::usage);
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

std::vector<MapDifference> differences_of(const Grid& grid, std::span<const ComparedSide> sides,
                                          std::size_t reference) {
  if (reference >= sides.size())
    throw Error(fmt::format("the reference is side {} of {}", reference + 1, sides.size()), Error::Kind::usage);
  std::vector<MapDifference> all(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (k != reference) all[k] = difference_of(grid, sides[reference].values, sides[k].values);
  return all;
}

double map_value(const Grid& grid, std::span<const float> values, bool periodic, glm::dvec3 point) {
  const glm::dvec3 at = glm::inverse(grid.step) * (point - grid.origin);
  int low[3], high[3];
  double part[3];
  for (int axis = 0; axis < 3; ++axis) {
    const int n = grid.counts[axis];
    double u = at[axis];
    if (periodic) u -= std::floor(u / n) * n;
    if (!(u >= 0) || u > (periodic ? n : n - 1)) return std::numeric_limits<double>::quiet_NaN();
    low[axis] = std::min(static_cast<int>(u), n - 1);
    part[axis] = u - low[axis];
    high[axis] = low[axis] + 1 < n ? low[axis] + 1 : periodic ? 0 : low[axis];
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    int place[3];
    for (int axis = 0; axis < 3; ++axis) {
      const bool up = (corner >> axis & 1) != 0;
      weight *= up ? part[axis] : 1 - part[axis];
      place[axis] = up ? high[axis] : low[axis];
    }
    sum += weight * static_cast<double>(values[grid.index(place[0], place[1], place[2])]);
  }
  return sum;
}

double MapLayer::range(double part) const {
  if (values.empty()) return 0;
  std::vector<float> sizes;
  for (const float v : values)
    if (std::isfinite(v)) sizes.push_back(std::abs(v));
  if (sizes.empty()) return 0;
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
