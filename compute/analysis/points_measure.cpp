// Distances, angles and dihedrals of points.
#include "compute/analysis/points_measure.h"

#include <cmath>
#include <limits>

namespace isolume {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double degrees = 57.295779513082320877;  // in a radian

}  // namespace

double angle_between(glm::dvec3 a, glm::dvec3 b) {
  // By its tangent, which is exact near 0 and 180 degrees too.
  const double sine = glm::length(glm::cross(a, b)), cosine = glm::dot(a, b);
  return sine == 0 && cosine == 0 ? nan : degrees * std::atan2(sine, cosine);
}

double measured(std::span<const glm::dvec3> p) {
  if (p.size() == 2) return glm::distance(p[0], p[1]);
  if (p.size() == 3) return angle_between(p[0] - p[1], p[2] - p[1]);
  if (p.size() != 4) return nan;
  const glm::dvec3 axis = p[2] - p[1];
  const glm::dvec3 before = glm::cross(p[1] - p[0], axis), after = glm::cross(axis, p[3] - p[2]);
  const double sine = glm::dot(glm::cross(before, after), axis) / glm::length(axis), cosine = glm::dot(before, after);
  return (sine == 0 && cosine == 0) || !(glm::length(axis) > 0) ? nan : degrees * std::atan2(sine, cosine);
}

}  // namespace isolume
