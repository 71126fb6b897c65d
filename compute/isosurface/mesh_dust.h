// Small separate parts of a surface.
#pragma once

#include <cstddef>

#include "compute/base/job.h"
#include "molecule/mesh.h"

namespace isolume {

/// Removes the connected parts of a mesh (triangles that share vertices) whose bounding box is shorter than `size`
/// (angstrom) along x, y and z, as ChimeraX hides dust by size. Other vertices and triangles stay in their order.
/// Returns how many parts were removed. The work grows as the number of triangles; host memory of 12 bytes a vertex.
std::size_t remove_dust(Mesh& mesh, double size, Job& job);

}  // namespace isolume
