// Texts in space, written over a picture.
#pragma once

#include "render/image/image.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Writes the view's labels where their points lie in the picture, with a rim in the colour of the background.
void draw_labels(Image& image, const SceneView& view);

}  // namespace isolume
