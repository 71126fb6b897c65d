// Cones of triangles: the heads of arrows.
#pragma once

#include "molecule/mesh.h"

namespace isolume {

/// Adds a closed cone from the middle of its base to its tip.
void add_cone(Mesh& mesh, glm::vec3 base, glm::vec3 tip, float radius, glm::u8vec4 colour, int segments = 32);

}  // namespace isolume
