// PointCharge: a charge at a place, what every method of electrostatics takes.
#pragma once

#include <glm/glm.hpp>

namespace isolume {

/// A point charge.
struct PointCharge {
  glm::vec3 position;  ///< angstrom
  float charge;        ///< e
};

}  // namespace isolume
