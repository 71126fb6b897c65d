// Maps made of others: sums and differences, on other grids, parts of them, without dust, and local correlation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// Operations on a map, in the order of the members. Host memory, CPU, all threads.
struct MapCalculation {
  /// The map at the points of this grid, by cubic B-splines (map_spline.h); 0 beyond the map's box.
  std::optional<Grid> grid;
  /// Only the points within a box, lower and upper corner (angstrom, the border included).
  std::optional<std::pair<glm::dvec3, glm::dvec3>> region;
  int step = 1;  ///< every n-th point along each axis, from the first

  enum class With : std::uint8_t { nothing, plus, minus, correlation };
  With with = With::nothing;
  /// Another map at the points of the grid; NaN where it has no value, which counts as 0 (of a correlation: is left
  /// out).
  std::function<std::vector<float>(const Grid&, Job&)> other;
  double factor = 1;  ///< the other map is multiplied by it (plus, minus)
  /// minus: the other map is a factor times it and a constant, by least squares over the points where both are.
  bool scaled = false;
  /// correlation: Pearson's of the two maps over the box of points within this of each point (angstrom along x, y, z);
  /// 0 where one of them is constant.
  double window = 4;

  std::vector<glm::vec3> places;  ///< above 0 `distance`: values farther than it from all of these are 0
  double distance = 0;
  /// Above 0: connected parts of points above `dust_level` (neighbours along an axis) whose box is shorter than this
  /// along x, y and z (angstrom) are set to 0.
  double dust = 0;
  double dust_level = 0;
  bool normalised = false;  ///< last: less the mean, over the standard deviation
};

/// What came out.
struct CalculatedMap {
  Volume volume;                    ///< without name and unit
  std::size_t outside = 0;          ///< points of `grid` beyond the map
  std::size_t other_outside = 0;    ///< points where the other map has no value
  double factor = 1, constant = 0;  ///< by which the other map was taken
  std::size_t parts_removed = 0;
};

/// Throws Error (usage) for a region without points, a step below 1, another map of another size, a grid that is not
/// along x, y and z where `distance` or the window are given, and (cancelled).
CalculatedMap calculated_map(const Volume& map, const MapCalculation& calculation, Job& job);

/// Bytes that it takes, the result included, and without what `other` takes.
std::size_t calculated_map_memory(const Volume& map, const MapCalculation& calculation);

/// The grid of the points of `grid` within a box; of no points where there are none. Along the grid's own axes: a point
/// counts where its indices are between those of the box's corners.
Grid region_of(const Grid& grid, glm::dvec3 lower, glm::dvec3 upper);

/// The grid that covers the box of `grid` with cubic cells of that side, from the same corner; axis-aligned grids.
Grid respaced(const Grid& grid, double spacing);

/// Pearson's correlation of two maps over a box of `reach` points to each side of every point (clipped at the border),
/// in double precision; points where either value is not finite are left out. 0 where fewer than two points are left or
/// one map is constant there.
std::vector<float> local_correlation(const Grid& grid, std::span<const float> a, std::span<const float> b,
                                     glm::ivec3 reach, Job& job);

}  // namespace isolume
