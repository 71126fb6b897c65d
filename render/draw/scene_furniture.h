// Drawn next to the molecules: the cell's box, the axes in the corner, the spheres behind halos.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <memory>
#include <vector>

#include "render/view/scene_view.h"

namespace isolume {

/// The twelve edges of a cell that begins at the origin.
std::shared_ptr<const DrawItem> box_item(const Cell& cell, std::vector<glm::vec3> copies = {});

/// Arrows of length 1 along x (red), y (green) and z (blue) with their letters, which face a camera of this rotation.
std::vector<std::shared_ptr<const DrawItem>> axes_items(glm::dquat rotation);

/// The spheres of SceneView::highlights.
std::shared_ptr<const DrawItem> highlight_item(const std::vector<glm::vec4>& highlights);

}  // namespace isolume
