// The renderer: scene view in, pixels out.
#include "render/renderer.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "molecule/base/error.h"
#include "render/draw/drawable.h"
#include "render/draw/scene_furniture.h"
#include "render/gl/framebuffer.h"
#include "render/gl/program.h"
#include "render/gl/texture.h"
#include "render/image/picture_layers.h"
#include "render/pass/pipeline.h"

namespace isolume {

struct Renderer::Parts {
  explicit Parts(std::shared_ptr<gl::ProgramCache> programs) : pipeline(std::move(programs)) {}

  Pipeline pipeline;
  std::map<const DrawItem*, std::unique_ptr<Drawable>> drawables;  // each holds its item, so no address comes twice
  std::vector<std::shared_ptr<const DrawItem>> picked_from;  // the items of the last draw, as the id buffer counts
  std::vector<Drawable*> last_items;
  glm::dmat4 view{1.0};
  glm::dvec3 centre{0.0};  // of the camera
  int height = 0;
  bool fast = false;
  bool drawn = false;
  unsigned thin = 1;
  std::function<bool()> stop;
  std::function<void(double)> progress;

  // The furniture as last made, so that it is made again only where it changed.
  Cell box;
  std::vector<glm::vec3> box_copies;
  std::shared_ptr<const DrawItem> box_item;
  std::vector<glm::vec4> highlights;
  std::shared_ptr<const DrawItem> highlight_item;
  glm::dquat axes_rotation{0, 0, 0, 0};
  std::vector<std::shared_ptr<const DrawItem>> axes_items;

  Drawable* drawable(const std::shared_ptr<const DrawItem>& item) {
    auto& slot = drawables[item.get()];
    if (!slot) slot = make_drawable(item);
    return slot.get();
  }

  Contents contents(const SceneView& scene) {
    Contents result;
    picked_from.clear();
    for (std::size_t i = 0; i < scene.items.size(); ++i) {
      const auto& item = scene.items[i];
      if (!item) continue;
      result.items.push_back(drawable(item));
      picked_from.push_back(item);
      result.traits.push_back(i < scene.traits.size() ? scene.traits[i] : ItemTraits{});
    }
    result.planes = cutting_planes(scene);
    if (scene.show_box && scene.box.exists()) {
      if (!box_item || !(box == scene.box) || box_copies != scene.box_copies) {
        box = scene.box;
        box_copies = scene.box_copies;
        box_item = isolume::box_item(box, box_copies);
      }
      result.items.push_back(drawable(box_item));
      picked_from.push_back(box_item);
      result.traits.emplace_back();
    }
    if (!scene.highlights.empty()) {
      if (!highlight_item || highlights != scene.highlights) {
        highlights = scene.highlights;
        highlight_item = isolume::highlight_item(highlights);
      }
      result.highlights = drawable(highlight_item);
    }
    if (scene.look.axes) {
      if (axes_items.empty() || axes_rotation != scene.camera.rotation) {
        axes_rotation = scene.camera.rotation;
        axes_items = isolume::axes_items(axes_rotation);
      }
      for (const auto& item : axes_items) result.axes.push_back(drawable(item));
    }
    // Copies of removed items are dropped.
    std::erase_if(drawables, [&result](const auto& entry) {
      const Drawable* d = entry.second.get();
      return d != result.highlights && std::find(result.items.begin(), result.items.end(), d) == result.items.end() &&
             std::find(result.axes.begin(), result.axes.end(), d) == result.axes.end();
    });
    last_items = result.items;
    return result;
  }
};

Renderer::Renderer(std::shared_ptr<gl::ProgramCache> programs) {
  int major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  if (major * 10 + minor < 45)
    throw Error(fmt::format("OpenGL 4.5 is needed, and this graphics driver offers {}.{}", major, minor));
  parts_ = std::make_unique<Parts>(programs ? std::move(programs) : std::make_shared<gl::ProgramCache>());
}

Renderer::~Renderer() = default;

void Renderer::set_fast(bool fast, unsigned thin) {
  parts_->fast = fast;
  parts_->thin = fast ? std::max(thin, 1u) : 1;
}

void Renderer::set_vision(ColourVision vision) {
  parts_->pipeline.set_vision(vision_matrix(vision));
}

void Renderer::set_stop(std::function<bool()> stop) {
  parts_->stop = std::move(stop);
}

void Renderer::set_progress(std::function<void(double)> progress) {
  parts_->progress = std::move(progress);
}

bool Renderer::draw(const SceneView& view, unsigned target, int width, int height, double pixel_ratio) {
  if (width < 1 || height < 1) return true;
  const Region whole{0, 0, width, height};
  parts_->pipeline.set_progress({});
  parts_->pipeline.set_stop(parts_->stop ? &parts_->stop : nullptr);
  parts_->pipeline.set_thinning(parts_->thin);
  parts_->drawn = parts_->pipeline.draw(view, parts_->contents(view), glm::ivec2(width, height), whole,
                                        parts_->fast ? 1 : 2, std::max(pixel_ratio, 0.1), false, parts_->fast);
  parts_->pipeline.set_stop(nullptr);
  parts_->pipeline.set_thinning(1);
  if (!parts_->drawn) return false;
  parts_->pipeline.present(target, whole);
  parts_->view = view.camera.view();
  parts_->centre = view.camera.centre;
  parts_->height = height;
  return true;
}

Image Renderer::picture(const SceneView& view, const PictureOptions& options) {
  constexpr int largest_side = 1 << 16;
  if (options.width < 1 || options.height < 1 || options.width > largest_side || options.height > largest_side)
    throw Error(
        fmt::format("a picture of {} x {} pixels: each side is 1 to {}", options.width, options.height, largest_side),
        Error::Kind::usage);
  const int side = std::clamp(static_cast<int>(std::lround(std::sqrt(std::max(options.samples, 1)))), 1, 8);
  const double scale = std::max(options.pixel_ratio, 0.1);
  const glm::ivec2 size(options.width, options.height);
  const Contents contents = parts_->contents(view);

  int largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  // Tiles overlap by what the passes look around for, so that no seam shows.
  const int wanted_margin = pass_margin(view, size, scale);
  largest = std::min(largest, std::max({options.largest_tile, 64, 3 * wanted_margin}));
  const bool one_piece = size.x <= largest && size.y <= largest;
  const int margin = one_piece ? 0 : wanted_margin;
  const int step = one_piece ? largest : largest - 2 * margin;

  Image image{size.x, size.y, {}};
  image.rgba.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) * 4);
  if (options.layers) image.layers = std::make_shared<PictureLayers>(image.rgba.size() / 4);
  const int tile_width = std::min(step, size.x), tile_height = std::min(step, size.y);
  const gl::Texture pixels(GL_RGBA8, tile_width, tile_height);
  const gl::Framebuffer target({&pixels}, nullptr);
  std::vector<std::uint8_t> rows(static_cast<std::size_t>(tile_width) * static_cast<std::size_t>(tile_height) * 4);
  const auto pieces = [step](int length) { return (length + step - 1) / step; };
  const double all = static_cast<double>(pieces(size.x)) * pieces(size.y);
  double done = 0;
  for (int y = 0; y < size.y; y += step)
    for (int x = 0; x < size.x; x += step) {
      const Region wanted{x, y, std::min(step, size.x - x), std::min(step, size.y - y)};
      Region drawn;
      drawn.x = std::max(x - margin, 0);
      drawn.y = std::max(y - margin, 0);
      drawn.width = std::min(x + wanted.width + margin, size.x) - drawn.x;
      drawn.height = std::min(y + wanted.height + margin, size.y) - drawn.y;
      if (image.layers) take_hits(view, contents, size, wanted, scale, *image.layers);
      parts_->pipeline.set_stop(parts_->stop ? &parts_->stop : nullptr);
      parts_->pipeline.set_progress([&](double part) {
        if (parts_->progress) parts_->progress((done + part) / all);
      });
      const bool whole = parts_->pipeline.draw(view, contents, size, drawn, side, scale, options.transparent, false);
      parts_->pipeline.set_progress({});
      parts_->pipeline.set_stop(nullptr);
      ++done;
      if (!whole) throw Error("cancelled", Error::Kind::cancelled);
      parts_->pipeline.present(target.name(), wanted);
      glPixelStorei(GL_PACK_ALIGNMENT, 4);
      glPixelStorei(GL_PACK_ROW_LENGTH, 0);
      glGetTextureSubImage(pixels.name(), 0, 0, 0, 0, wanted.width, wanted.height, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                           static_cast<GLsizei>(rows.size()), rows.data());
      for (int row = 0; row < wanted.height; ++row) {
        const std::size_t to = (static_cast<std::size_t>(size.y - 1 - y - row) * static_cast<std::size_t>(size.x) +
                                static_cast<std::size_t>(x)) *
                               4;
        const std::size_t bytes = static_cast<std::size_t>(wanted.width) * 4;
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(row) * bytes), bytes,
                    image.rgba.begin() + static_cast<std::ptrdiff_t>(to));
        if (image.layers) parts_->pipeline.linear_row(x, y + row, wanted.width, image.layers->linear.data() + to);
      }
    }
  if (const unsigned error = glGetError(); error != GL_NO_ERROR)
    throw Error(fmt::format("the graphics driver made no picture (OpenGL error {:#x})", error));
  parts_->view = view.camera.view();
  parts_->centre = view.camera.centre;
  parts_->height = size.y;
  parts_->drawn = one_piece;
  return image;
}

void Renderer::take_hits(const SceneView& view, const Contents& contents, glm::ivec2 size, const Region& wanted,
                         double scale, PictureLayers& layers) {
  Parts& p = *parts_;
  // One sample, in the middle of each pixel, without what looks around.
  SceneView bare = view;
  bare.look.shadows = bare.look.ambient_occlusion = bare.look.outlines = false;
  bare.look.depth_of_field = 0;
  p.pipeline.set_stop(p.stop ? &p.stop : nullptr);
  const bool whole = p.pipeline.draw(bare, contents, size, wanted, 1, scale, true, false);
  p.pipeline.set_stop(nullptr);
  if (!whole) throw Error("cancelled", Error::Kind::cancelled);
  const glm::vec4 terms = p.pipeline.frame().depth_terms;
  const bool orthographic = view.camera.projection == Camera::Projection::orthographic;
  const auto distance = [&](float depth) {
    const double ndc = 2.0 * static_cast<double>(depth) - 1, a = terms.x, b = terms.y;
    return static_cast<float>(orthographic ? (b - ndc) / a : b / (ndc + a));
  };
  constexpr int rows_at_once = 32;
  for (int y = wanted.y; y < wanted.y + wanted.height; y += rows_at_once) {
    const Region block{wanted.x, y, wanted.width, std::min(rows_at_once, wanted.y + wanted.height - y)};
    const auto hits = p.pipeline.hits(block);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const auto& [solid, layer] = hits[i];
      const Pipeline::Hit& hit = layer.item > 0 && (solid.item == 0 || layer.depth < solid.depth) ? layer : solid;
      if (hit.item == 0 || hit.item > p.picked_from.size()) continue;
      const auto column = static_cast<std::size_t>(wanted.x) + i % static_cast<std::size_t>(block.width);
      const auto row = static_cast<std::size_t>(size.y - 1 - y) - i / static_cast<std::size_t>(block.width);
      const std::size_t at = row * static_cast<std::size_t>(size.x) + column;
      layers.depth[at] = distance(hit.depth);
      layers.objects[at] = p.picked_from[hit.item - 1]->object;
    }
  }
}

std::vector<std::uint8_t> Renderer::covered(std::span<const glm::vec3> points, double margin) const {
  constexpr std::size_t most = 1000;  // each is read from the device
  std::vector<std::uint8_t> result(points.size());
  const Parts& p = *parts_;
  if (!p.drawn || points.size() > most) return result;
  const Region& region = p.pipeline.region();
  const glm::dmat4 projection(p.pipeline.frame().projection), back = glm::inverse(projection);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const glm::dvec4 eye = p.view * glm::dvec4(glm::dvec3(points[i]), 1);
    const glm::dvec4 clip = projection * eye;
    if (!(clip.w > 0)) continue;
    const glm::dvec2 at = 0.5 * (glm::dvec2(clip) / clip.w + 1.0) * glm::dvec2(region.width, region.height);
    const auto x = static_cast<int>(std::floor(at.x)), y = static_cast<int>(std::floor(at.y));
    if (x < 0 || y < 0 || x >= region.width || y >= region.height) continue;
    const Pipeline::Hit solid = p.pipeline.hits({region.x + x, region.y + y, 1, 1}).front()[0];
    if (solid.item == 0) continue;
    glm::dvec4 seen = back * glm::dvec4(glm::dvec2(clip) / clip.w, 2.0 * static_cast<double>(solid.depth) - 1, 1);
    seen /= seen.w;
    result[i] = seen.z > eye.z + margin;  // the eye looks along -z
  }
  return result;
}

std::size_t Renderer::spheres_drawn() const {
  std::size_t sum = 0;
  for (const Drawable* item : parts_->last_items) sum += item->spheres_drawn().value_or(0);
  return sum;
}

PickId Renderer::pick(int x, int y, int reach) {
  Parts& p = *parts_;
  if (!p.drawn) return {};
  const Region& region = p.pipeline.region();
  reach = std::clamp(reach, 0, 64);
  const int up = p.height - 1 - y;
  Region block;
  block.x = std::max(x - reach, region.x);
  block.y = std::max(up - reach, region.y);
  block.width = std::min(x + reach + 1, region.x + region.width) - block.x;
  block.height = std::min(up + reach + 1, region.y + region.height) - block.y;
  if (block.width < 1 || block.height < 1) return {};

  const auto hits = p.pipeline.hits(block);
  const glm::dmat4 back = glm::inverse(glm::dmat4(p.pipeline.frame().projection) * p.view);
  const auto seen_at = [&](int px, int py, double depth) {
    const glm::dvec4 ndc(2.0 * (px - region.x + 0.5) / region.width - 1,
                         2.0 * (py - region.y + 0.5) / region.height - 1, 2.0 * depth - 1, 1);
    const glm::dvec4 point = back * ndc;
    return glm::dvec3(point) / point.w;
  };
  PickId best;
  int least = 1 << 30;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const int px = block.x + static_cast<int>(i) % block.width, py = block.y + static_cast<int>(i) / block.width;
    const int distance = (px - x) * (px - x) + (py - up) * (py - up);
    if (distance >= least) continue;
    const auto usable = [&p](const Pipeline::Hit& hit) {
      return hit.item > 0 && hit.item <= p.picked_from.size() && p.picked_from[hit.item - 1]->object > 0;
    };
    // An object seen through a surface is meant rather than the surface, unless that is nearly opaque.
    const auto& [solid, layer] = hits[i];
    const bool dense = usable(layer) && p.picked_from[layer.item - 1]->opacity >= 0.75f;
    const Pipeline::Hit& hit = usable(layer) && (dense || !usable(solid)) ? layer : solid;
    if (!usable(hit)) continue;
    least = distance;
    best.place = seen_at(px, py, static_cast<double>(hit.depth));
    best.placed = true;
    best.object = p.picked_from[hit.item - 1]->object;
    best.part = p.last_items[hit.item - 1]->part(hit.primitive, glm::vec3(best.place));
  }
  if (!best.placed) {
    // The camera looks along -z of its axes, so that the plane has one depth there.
    const glm::dvec3 near = seen_at(x, up, 0), far = seen_at(x, up, 1);
    const double front = (p.view * glm::dvec4(near, 1)).z, rear = (p.view * glm::dvec4(far, 1)).z;
    const double plane = (p.view * glm::dvec4(p.centre, 1)).z;
    best.place = glm::mix(near, far, (plane - front) / (rear - front));
    best.placed = true;
  }
  return best;
}

}  // namespace isolume
