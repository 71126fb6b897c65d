// Gyration: how far points are spread about their centre, and in which shape.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "compute/frames/point_sums.h"

namespace isolume {

/// Of the tensor of gyration S = sum w (p - c)(p - c)^T / sum w about the centre c = sum w p / sum w.
struct Gyration {
  double radius = 0;        ///< sqrt(trace S), angstrom
  glm::dvec3 moments{0.0};  ///< the principal values of S, angstrom^2, ascending
  glm::dvec3 centre{0.0};   ///< angstrom
  /// Of the moments l0 <= l1 <= l2 (Theodorou and Suter, Macromolecules 18 (1985) 1206), angstrom^2: 0 for a sphere ...
  double asphericity() const { return moments.z - 0.5 * (moments.x + moments.y); }
  /// ... and for what is round about its longest axis.
  double acylindricity() const { return moments.y - moments.x; }
  /// The relative shape anisotropy, 0 for a sphere to 1 for a line: (b^2 + 3/4 c^2) / radius^4.
  double anisotropy() const;
};

/// Of points whose moments are known.
Gyration gyration_of(const PointMoments& moments);

/// Weighted where `weights` is not empty, as by mass. Throws Error (usage) where there are no points, the counts
/// differ, or weights are negative or all 0.
Gyration gyration(std::span<const glm::dvec3> points, std::span<const double> weights = {});

}  // namespace isolume
