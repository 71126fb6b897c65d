// The part of a surface that is near points.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "molecule/mesh.h"

namespace isolume {

/// The triangles whose three corners are within `distance` (angstrom) of any of the points, with their vertices, in the
/// order in which they come. Without points the mesh is empty.
Mesh mesh_near(const Mesh& mesh, std::span<const glm::vec3> points, double distance, Job& job);

}  // namespace isolume
