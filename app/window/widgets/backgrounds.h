// The backgrounds that scenes begin with, light and dark.
#pragma once

#include "render/view/look.h"

namespace isolume {

/// Gives a look the background that suits a light or a dark window.
void set_usual_background(Look& look, bool dark);

/// True where the background is just that.
bool has_usual_background(const Look& look, bool dark);

}  // namespace isolume
