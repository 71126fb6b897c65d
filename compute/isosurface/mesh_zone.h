// The part of a surface that is near points.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "molecule/mesh.h"

namespace isolume {

/// The triangles whose three corners are within `distance` (angstrom) of any of the points, with their vertices, in the
/// order in which they come. Without points the mesh is empty.
Mesh mesh_near(const Mesh& mesh, std::span<const glm::vec3> points, double distance, Job& job);

/// The triangles of which all three vertices are kept (one byte a vertex), with the vertices that they have.
Mesh mesh_of_vertices(const Mesh& mesh, std::span<const std::uint8_t> kept);

}  // namespace isolume
