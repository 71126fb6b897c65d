// The legend of a surface's colours, drawn into a picture.
#pragma once

#include <string>
#include <vector>

#include "app/session/fields.h"
#include "render/image.h"

namespace isolume {

/// What stands under the colours: method and, in periodic cells, zero and net charge; measured error and total charge.
std::vector<std::string> legend_lines(const FieldLegend& legend);

/// "-5", "+24.85", "0" within 0.0005.
std::string charge_text(double charge);

/// Draws a bar of the legend's colours with its ends and middle (or a patch for each isosurface), title, unit, method
/// and measured error at the lower left of the picture; `row` counts legends from the bottom. Letters are those of
/// stb_easy_font, so that pictures are the same on every machine. Nothing is drawn where the picture is too small to
/// hold it (under 200 x 100).
void draw_legend(Image& image, const FieldLegend& legend, int row);

}  // namespace isolume
