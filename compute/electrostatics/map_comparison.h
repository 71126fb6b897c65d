// Maps of the potential on one grid: times, errors, and the differences to one of them.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/base/device.h"
#include "compute/electrostatics/method.h"
#include "compute/schedule/tile_book.h"
#include "molecule/grid.h"

namespace isolume {

/// As many maps as are compared at once.
inline constexpr std::size_t most_compared = 4;

/// One side: its map in volts (x fastest), how long each run took, and how far it is from what it approximates.
struct ComparedSide {
  PotentialOptions potential;
  std::string file;  ///< of a map that was read: no method, no times, no error; else empty
  std::vector<float> values;
  std::vector<double> seconds;
  std::vector<WorkerRecord> workers;  ///< what each device did in the last run
  MapError error;

  double median_seconds() const;
  bool is_computed() const { return file.empty(); }
  /// The method in words, or the file.
  std::string text() const;
};

/// A map less the reference over all points; volts. Where one of the maps has a value that is not a number, `max` and
/// `rms` are not, and `at` is its place.
struct MapDifference {
  std::vector<float> values;
  double rms = 0, max = 0;
  double relative = 0;  ///< rms over the RMS of the reference
  glm::dvec3 at{0.0};   ///< where it is largest
};

/// Computes a map `repeats` times and measures its error at `points` points. Throws Error.
ComparedSide compared_side(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                           std::span<const Device> devices, int repeats, std::size_t points, Job& job);

/// A map of a file (`unit`: volts for each of its units) on `grid`. Where the grids differ the values are interpolated,
/// if `resample` says so. Throws Error (usage) where they differ and it does not, and where points of `grid` are
/// outside of the map.
ComparedSide side_of_map(const Volume& map, const std::string& file, double unit, const Grid& grid, bool resample);

/// Of two maps on the same grid: the second less the first.
MapDifference difference_of(const Grid& grid, std::span<const float> first, std::span<const float> second);

/// The difference of each side to side `reference`; that of the reference is empty. Throws Error (usage) where there is
/// no such side.
std::vector<MapDifference> differences_of(const Grid& grid, std::span<const ComparedSide> sides, std::size_t reference);

/// Whether two grids have the same points, to a thousandth of a step.
bool same_points(const Grid& a, const Grid& b);

/// The value of a map at a point by trilinear interpolation; NaN beyond the grid, or where `periodic` (the grid is one
/// period) that of the point's image.
double map_value(const Grid& grid, std::span<const float> values, bool periodic, glm::dvec3 point);

/// A layer of a map across one of the grid's axes: rows of `width` values, the later of the two other axes upwards.
struct MapLayer {
  int width = 0, height = 0;
  double width_length = 0, height_length = 0;  ///< angstrom, between the first points and the last
  std::vector<float> values;

  /// The absolute value that `part` (0 to 1) of the values do not exceed, those left out that are not finite; 0 for no
  /// values.
  double range(double part) const;
};
/// Layer `index` (0 to count - 1) across `axis`. Throws Error (usage) where there is none.
MapLayer layer_of(const Grid& grid, std::span<const float> values, int axis, int index);

}  // namespace isolume
