// What is written over a picture of the scene: labels, legends and the scale bar of each tile.
#include "app/view/picture_texts.h"

#include <memory>
#include <utility>

#include "app/fields/legend.h"
#include "app/view/labels.h"
#include "render/image/picture_layers.h"
#include "render/tiles.h"

namespace isolume {

void write_texts(Image& image, const SceneView& view, const PictureOptions& options,
                 const std::vector<std::vector<std::uint8_t>>& covered,
                 const std::vector<std::vector<FieldLegend>>& legends) {
  const std::vector<std::uint8_t> before = image.layers ? image.rgba : std::vector<std::uint8_t>();
  const auto overlay = options.vectors ? std::make_shared<Overlay>() : nullptr;
  const double dots = options.dots_of_letters();
  const TileGrid grid = TileGrid::of(static_cast<int>(view.tiles.size()), view.tile_columns, image.width, image.height,
                                     options.pixel_ratio);
  on_tiles(image, view, options.pixel_ratio, [&](Image& part, const SceneView& shown, std::size_t tile) {
    const auto write = [&](Canvas& canvas) {
      draw_labels(canvas, shown, covered.at(tile), dots);
      if (tile < legends.size()) draw_legends(canvas, legends[tile], letter_pixels(view.look.text_points, dots, 0));
    };
    if (!overlay) {
      PixelCanvas canvas(part);
      return write(canvas);
    }
    const glm::ivec2 corner = view.tiles.empty() ? glm::ivec2(0) : grid.corner(static_cast<int>(tile));
    overlay->parts.push_back({corner.x, corner.y, part.width, part.height, {}});
    VectorCanvas canvas(part, overlay->parts.back());
    write(canvas);
  });
  image.overlay = overlay;
  take_overlay(image, before);
}

}  // namespace isolume
