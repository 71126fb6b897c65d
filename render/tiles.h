// Pictures in tiles next to each other, all seen by one camera.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <vector>

#include "render/renderer.h"

namespace isolume {

/// How tiles lie in a picture, from the upper left, row by row. All have the same size, so that the scale is the same;
/// between them are lines.
struct TileGrid {
  int columns = 1, rows = 1;
  int width = 0, height = 0;  ///< of a tile, pixels
  int gap = 0;                ///< of the lines, pixels

  /// @param columns  0 chooses those in which the tiles are least narrow
  static TileGrid of(int tiles, int columns, int width, int height, double pixel_ratio);
  /// The upper left pixel of a tile.
  glm::ivec2 corner(int tile) const { return {tile % columns * (width + gap), tile / columns * (height + gap)}; }
  /// The tile at a pixel, the nearest one on a line; at most the last of `tiles`.
  int at(double x, double y, int tiles) const;
};

/// The colour of the lines, sRGB: between the background's and its opposite.
glm::vec3 tile_line_colour(const Look& look);

/// A tile as it is drawn: with the camera and the look of the whole picture.
SceneView tile_view(const SceneView& whole, std::size_t tile);
/// Its camera.
Camera tile_camera(const Camera& camera, const SceneView& tile);

/// Calls with every tile of a picture cut out (or with all of it where the view has none), its view and its number, and
/// puts back what was made of it.
void on_tiles(Image& picture, const SceneView& view, double pixel_ratio,
              const std::function<void(Image& part, const SceneView& view, std::size_t tile)>& change);

/// A picture of a view with tiles: each is made by `make`, which gets its view, its size as options and its number, and
/// the lines between them are drawn.
Image tiled_picture(const SceneView& view, const PictureOptions& options,
                    const std::function<Image(const SceneView&, const PictureOptions&, std::size_t)>& make);

/// Draws views with tiles and views without: as Renderer does, which it uses, one for each tile.
class TiledRenderer {
 public:
  TiledRenderer();
  ~TiledRenderer();
  TiledRenderer(const TiledRenderer&) = delete;
  TiledRenderer& operator=(const TiledRenderer&) = delete;

  bool draw(const SceneView& view, unsigned target, int width, int height, double pixel_ratio = 1.0);
  void set_fast(bool fast, unsigned thin = 1);
  void set_vision(ColourVision vision);
  void set_stop(std::function<bool()> stop);
  void set_progress(std::function<void(double)> progress);
  Image picture(const SceneView& view, const PictureOptions& options);
  PickId pick(int x, int y, int reach = 2);
  /// For every tile, or the one view without tiles, which of its labels lie behind something opaque in the last picture
  /// (Renderer::covered()), which was of this view.
  std::vector<std::vector<std::uint8_t>> covered_labels(const SceneView& view) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace isolume
