// The potential of a density map that pulls a model into it (MDFF).
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/density_maps/map_spline.h"

namespace isolume {

/// E = sum_i w_i V(x_i), with V = scale [1 - (max(rho, threshold) - threshold) / (max - threshold)] at the points of
/// the map: 0 at its largest value, `scale` where the map is at the threshold or below, and beyond its box (L. G.
/// Trabuco, E. Villa, K. Mitra, J. Frank, K. Schulten, Structure 16 (2008) 673, doi:10.1016/j.str.2008.03.005). Between
/// the points V is a cubic B-spline, so that forces -w grad V are continuous. Double precision, CPU; map_forces.h has
/// the forces on other devices.
class MapPotential {
 public:
  /// `scale` in kcal/mol per unit of weight. Throws Error (usage) where the threshold is not below the largest value.
  MapPotential(const Grid& grid, std::span<const float> values, double threshold, double scale);

  /// V and its gradient at a point.
  MapSpline::Sample at(glm::dvec3 point) const;
  /// Adds the forces (kcal/(mol angstrom)) to `forces`; returns the energy, kcal/mol. The sums are in one order.
  double add_forces(std::span<const glm::dvec3> positions, std::span<const double> weights,
                    std::span<glm::dvec3> forces, Job& job) const;

  /// V inside of the box.
  const MapSpline& spline() const { return spline_; }
  double scale() const { return scale_; }
  double threshold() const { return threshold_; }

 private:
  double threshold_, scale_;
  MapSpline spline_;
};

}  // namespace isolume
