// What the rows of the scene tree change in a scene.
#pragma once

#include "app/window/tree/tree_rows.h"

namespace isolume {

/// What a row is, changed in a scene: its visibility, its colour; and the row taken out.
void set_visible(Scene& scene, const TreeRow& row, bool visible);
void set_colour(Scene& scene, const TreeRow& row, glm::u8vec4 colour);
void remove_row(Scene& scene, const TreeRow& row);

}  // namespace isolume
