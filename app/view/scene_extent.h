// The extent of a scene for the camera: centre, radius and outline.
#pragma once

#include <vector>
#include "app/documents/documents.h"
#include "app/scene/scene.h"

namespace isolume {

/// What a view of a scene has to hold, in angstrom; of Layout::tiles, of what any tile has, where the camera of the
/// first sees it. Water and ions count only where there is more of them than of all else, of a map what is above its
/// level, and of a map near atoms nothing.
struct Extent {
  glm::dvec3 centre{0.0};
  double radius = 1.0;
  std::vector<glm::vec4>
      balls;  ///< centres and radii on the outside of it, for Camera::fit; empty where nothing is shown
};
Extent scene_extent(const Scene& scene, Documents& documents);

/// Shows all of a scene whose camera has no height, as of a file without a camera.
void fit_unset_camera(Scene& scene, Documents& documents, double aspect);

}  // namespace isolume
