// Checks that the dispatchers of the potential methods share.
#pragma once

#include <cmath>
#include <span>

#include "compute/base/checks.h"
#include "compute/electrostatics/charges/charge_box.h"
#include "compute/electrostatics/charges/point_charge.h"

namespace isolume {

/// Throws Error (usage) that names the first charge whose position or charge is not finite. On all threads.
void check_charges(std::span<const PointCharge> charges);

/// The same grid, a step without length along an axis of one point replaced by one of an angstrom across the others.
/// Throws Error (usage) for steps that do not span space.
inline Grid solid_grid(Grid grid, const char* what) {
  for (int axis = 0; axis < 3; ++axis) {
    if (grid.counts[axis] != 1 || glm::length(grid.step[axis]) > 1e-6) continue;
    const glm::dvec3 a = grid.step[(axis + 1) % 3];
    const glm::dvec3 b = grid.step[(axis + 2) % 3];
    glm::dvec3 across = glm::cross(a, b);
    for (int free = 0; free < 3 && !(glm::length(across) > 1e-9 * (glm::length(a) + glm::length(b))); ++free) {
      across = glm::cross(glm::length(a) > glm::length(b) ? a : b, glm::dvec3(free == 0, free == 1, free == 2));
    }
    grid.step[axis] = glm::length(across) > 0 ? glm::normalize(across) : glm::dvec3(axis == 0, axis == 1, axis == 2);
  }
  const double product = glm::length(grid.step[0]) * glm::length(grid.step[1]) * glm::length(grid.step[2]);
  if (!(std::abs(glm::determinant(grid.step)) > 1e-6 * product)) {
    throw Error(fmt::format("{}: the grid's steps do not span a volume", what), Error::Kind::usage);
  }
  return grid;
}

}  // namespace isolume
