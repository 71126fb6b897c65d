// The box around charges.
#pragma once

#include <glm/glm.hpp>
#include <limits>
#include <span>

#include "compute/electrostatics/charges/point_charge.h"

namespace isolume {

struct ChargeBox {
  glm::vec3 lower{std::numeric_limits<float>::infinity()};
  glm::vec3 upper{-std::numeric_limits<float>::infinity()};
};
/// On all threads.
ChargeBox charge_box(std::span<const PointCharge> charges);

}  // namespace isolume
