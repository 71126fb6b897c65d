// A density map as a smooth function: cubic B-splines through its values, with gradients, and maps made smoother.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "molecule/grid.h"

namespace isolume {

/// The interpolating cubic B-spline of a map: twice continuously differentiable, with the map's values at its points.
/// At its ends it is mirrored about the last point. Coefficients: M. Unser, IEEE Signal Process. Mag. 16 (1999) 22,
/// doi:10.1109/79.799930. Double precision.
class MapSpline {
 public:
  /// Any parallelepiped of at least two points along each axis. Throws Error (usage) otherwise.
  MapSpline(const Grid& grid, std::vector<double> values);
  MapSpline(const Grid& grid, std::span<const float> values);

  struct Sample {
    double value = 0;
    glm::dvec3 gradient{0.0};  ///< per angstrom
    bool inside = false;
  };
  /// 0 beyond the box of the points.
  Sample at(glm::dvec3 point) const;

  const Grid& grid() const { return grid_; }
  /// Of the splines, one a point, x fastest.
  std::span<const double> coefficients() const { return coefficients_; }
  const glm::dmat3& to_indices() const { return to_indices_; }  ///< from angstrom
  static std::size_t memory(const Grid& grid) { return grid.size() * sizeof(double); }

 private:
  Grid grid_;
  glm::dmat3 to_indices_;
  std::vector<double> coefficients_;
};

/// The map convolved with a Gaussian of that width (angstrom) and integral 1; nothing is beyond the box. The grid must
/// be along x, y and z (Error (usage)).
std::vector<float> smoothed_map(const Grid& grid, std::span<const float> values, double sigma, Job& job);

}  // namespace isolume
