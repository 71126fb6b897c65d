// The legend of a surface's colours, drawn into a picture.
#pragma once

#include <string>
#include <vector>

#include "app/fields/fields.h"
#include "render/image/canvas.h"

namespace isolume {

/// "error 1.2e-03 V rms at 2000 points (1.6e-03 relative, 1.1e-03 near charges)", or "error at the surface ...", or
/// "estimated error ..." where there are no exact values to measure it by.
std::string error_text(const FieldLegend& legend);

/// The same in few words, for a legend: "error 0.16 % at 2000 points", "error 0.4 % at 500 points of the surface";
/// empty where none was measured.
std::string legend_error(const FieldLegend& legend);

/// "-5", "+24.85", "0" within 0.0005.
std::string charge_text(double charge);

/// "Potential (V)".
std::string legend_title(const FieldLegend& legend);

/// What the colours of atoms mean.
FieldLegend legend_of(const ColourKey& key);

/// Draws the legends one above the other at the lower left of the picture: title and unit; a bar of the colours with
/// its ends and middle and the error where one was measured, a patch for each isosurface, or names with their colours.
/// A title that is too long is broken at its blanks.
/// What does not fit is left out, all of it in pictures under 200 x 100. `letters`: pixels to the em; 0: by the
/// picture's height.
void draw_legends(Canvas& canvas, const std::vector<FieldLegend>& legends, double letters = 0);
void draw_legends(Image& image, const std::vector<FieldLegend>& legends, double letters = 0);

}  // namespace isolume
