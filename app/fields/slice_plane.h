// Planes through fields: where they lie, their grids, and what is drawn of the values on them.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "app/scene/scene.h"
#include "molecule/grid.h"
#include "molecule/mesh.h"
#include "molecule/molecule.h"

namespace isolume {

/// A plane in space with two directions in it, all of length 1 and at right angles: u x v = normal. Angstrom.
struct PlaneFrame {
  glm::dvec3 centre{0.0};
  glm::dvec3 u{1, 0, 0}, v{0, 1, 0}, normal{0, 0, 1};
};

/// Where a slice lies in a frame. Planes across an axis go through the mean position of the molecule's atoms (the
/// middle of `box` where it has none), those of atoms through the mean position of the selected ones, in the plane of
/// the least squared distances from them (the eigenvector of the smallest eigenvalue of the second moments); its normal
/// points to where the atoms, in their order, go round counterclockwise. Then they are moved by the offset along the
/// normal.
/// Throws Error (usage) for fewer than three atoms, for such as lie on a line or on one point, and for Kind::none.
PlaneFrame slice_frame(const SlicePlane& slice, const Molecule& molecule, std::size_t frame, const Grid& box);

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
