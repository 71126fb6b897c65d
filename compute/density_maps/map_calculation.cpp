// Maps made of others: sums and differences, on other grids, parts of them, without dust.
#include "compute/density_maps/map_calculation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "compute/base/parallel_for.h"
#include "compute/density/volume_statistics.h"
#include "compute/density_maps/map_spline.h"
#include "compute/density_maps/map_windows.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

void resample(Volume& map, const Grid& grid, std::size_t& outside, Job& job) {
  const MapSpline spline(map.grid, map.values);
  std::vector<float> values(grid.size());
  std::vector<std::size_t> missed(static_cast<std::size_t>(grid.counts.z), 0);
  parallel_for(missed.size(), job, "map on another grid", [&](std::size_t layer) {
    const int k = static_cast<int>(layer);
    for (int j = 0; j < grid.counts.y; ++j)
      for (int i = 0; i < grid.counts.x; ++i) {
        const MapSpline::Sample sample = spline.at(grid.point(i, j, k));
        values[grid.index(i, j, k)] = static_cast<float>(sample.value);
        missed[layer] += !sample.inside;
      }
  });
  outside = std::accumulate(missed.begin(), missed.end(), std::size_t{0});
  map.grid = grid;
  map.values = std::move(values);
}

/// Points first, first + step ... of a map, `counts` of them.
Volume picked(const Volume& map, glm::ivec3 first, glm::ivec3 counts, int step) {
  Volume result;
  result.grid.origin = map.grid.point(first.x, first.y, first.z);
  result.grid.step = map.grid.step * static_cast<double>(step);
  result.grid.counts = counts;
  result.values.reserve(result.grid.size());
  for (int k = 0; k < counts.z; ++k)
    for (int j = 0; j < counts.y; ++j)
      for (int i = 0; i < counts.x; ++i)
        result.values.push_back(map.values[map.grid.index(first.x + i * step, first.y + j * step, first.z + k * step)]);
  return result;
}

/// The numbers of the first and the last point within a box, along each axis.
std::pair<glm::ivec3, glm::ivec3> ends_of(const Grid& grid, glm::dvec3 lower, glm::dvec3 upper) {
  constexpr double rounding = 1e-9;  // of a step
  const glm::dvec3 a = grid.coordinates(glm::min(lower, upper)), b = grid.coordinates(glm::max(lower, upper));
  const glm::dvec3 low = glm::max(glm::min(a, b) - rounding, glm::dvec3(0));
  const glm::dvec3 high = glm::min(glm::max(a, b) + rounding, glm::dvec3(grid.counts - 1) + rounding);
  return {glm::ivec3(glm::ceil(low)), glm::ivec3(glm::floor(high))};
}

/// factor and constant of the least squares of a - factor b - constant.
std::pair<double, double> line_through(std::span<const float> a, std::span<const float> b) {
  double n = 0, sa = 0, sb = 0, sbb = 0, sab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    const double x = static_cast<double>(b[i]), y = static_cast<double>(a[i]);
    n += 1;
    sa += y;
    sb += x;
    sbb += x * x;
    sab += x * y;
  }
  const double spread = n * sbb - sb * sb;
  if (n < 2 || !(spread > 1e-12 * n * sbb))
    throw Error("the other map is constant where both are, so it has no scale", Error::Kind::usage);
  const double factor = (n * sab - sa * sb) / spread;
  return {factor, (sa - factor * sb) / n};
}

void combine(CalculatedMap& made, const MapCalculation& c, Job& job) {
  Volume& map = made.volume;
  const std::vector<float> other = c.other(map.grid, job);
  if (other.size() != map.values.size())
    throw Error(fmt::format("the other map has {} values for {} points", other.size(), map.values.size()),
                Error::Kind::usage);
  made.other_outside =
      static_cast<std::size_t>(std::count_if(other.begin(), other.end(), [](float v) { return !std::isfinite(v); }));
  if (made.other_outside == other.size())
    throw Error("the two maps do not meet: no point of one is within the other", Error::Kind::usage);
  if (c.with == MapCalculation::With::correlation) {
    if (!map.grid.axis_aligned()) throw Error("a local correlation needs a grid along x, y and z", Error::Kind::usage);
    glm::ivec3 reach(0);
    for (int axis = 0; axis < 3; ++axis)
      reach[axis] = static_cast<int>(std::floor(c.window / std::abs(map.grid.step[axis][axis]) + 1e-9));
    if (reach == glm::ivec3(0))
      throw Error(fmt::format("a window of {:g} angstrom holds no neighbouring point of the map", c.window),
                  Error::Kind::usage);
    map.values = local_correlation(map.grid, map.values, other, reach, job);
    return;
  }
  made.factor = c.factor;
  if (c.scaled) std::tie(made.factor, made.constant) = line_through(map.values, other);
  const double sign = c.with == MapCalculation::With::minus ? -1 : 1;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const double value = std::isfinite(other[i]) ? made.factor * static_cast<double>(other[i]) : 0.0;
    map.values[i] = static_cast<float>(static_cast<double>(map.values[i]) + sign * (value + made.constant));
  }
}

/// Sets small connected parts above a level to 0; returns their number.
std::size_t remove_dust(Volume& map, double level, double size, Job& job) {
  const glm::ivec3 n = map.grid.counts;
  std::vector<std::uint8_t> seen(map.values.size(), 0);
  std::vector<std::size_t> part;
  std::size_t removed = 0;
  const auto nx = static_cast<std::size_t>(n.x), nxy = nx * static_cast<std::size_t>(n.y);
  for (std::size_t start = 0; start < map.values.size(); ++start) {
    if (start % (std::size_t{1} << 20) == 0) job.check();
    if (seen[start] || !(static_cast<double>(map.values[start]) > level)) continue;
    part.assign(1, start);
    seen[start] = 1;
    glm::dvec3 lower(1e300), upper(-1e300);
    for (std::size_t at = 0; at < part.size(); ++at) {
      if (at % (std::size_t{1} << 20) == 0) job.check();
      const std::size_t p = part[at];
      const glm::ivec3 i(static_cast<int>(p % nx), static_cast<int>(p % nxy / nx), static_cast<int>(p / nxy));
      const glm::dvec3 place = map.grid.point(i.x, i.y, i.z);
      lower = glm::min(lower, place);
      upper = glm::max(upper, place);
      const auto visit = [&](bool there, std::size_t q) {
        if (!there || seen[q] || !(static_cast<double>(map.values[q]) > level)) return;
        seen[q] = 1;
        part.push_back(q);
      };
      visit(i.x > 0, p - 1);
      visit(i.x + 1 < n.x, p + 1);
      visit(i.y > 0, p - nx);
      visit(i.y + 1 < n.y, p + nx);
      visit(i.z > 0, p - nxy);
      visit(i.z + 1 < n.z, p + nxy);
    }
    const glm::dvec3 extent = upper - lower;
    if (std::max({extent.x, extent.y, extent.z}) >= size) continue;
    ++removed;
    for (const std::size_t p : part) map.values[p] = 0;
  }
  return removed;
}

}  // namespace

Grid region_of(const Grid& grid, glm::dvec3 lower, glm::dvec3 upper) {
  const auto [first, last] = ends_of(grid, lower, upper);
  Grid result = grid;
  result.counts = glm::max(last - first + 1, glm::ivec3(0));
  result.origin = grid.point(first.x, first.y, first.z);
  return result;
}

Grid respaced(const Grid& grid, double spacing) {
  if (!(spacing > 0)) throw Error("a spacing must be above 0", Error::Kind::usage);
  Grid result = grid;
  for (int axis = 0; axis < 3; ++axis) {
    const double side = glm::length(grid.step[axis]) * (grid.counts[axis] - 1);
    const double points = std::floor(side / spacing + 1e-9) + 1;
    if (!(points < 1e5))
      throw Error(fmt::format("a spacing of {:g} angstrom makes too many points", spacing), Error::Kind::usage);
    result.counts[axis] = static_cast<int>(points);
    result.step[axis] = glm::normalize(grid.step[axis]) * spacing;
  }
  return result;
}

std::size_t calculated_map_memory(const Volume& map, const MapCalculation& c) {
  const std::size_t points = c.grid ? c.grid->size() : map.grid.size();
  std::size_t bytes = points * 3 * sizeof(float) + points;
  if (c.grid) bytes += MapSpline::memory(map.grid);
  return bytes;
}

CalculatedMap calculated_map(const Volume& map, const MapCalculation& c, Job& job) {
  if (c.step < 1) throw Error(fmt::format("a step of {} points", c.step), Error::Kind::usage);
  CalculatedMap made;
  made.volume.grid = map.grid;
  made.volume.values = map.values;
  if (c.grid) resample(made.volume, *c.grid, made.outside, job);
  glm::ivec3 first(0), counts = made.volume.grid.counts;
  if (c.region) {
    const auto [from, to] = ends_of(made.volume.grid, c.region->first, c.region->second);
    first = from;
    counts = glm::max(to - from + 1, glm::ivec3(0));
    if (counts.x < 1 || counts.y < 1 || counts.z < 1)
      throw Error("the region holds no point of the map", Error::Kind::usage);
  }
  if (c.region || c.step > 1) made.volume = picked(made.volume, first, (counts + c.step - 1) / c.step, c.step);
  if (c.with != MapCalculation::With::nothing && c.other) combine(made, c, job);
  if (c.distance > 0) {
    const std::vector<glm::dvec3> places(c.places.begin(), c.places.end());
    const std::vector<std::uint8_t> near = points_near(made.volume.grid, places, c.distance, job);
    for (std::size_t i = 0; i < near.size(); ++i)
      if (!near[i]) made.volume.values[i] = 0;
  }
  if (c.dust > 0) made.parts_removed = remove_dust(made.volume, c.dust_level, c.dust, job);
  if (c.normalised) {
    const VolumeStatistics s = statistics_of(made.volume.values, job);
    if (!(s.deviation > 0)) throw Error("the map is constant, so it has no standard deviation", Error::Kind::usage);
    for (float& value : made.volume.values)
      value = static_cast<float>((static_cast<double>(value) - s.mean) / s.deviation);
  }
  return made;
}

}  // namespace isolume
