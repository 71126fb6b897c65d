// What is written over a picture of the scene: labels, legends and the scale bar of each tile.
#include "app/view/picture_texts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>

#include "app/fields/legend.h"
#include "app/view/labels.h"
#include "molecule/base/error.h"
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

namespace {

/// The smallest rectangle that holds what is drawn: left, top, right, bottom.
using Box = std::array<double, 4>;

Box box_of(const Overlay::Part& part) {
  Box box{1e9, 1e9, -1e9, -1e9};
  const auto include = [&box](double left, double top, double right, double bottom) {
    box = {std::min(box[0], left), std::min(box[1], top), std::max(box[2], right), std::max(box[3], bottom)};
  };
  for (const auto& mark : part.marks)
    std::visit(
        [&](const auto& one) {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Mark::Text>) {
            include(one.x, one.y, one.x + text_width(one.text, one.size), one.y + text_height(one.size));
          } else {
            include(one.left, one.top, one.right, one.bottom);
          }
        },
        mark);
  return box;
}

void shift(Overlay::Part& part, double x, double y) {
  for (auto& mark : part.marks)
    std::visit(
        [&](auto& one) {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, Mark::Text>) {
            one.x += x, one.y += y;
          } else {
            one.left += x, one.right += x, one.top += y, one.bottom += y;
          }
        },
        mark);
}

}  // namespace

Image legend_picture(const PictureOptions& options, const Look& look,
                     const std::vector<std::vector<FieldLegend>>& legends) {
  std::vector<FieldLegend> all;
  for (const auto& tile : legends)
    for (const FieldLegend& legend : tile)
      if (std::find(all.begin(), all.end(), legend) == all.end()) all.push_back(legend);
  const double letters = letter_pixels(look.text_points, options.dots_of_letters(), 0);
  Image page{options.width, options.height, {}};
  page.rgba.assign(std::size_t{4} * static_cast<std::size_t>(page.width) * static_cast<std::size_t>(page.height), 0);
  // Kept first, to know their size.
  Overlay::Part part{0, 0, page.width, page.height, {}};
  {
    VectorCanvas canvas(page, part);
    draw_legends(canvas, all, letters);
  }
  if (part.marks.empty())
    throw Error(
        "the picture has no legends to be written alone: colours of values and maps have them, names with "
        "--legends all",
        Error::Kind::usage);
  const Box box = box_of(part);
  constexpr double margin = 4;
  shift(part, margin - std::floor(box[0]), margin - std::floor(box[1]));
  part.width = static_cast<int>(std::ceil(box[2]) - std::floor(box[0]) + 2 * margin);
  part.height = static_cast<int>(std::ceil(box[3]) - std::floor(box[1]) + 2 * margin);
  Image image{part.width, part.height, {}};
  if (options.vectors) {
    auto overlay = std::make_shared<Overlay>();
    overlay->parts.push_back(std::move(part));
    image.overlay = std::move(overlay);
    return image;
  }
  image.rgba.assign(std::size_t{4} * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height), 0);
  PixelCanvas canvas(image);
  draw_marks(canvas, part);
  return image;
}

}  // namespace isolume
