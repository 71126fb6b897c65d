// Planes through fields: the plane of points, layers of grid points on planes, and the drawing of values on them.
#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "molecule/grid.h"
#include "molecule/mesh.h"

namespace isolume {

/// A plane in space with two directions in it, all of length 1 and at right angles: u x v = normal. Angstrom.
struct PlaneFrame {
  glm::dvec3 centre{0.0};
  glm::dvec3 u{1, 0, 0}, v{0, 1, 0}, normal{0, 0, 1};
};

/// The plane across an axis (0 to 2) of space through a point.
PlaneFrame plane_across(int axis, glm::dvec3 centre);

/// The plane of the least squared distances from points (the eigenvector of the smallest eigenvalue of their second
/// moments) through their mean; its normal points to where the points, in their order, go round counterclockwise.
/// Nothing where the points are on a line or one point.
std::optional<PlaneFrame> plane_through(std::span<const glm::dvec3> points);

/// The grid of the rectangle that holds what a plane has of a box: a layer of points, 1 along the normal. Planes across
/// an axis have a grid along the axes. No points where the plane passes the box by.
///
/// @param spacing  angstrom; it becomes wider where there would be more than `most` points along an edge
Grid slice_grid(const PlaneFrame& plane, const Grid& box, double spacing, int most);

/// The triangles of a layer of points, with a colour for each, and the values as a scalar. Normals point along the
/// plane's.
Mesh slice_mesh(const Grid& layer, glm::dvec3 normal, std::span<const float> values,
                const std::vector<glm::u8vec4>& colours);

/// Segments (two points each) along which the values of a layer are `level`, by linear interpolation.
std::vector<glm::vec3> contour(const Grid& layer, std::span<const float> values, double level);

/// The four edges of a layer as segments.
std::vector<glm::vec3> border(const Grid& layer);

}  // namespace isolume
