// The box around what a view shows.
#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "molecule/grid.h"

namespace isolume {

/// Axis-aligned, angstrom; empty until it includes something.
struct ViewBox {
  glm::dvec3 lower{1e300}, upper{-1e300};
  bool empty() const { return lower.x > upper.x; }
  void include(glm::dvec3 point) {
    lower = glm::min(lower, point);
    upper = glm::max(upper, point);
  }
  void include(const ViewBox& other) {
    if (other.empty()) return;
    include(other.lower);
    include(other.upper);
  }
  /// Around what it holds and that shifted by each.
  void repeat(const std::vector<glm::vec3>& shifts) {
    if (empty()) return;
    const ViewBox once = *this;
    for (const glm::vec3& shift : shifts) {
      include(once.lower + glm::dvec3(shift));
      include(once.upper + glm::dvec3(shift));
    }
  }
};

/// Around the points of a grid.
inline ViewBox box_of(const Grid& grid) {
  ViewBox box;
  for (int corner = 0; corner < 8; ++corner)
    box.include(
        grid.point(corner & 1 ? grid.counts.x : 0, corner & 2 ? grid.counts.y : 0, corner & 4 ? grid.counts.z : 0));
  return box;
}

}  // namespace isolume
