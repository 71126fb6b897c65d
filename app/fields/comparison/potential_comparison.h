// Two methods of the potential on one grid: their maps, times and errors, and the difference.
#pragma once

#include <string>
#include <vector>

#include "app/fields/fields.h"
#include "compute/electrostatics/method.h"

namespace isolume {

/// One side: its map in volts (x fastest), how long each run took, and how far it is from what it approximates.
struct ComparedSide {
  PotentialOptions potential;
  std::vector<float> values;
  std::vector<double> seconds;
  MapError error;

  double median_seconds() const;
};

/// The second less the first over all points; volts. Where one of the maps has a value that is not a number, `max` and
/// `rms` are not, and `at` is its place.
struct MapDifference {
  std::vector<float> values;
  double rms = 0, max = 0;
  double relative = 0;  ///< rms over the RMS of the first
  glm::dvec3 at{0.0};   ///< where it is largest
};

/// Computes a map `repeats` times and measures its error at `points` points. Throws Error.
ComparedSide compared_side(std::span<const ChargedSphere> spheres, const Grid& grid, const PotentialOptions& options,
                           std::span<const Device> devices, int repeats, std::size_t points, Job& job);

/// Of two maps on the same grid.
MapDifference difference_of(const Grid& grid, std::span<const float> first, std::span<const float> second);

/// Both, with what they were made for.
struct PotentialComparison {
  Grid grid;
  std::size_t charges = 0;
  ComparedSide first, second;
  MapDifference difference;
};

/// Compares two settings of the potential for the charges, frame, device and spacing of a request; its own settings do
/// not count. The grid is the first's. Throws Error, as plan_potential() does.
PotentialComparison compare_potentials(FieldRequest request, const PotentialSettings& first,
                                       const PotentialSettings& second, int repeats, Job& job);

/// A layer of a map across one of the grid's axes: rows of `width` values, the later of the two other axes upwards.
struct MapLayer {
  int width = 0, height = 0;
  double width_length = 0, height_length = 0;  ///< angstrom, between the first points and the last
  std::vector<float> values;

  /// The absolute value that `part` (0 to 1) of the values do not exceed; 0 for no values.
  double range(double part) const;
};
/// Layer `index` (0 to count - 1) across `axis`. Throws Error (usage) where there is none.
MapLayer layer_of(const Grid& grid, std::span<const float> values, int axis, int index);

}  // namespace isolume
