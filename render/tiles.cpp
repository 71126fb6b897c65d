// Pictures in tiles next to each other, all seen by one camera.
#include "render/tiles.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/gl/context_loss.h"
#include "render/gl/framebuffer.h"
#include "render/gl/program.h"
#include "render/gl/texture.h"
#include "render/image/picture_layers.h"

namespace isolume {

TileGrid TileGrid::of(int tiles, int columns, int width, int height, double pixel_ratio) {
  tiles = std::max(tiles, 1);
  const int gap = tiles > 1 ? std::max(1, static_cast<int>(std::lround(2 * pixel_ratio))) : 0;
  const auto grid = [&](int across) {
    TileGrid made;
    made.columns = across;
    made.rows = (tiles + across - 1) / across;
    made.gap = gap;
    made.width = std::max(1, (width - (made.columns - 1) * gap) / made.columns);
    made.height = std::max(1, (height - (made.rows - 1) * gap) / made.rows);
    return made;
  };
  if (columns > 0) return grid(std::min(columns, tiles));
  TileGrid best = grid(1);
  for (int across = 2; across <= tiles; ++across) {
    const TileGrid other = grid(across);
    if (std::min(other.width, other.height) > std::min(best.width, best.height)) best = other;
  }
  return best;
}

int TileGrid::at(double x, double y, int tiles) const {
  const auto place = [this](double v, int side, int count) {
    const int i = static_cast<int>(std::floor((v + 0.5 * gap) / (side + gap)));
    return std::clamp(i, 0, count - 1);
  };
  return std::min(place(y, height, rows) * columns + place(x, width, columns), tiles - 1);
}

glm::vec3 tile_line_colour(const Look& look) {
  const glm::vec3 ground = 0.5f * (look.background + look.background_bottom);
  const bool dark = glm::dot(ground, glm::vec3(0.3f, 0.6f, 0.1f)) < 0.5f;
  return glm::mix(ground, glm::vec3(dark ? 1.0f : 0.0f), 0.35f);
}

Camera tile_camera(const Camera& camera, const SceneView& tile) {
  Camera own = camera;
  own.centre += tile.camera_shift;
  return own;
}

SceneView tile_view(const SceneView& whole, std::size_t tile) {
  SceneView view = whole.tiles.at(tile);
  view.camera = tile_camera(whole.camera, view);
  view.look = whole.look;
  // The first tile's planes are where they are; the others' molecules are cut in the same places of the picture.
  view.clip_planes = whole.clip_planes;
  for (ClipPlane& plane : view.clip_planes) plane.point += view.camera_shift;
  return view;
}

namespace {

void fill(Image& image, glm::ivec2 from, glm::ivec2 to, glm::vec3 colour, std::uint8_t alpha) {
  for (int y = from.y; y < std::min(to.y, image.height); ++y)
    for (int x = from.x; x < std::min(to.x, image.width); ++x) {
      std::uint8_t* p = &image.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                                         static_cast<std::size_t>(x))];
      for (int c = 0; c < 3; ++c) p[c] = static_cast<std::uint8_t>(std::lround(255 * colour[c]));
      p[3] = alpha;
    }
}

}  // namespace

void on_tiles(Image& picture, const SceneView& view, double pixel_ratio,
              const std::function<void(Image& part, const SceneView& view, std::size_t tile)>& change) {
  if (view.tiles.empty()) {
    change(picture, view, 0);
    return;
  }
  const TileGrid grid =
      TileGrid::of(static_cast<int>(view.tiles.size()), view.tile_columns, picture.width, picture.height, pixel_ratio);
  for (std::size_t i = 0; i < view.tiles.size(); ++i) {
    const glm::ivec2 corner = grid.corner(static_cast<int>(i));
    Image part{std::min(grid.width, picture.width - corner.x), std::min(grid.height, picture.height - corner.y), {}};
    if (part.width < 1 || part.height < 1) continue;
    const auto row = [&](int y) {
      return picture.rgba.begin() + std::ptrdiff_t{4} * ((std::ptrdiff_t{corner.y} + y) * picture.width + corner.x);
    };
    const std::ptrdiff_t bytes = std::ptrdiff_t{4} * part.width;
    for (int y = 0; y < part.height; ++y) part.rgba.insert(part.rgba.end(), row(y), row(y) + bytes);
    change(part, tile_view(view, i), i);
    for (int y = 0; y < part.height; ++y) std::copy_n(part.rgba.begin() + bytes * y, bytes, row(y));
  }
}

Image tiled_picture(const SceneView& view, const PictureOptions& options,
                    const std::function<Image(const SceneView&, const PictureOptions&, std::size_t)>& make) {
  const TileGrid grid = TileGrid::of(static_cast<int>(view.tiles.size()), view.tile_columns, options.width,
                                     options.height, options.pixel_ratio);
  const glm::vec3 line = tile_line_colour(view.look);
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  Image image{options.width, options.height, {}};
  image.rgba.resize(4 * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  fill(image, {0, 0}, {image.width, image.height}, line, 255);
  for (int i = static_cast<int>(view.tiles.size()); i < grid.columns * grid.rows; ++i)
    fill(image, grid.corner(i), grid.corner(i) + glm::ivec2(grid.width, grid.height), ground,
         options.transparent ? 0 : 255);
  if (options.layers) {
    image.layers = std::make_shared<PictureLayers>(image.rgba.size() / 4);
    take_overlay(image, std::vector<std::uint8_t>(image.rgba.size()));
  }
  for (std::size_t i = 0; i < view.tiles.size(); ++i) {
    PictureOptions own = options;
    own.width = grid.width;
    own.height = grid.height;
    const Image part = make(tile_view(view, i), own, i);
    const glm::ivec2 corner = grid.corner(static_cast<int>(i));
    const int wide = std::min(part.width, image.width - corner.x);  // tiles are a pixel at least, whatever the picture
    const int high = std::min(part.height, image.height - corner.y);
    for (int y = 0; y < high && wide > 0; ++y) {
      const std::ptrdiff_t from = std::ptrdiff_t{y} * part.width;
      const std::ptrdiff_t to = (std::ptrdiff_t{corner.y} + y) * image.width + corner.x;
      std::copy_n(part.rgba.begin() + 4 * from, std::ptrdiff_t{4} * wide, image.rgba.begin() + 4 * to);
      if (!image.layers || !part.layers) continue;
      std::copy_n(part.layers->linear.begin() + 4 * from, std::ptrdiff_t{4} * wide,
                  image.layers->linear.begin() + 4 * to);
      std::copy_n(part.layers->depth.begin() + from, wide, image.layers->depth.begin() + to);
      std::copy_n(part.layers->objects.begin() + from, wide, image.layers->objects.begin() + to);
    }
  }
  return image;
}

struct TiledRenderer::Parts {
  struct Tile {
    explicit Tile(const std::shared_ptr<gl::ProgramCache>& programs) : renderer(std::make_unique<Renderer>(programs)) {}
    std::unique_ptr<Renderer> renderer;
    gl::Texture pixels;
    gl::Framebuffer target;
    int width = 0, height = 0;

    void resize(int wide, int high) {
      if (wide == width && high == height) return;
      target = {};
      pixels = gl::Texture(GL_RGBA8, wide, high);
      target = gl::Framebuffer({&pixels}, nullptr);
      width = wide;
      height = high;
    }
  };
  std::shared_ptr<gl::ProgramCache> programs = std::make_shared<gl::ProgramCache>();  // each compiled once
  std::vector<Tile> tiles;  // of a view without tiles the first alone
  TileGrid grid;            // of the last picture
  std::size_t drawn = 0;    // tiles of the last picture, 0: it had none
  std::function<bool()> stop;
  std::function<void(double)> progress;
  ColourVision vision = ColourVision::full;
  bool fast = false;
  unsigned thin = 1;

  void prepare(std::size_t count) {
    if (tiles.size() > count) tiles.erase(tiles.begin() + static_cast<std::ptrdiff_t>(count), tiles.end());
    while (tiles.size() < count) {
      tiles.emplace_back(programs);
      tiles.back().renderer->set_stop(stop);
      tiles.back().renderer->set_fast(fast, thin);
      tiles.back().renderer->set_vision(vision);
    }
  }
};

TiledRenderer::TiledRenderer() : parts_(std::make_unique<Parts>()) {
  parts_->prepare(1);
}

TiledRenderer::~TiledRenderer() = default;

void TiledRenderer::set_fast(bool fast, unsigned thin) {
  parts_->fast = fast;
  parts_->thin = thin;
  for (auto& tile : parts_->tiles) tile.renderer->set_fast(fast, thin);
}

void TiledRenderer::set_vision(ColourVision vision) {
  parts_->vision = vision;
  for (auto& tile : parts_->tiles) tile.renderer->set_vision(vision);
}

void TiledRenderer::set_stop(std::function<bool()> stop) {
  parts_->stop = std::move(stop);
  for (auto& tile : parts_->tiles) tile.renderer->set_stop(parts_->stop);
}

void TiledRenderer::set_progress(std::function<void(double)> progress) {
  parts_->progress = std::move(progress);
}

bool TiledRenderer::draw(const SceneView& view, unsigned target, int width, int height, double pixel_ratio) {
  Parts& p = *parts_;
  p.drawn = 0;
  p.prepare(std::max<std::size_t>(1, view.tiles.size()));
  if (view.tiles.empty()) {
    const bool whole = p.tiles.front().renderer->draw(view, target, width, height, pixel_ratio);
    check_context();
    return whole;
  }
  const TileGrid grid =
      TileGrid::of(static_cast<int>(view.tiles.size()), view.tile_columns, width, height, pixel_ratio);
  for (std::size_t i = 0; i < view.tiles.size(); ++i) {
    Parts::Tile& tile = p.tiles[i];
    tile.resize(grid.width, grid.height);
    if (!tile.renderer->draw(tile_view(view, i), tile.target.name(), grid.width, grid.height, pixel_ratio))
      return false;
  }
  const glm::vec3 line = tile_line_colour(view.look);
  const float colour[4] = {line.r, line.g, line.b, 1};
  glBindFramebuffer(GL_FRAMEBUFFER, target);
  glDisable(GL_SCISSOR_TEST);
  glClearNamedFramebufferfv(target, GL_COLOR, 0, colour);
  const glm::vec3 ground = 0.5f * (view.look.background + view.look.background_bottom);
  const float empty[4] = {ground.r, ground.g, ground.b, 1};
  glEnable(GL_SCISSOR_TEST);
  for (int i = static_cast<int>(view.tiles.size()); i < grid.columns * grid.rows; ++i) {
    const glm::ivec2 corner = grid.corner(i);
    glScissor(corner.x, height - corner.y - grid.height, grid.width, grid.height);
    glClearNamedFramebufferfv(target, GL_COLOR, 0, empty);
  }
  glDisable(GL_SCISSOR_TEST);
  for (std::size_t i = 0; i < view.tiles.size(); ++i) {
    const glm::ivec2 corner = grid.corner(static_cast<int>(i));
    const int bottom = height - corner.y - grid.height;
    glBlitNamedFramebuffer(p.tiles[i].target.name(), target, 0, 0, grid.width, grid.height, corner.x, bottom,
                           corner.x + grid.width, bottom + grid.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  check_context();
  p.grid = grid;
  p.drawn = view.tiles.size();
  return true;
}

Image TiledRenderer::picture(const SceneView& view, const PictureOptions& options) {
  Parts& p = *parts_;
  p.prepare(std::max<std::size_t>(1, view.tiles.size()));
  p.drawn = 0;
  const auto tell_of = [&p](std::size_t tile, std::size_t count) {
    p.tiles[tile].renderer->set_progress([&p, tile, count](double part) {
      if (p.progress) p.progress((static_cast<double>(tile) + part) / static_cast<double>(count));
    });
  };
  if (view.tiles.empty()) {
    tell_of(0, 1);
    Image image = p.tiles.front().renderer->picture(view, options);
    check_context();  // what is read of a lost one is anything
    return image;
  }
  Image image = tiled_picture(view, options, [&](const SceneView& part, const PictureOptions& own, std::size_t tile) {
    tell_of(tile, view.tiles.size());
    return p.tiles[tile].renderer->picture(part, own);
  });
  check_context();
  return image;
}

PickId TiledRenderer::pick(int x, int y, int reach) {
  Parts& p = *parts_;
  if (p.drawn == 0) return p.tiles.front().renderer->pick(x, y, reach);
  const int tile = p.grid.at(x, y, static_cast<int>(p.drawn));
  const glm::ivec2 corner = p.grid.corner(tile);
  return p.tiles[static_cast<std::size_t>(tile)].renderer->pick(x - corner.x, y - corner.y, reach);
}

std::vector<std::vector<std::uint8_t>> TiledRenderer::covered_labels(const SceneView& view) const {
  constexpr double margin = 2.2;  // angstrom: what is drawn of an atom does not cover its own label
  const auto of = [&](const SceneView& part, std::size_t tile) {
    std::vector<glm::vec3> points;
    for (const Label& label : part.labels) points.push_back(label.position);
    return parts_->tiles[tile].renderer->covered(points, margin);
  };
  if (view.tiles.empty()) return {of(view, 0)};
  std::vector<std::vector<std::uint8_t>> covered;
  for (std::size_t i = 0; i < view.tiles.size() && i < parts_->tiles.size(); ++i)
    covered.push_back(of(view.tiles[i], i));
  return covered;
}

}  // namespace isolume
