// MsmExtent: how far the finest lattice of a multilevel summation has to reach.
#pragma once

#include <cmath>
#include <limits>

#include "compute/electrostatics/msm/msm_plan.h"

namespace isolume {

/// The first and last nodes, along axes without periodicity, that a map and charges ask for. Coordinates are anchored
/// at the map's origin, so that nodes fall on points where the spacings allow it. Uses the plan's grid, frame, basis,
/// periodicity, inverse and map_step.
struct MsmExtent {
  glm::dvec3 lower{std::numeric_limits<double>::infinity()};
  glm::dvec3 upper{-std::numeric_limits<double>::infinity()};

  MsmExtent(const MsmPlan& plan, std::span<const PointCharge> charges);
  double low(const MsmPlan& plan, int axis) const { return std::floor(lower[axis] + 1e-9) - plan.basis.below; }
  double high(const MsmPlan& plan, int axis) const { return std::floor(upper[axis] + 1e-9) + plan.basis.below + 1; }
};

}  // namespace isolume
