// Regular grids and the volumes on them.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <string>
#include <vector>

namespace isolume {

/// A regular grid of points, any parallelepiped. Point (i,j,k) is origin + i*step[0] + j*step[1] + k*step[2]; values on
/// it are stored with i (x) running fastest. Angstrom.
struct Grid {
  glm::dvec3 origin{0.0};
  glm::dmat3 step{1.0};  ///< the three step vectors are the columns
  glm::ivec3 counts{0};

  std::size_t size() const {
    return static_cast<std::size_t>(counts.x) * static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(counts.z);
  }
  glm::dvec3 point(double i, double j, double k) const { return origin + step * glm::dvec3(i, j, k); }
  std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(counts.x) *
               (static_cast<std::size_t>(j) + static_cast<std::size_t>(counts.y) * static_cast<std::size_t>(k));
  }
  /// Fractional grid coordinates of a point in space.
  glm::dvec3 coordinates(glm::dvec3 point) const { return glm::inverse(step) * (point - origin); }
  /// True where the steps lie along x, y and z (to 1e-9 of their length).
  bool axis_aligned() const;

  /// The axis-aligned grid of cubic cells of side `spacing` (angstrom) that covers [lower, upper], centred on it.
  /// Throws Error (usage) where spacing is not positive or the grid has more than `limit` points, naming both.
  static Grid covering(glm::dvec3 lower, glm::dvec3 upper, double spacing, std::size_t limit = std::size_t{1} << 32);

  bool operator==(const Grid&) const = default;
};

/// A scalar field on a grid, with what it is.
struct Volume {
  Grid grid;
  std::vector<float> values;  ///< grid.size(), x fastest
  std::string name;           ///< "orbital 5 (HOMO)", or the file's title
  std::string unit;           ///< "V", "e/angstrom^3", "bohr^-3/2"; empty where unknown
};

/// Trilinear interpolation; 0 outside the grid.
float interpolate(const Volume& volume, glm::dvec3 point);

}  // namespace isolume
