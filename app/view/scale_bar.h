// The bar in the corner of a picture that says how long things are.
#pragma once

#include <string>

#include "render/image/canvas.h"
#include "render/view/camera.h"
#include "render/view/look.h"

namespace isolume {

struct ScaleBarLength {
  double angstrom = 0;
  double pixels = 0;
  std::string text;  ///< "20 Å"; with perspective "20 Å at the centre"
};

/// Part of a picture's width that a bar takes at most.
constexpr double widest_scale_bar = 0.2;

/// The longest of 1, 2 and 5 times a power of ten, in the unit, that is at most `widest` pixels long in a picture of
/// `height` pixels: exact without perspective, else in the plane of the centre of rotation, across the line of sight.
ScaleBarLength scale_bar_length(const Camera& camera, ScaleBar unit, double height, double widest);

/// Draws the bar that the look asks for, if any, in the lower right corner, in the colour of labels. `dots`: pixels of
/// an inch.
void draw_scale_bar(Canvas& canvas, const Camera& camera, const Look& look, double dots);

}  // namespace isolume
