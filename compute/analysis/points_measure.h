// Distances, angles and dihedrals of points.
#pragma once

#include <glm/glm.hpp>
#include <span>

namespace isolume {

/// The angle between two directions in degrees; NaN where one of them has no length.
double angle_between(glm::dvec3 a, glm::dvec3 b);

/// Of two points their distance (angstrom), of three the angle at the second (degrees, 0 to 180), of four the dihedral
/// about the middle two (degrees, -180 to 180, positive clockwise seen along them; IUPAC). NaN for one point, and where
/// points coincide so that there is no angle.
double measured(std::span<const glm::dvec3> points);

}  // namespace isolume
