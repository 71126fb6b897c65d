// Where what a scene shows is: centre and radius, for the camera.
#pragma once

#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// Centre and radius (angstrom) of everything visible in a scene; of Layout::tiles, of what any tile has, where the
/// camera of the first sees it.
struct Extent {
  glm::dvec3 centre{0.0};
  double radius = 1.0;
};
Extent scene_extent(const Scene& scene, Documents& documents);

}  // namespace isolume
