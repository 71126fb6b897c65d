// Texts in space, written over a picture.
#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include "render/image/canvas.h"
#include "render/view/scene_view.h"

namespace isolume {

/// Where a text is in a picture: its corner and its size, in any unit, y down.
struct TextPlace {
  double x = 0, y = 0, width = 0, height = 0;
  bool shown = true;
  double moved = 0;     ///< by keep_apart(), along y
  bool behind = false;  ///< something opaque is in front of it

  /// True where a line shows what the text belongs to, from top to bottom: between the text and the place that it had.
  bool has_leader() const { return shown && (moved > 0.8 * height || -moved > 0.8 * height); }
  double leader_top() const { return moved > 0 ? y + 0.5 * height - moved : y + height; }
  double leader_bottom() const { return moved > 0 ? y : y + 0.5 * height - moved; }
};

/// Moves texts up or down, as little as can be, so that none is printed over one that comes before it. A text that
/// finds no room within eight of its heights is not shown. Those that are behind something come last: they are not
/// moved, and not shown where there is a text already. Who draws them puts a line to those that moved by more than
/// their height, which would seem to be another one's.
void keep_apart(std::vector<TextPlace>& texts);

/// Writes the view's labels where their points lie in the picture, with a rim in the colour of the background, and a
/// tile's title and the scale bar of its look; where two labels would overlap one is moved or left out. `covered`: 1
/// for labels behind something opaque (TiledRenderer::covered_labels()), which are faint; empty: none is. `dots` are
/// the picture's pixels in an inch, for letters of a size in points (Label::points, Look::text_points).
void draw_labels(Canvas& canvas, const SceneView& view, std::span<const std::uint8_t> covered = {},
                 double dots = screen_dots);
void draw_labels(Image& image, const SceneView& view, std::span<const std::uint8_t> covered = {},
                 double dots = screen_dots);

/// Pixels to the em of letters of a size in points (1/72 inch), or `usual` where that is 0.
double letter_pixels(double points, double dots, double usual);

/// How much of a covered label's ink is left.
constexpr double faint = 0.25;

}  // namespace isolume
