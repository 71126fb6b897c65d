// The unit sphere as triangles.
#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace isolume {

/// An icosahedron whose triangles were cut in four so many times: 20 * 4^cuts triangles with all corners on the sphere,
/// counter-clockwise seen from outside.
struct UnitSphere {
  std::vector<glm::vec3> points;
  std::vector<glm::uvec3> triangles;

  explicit UnitSphere(int cuts);
};

}  // namespace isolume
