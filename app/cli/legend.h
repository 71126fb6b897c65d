// The legend of a surface's colours, drawn into a picture.
#pragma once

#include "app/session/fields.h"
#include "render/image.h"

namespace isolume::cli {

/// Draws a bar of the legend's colours with its ends and middle, title, unit, method and measured error at the lower
/// left of the picture; `row` counts legends from the bottom. Letters are those of stb_easy_font, so that pictures are
/// the same on every machine. Nothing is drawn where the picture is too small to hold it (under 200 x 100).
void draw_legend(Image& image, const FieldLegend& legend, int row);

}  // namespace isolume::cli
