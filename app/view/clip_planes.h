// Clipping planes of a scene: where new ones go, and their words.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <string>

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// A plane through a point that faces the viewer: everything nearer is cut away.
ClipPlane plane_facing(const Camera& camera, glm::dvec3 through);

/// The plane of the least squared distances from points, turned so that what is cut away is towards the viewer; of
/// fewer than three points, or points on a line, one that faces the viewer through their middle.
ClipPlane plane_of_points(std::span<const glm::dvec3> points, const Camera& camera);

/// A plane through the middle of what is shown, across vector `axis` (0 to 2) of the first cell that a molecule has, or
/// where none has one across that axis of space.
ClipPlane plane_across_cell(int axis, const Scene& scene, Documents& documents);

/// The plane that words describe: `DIRECTION[:OFFSET][@SELECTION]`. The direction, on whose side all is cut away, is
/// view (towards the viewer), x, y, z, a, b, c (vectors of the first cell, each with - for the other side) or three
/// numbers; the offset is in angstrom along it; the plane goes through the middle of the selected atoms of all
/// molecules, or else of all that is shown. Throws Error (usage) that names what was expected.
ClipPlane clip_plane_of(const std::string& words, const Scene& scene, Documents& documents);

/// Adds a plane; throws Error (usage) where the scene has as many as can be.
void add_clip_plane(Scene& scene, const ClipPlane& plane);

}  // namespace isolume
