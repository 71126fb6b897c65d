// Where hydrogens go on an atom with known neighbours.
#include "compute/preparation/hydrogen_places.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double degree = units::pi / 180.0;

/// A direction at right angles to `axis`.
glm::dvec3 any_normal(glm::dvec3 axis) {
  const glm::dvec3 other = std::abs(axis.x) < 0.8 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0);
  return glm::normalize(glm::cross(axis, other));
}

glm::dvec3 unit(glm::dvec3 v) {
  const double length = glm::length(v);
  return length > 1e-6 ? v / length : glm::dvec3(1, 0, 0);
}

/// At `angle` degrees from the bond to the only neighbour, turned by `torsion` from `beyond`.
glm::dvec3 turned(const HydrogenParent& parent, double angle, double torsion) {
  const glm::dvec3 back = unit(parent.bonded[0] - parent.place);
  glm::dvec3 across = any_normal(back);
  if (parent.has_beyond) {
    const glm::dvec3 to = parent.beyond - parent.bonded[0];
    const glm::dvec3 part = to - glm::dot(to, back) * back;
    if (glm::length(part) > 1e-3) across = glm::normalize(part);
  }
  const glm::dvec3 up = glm::cross(back, across);
  const double t = torsion * degree, a = angle * degree;
  return std::cos(a) * back + std::sin(a) * (std::cos(t) * across + std::sin(t) * up);
}

}  // namespace

double hydrogen_bond_length(std::uint8_t element, bool planar) {
  switch (element) {
    case 7:
      return 1.01;
    case 8:
      return 0.96;
    case 16:
      return 1.34;
    case 34:
      return 1.46;
    default:
      return planar ? 1.08 : 1.09;
  }
}

double usual_torsion(const HydrogenParent& parent, std::size_t count) {
  if (parent.planar) return count == 1 ? 180 : 0;
  return count == 3 ? 180 : 60;
}

std::vector<glm::dvec3> hydrogen_places(const HydrogenParent& parent, std::size_t count, double torsion) {
  const double length = hydrogen_bond_length(parent.element, parent.planar);
  std::vector<glm::dvec3> directions;
  const std::size_t bonded = parent.bonded.size();
  if (bonded >= 2) {
    glm::dvec3 sum(0.0);
    for (const glm::dvec3 b : parent.bonded) sum += unit(b - parent.place);
    const glm::dvec3 first = unit(parent.bonded[0] - parent.place), second = unit(parent.bonded[1] - parent.place);
    glm::dvec3 normal = glm::cross(first, second);
    normal = glm::length(normal) > 1e-3 ? glm::normalize(normal) : any_normal(first);
    const glm::dvec3 away = glm::length(sum) > 1e-3 ? -glm::normalize(sum) : normal;
    if (bonded >= 3 || (parent.planar && count == 1)) {
      directions.push_back(away);
    } else {
      const double half = 54.75 * degree;
      directions.push_back(std::cos(half) * away - std::sin(half) * normal);
      if (count > 1) directions.push_back(std::cos(half) * away + std::sin(half) * normal);
    }
  } else if (bonded == 1) {
    const double angle = parent.element == 8 ? 108.5 : parent.element == 16 ? 96 : parent.planar ? 120 : 109.5;
    const double step = parent.planar ? 180 : 120;
    for (std::size_t i = 0; i < count; ++i) {
      directions.push_back(turned(parent, angle, torsion + step * static_cast<double>(i)));
    }
  } else {  // water, and atoms whose neighbours are missing
    const glm::dvec3 tetrahedron[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 4); ++i) directions.push_back(unit(tetrahedron[i]));
  }
  std::vector<glm::dvec3> places;
  for (const glm::dvec3 d : directions) places.push_back(parent.place + length * d);
  return places;
}

}  // namespace isolume
