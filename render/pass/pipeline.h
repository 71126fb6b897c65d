// The passes that make a picture of drawables.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "render/draw/depth_pyramid.h"
#include "render/draw/drawable.h"
#include "render/gl/buffer.h"
#include "render/gl/framebuffer.h"
#include "render/gl/texture.h"
#include "render/pass/frame.h"

namespace isolume {

/// What a picture is made of, on the device; the numbers of the id buffer count `items` from 1.
struct Contents {
  std::vector<Drawable*> items;    ///< the scene's, its box included
  std::vector<ItemTraits> traits;  ///< one for each of them
  std::vector<ClipPlane> planes;   ///< as in the frame
  std::vector<Drawable*> axes;
  Drawable* highlights = nullptr;

  /// Bits: the planes that cut what is of this kind.
  std::uint32_t planes_of(ItemTraits::Kind kind) const;
  /// Some item has an outline of its own, or none.
  bool own_outlines() const;
  /// What the shader reads of the outlines of each item; `look` says what the usual one is.
  std::vector<glm::vec4> outlines(const Look& look, double pixel_scale) const;

  /// Nothing opaque is without an outline, as lines and points are.
  bool all_have_rims() const {
    return std::all_of(items.begin(), items.end(), [](const Drawable* item) { return item->has_rim(); });
  }
  /// Nothing has a material of its own.
  bool all_standard() const {
    return std::all_of(items.begin(), items.end(),
                       [](const Drawable* item) { return item->item().material == Material::standard; });
  }
};

/// Draws regions of pictures: geometry, shadow, occlusion, transparent layers, composition, once per sub-pixel sample.
class Pipeline {
 public:
  explicit Pipeline(std::shared_ptr<gl::ProgramCache> programs);

  /// Asked between the parts of a picture, after waiting for the driver; null: nobody asks.
  void set_stop(const std::function<bool()>* stop) { pass_.stop = stop; }
  /// Told the share that is drawn after each sub-pixel sample; empty: nobody.
  void set_progress(std::function<void(double)> progress) { progress_ = std::move(progress); }
  void set_thinning(unsigned thin) { pass_.thin = thin; }
  /// By what present() multiplies linear colours.
  void set_vision(const glm::mat3& vision) { vision_ = vision; }
  /// Adds up `side` x `side` sub-pixel samples of `region`; present() shows them. False where it was stopped.
  bool draw(const SceneView& view, const Contents& contents, glm::ivec2 picture, Region region, int side,
            double pixel_scale, bool transparent_background, bool fast);
  /// Writes the part `wanted` of the region last drawn to the lower left of a framebuffer.
  void present(unsigned framebuffer, Region wanted);

  /// What the id buffers of the last draw hold at a pixel of the picture (y up).
  struct Hit {
    std::uint32_t item = 0, primitive = 0;  ///< item 0: nothing
    float depth = 1;                        ///< of the window, 0 to 1
    bool layer = false;                     ///< of the front transparent layer
  };
  /// The hits of a block of pixels, row by row from its lower left; the opaque and the transparent ones.
  std::vector<std::array<Hit, 2>> hits(Region block) const;
  /// The sum of the last draw, linear and multiplied by alpha, of a row of the picture from (x, y) on (y up).
  void linear_row(int x, int y, int width, float* rgba) const;
  const Region& region() const { return region_; }
  const FrameBlock& frame() const { return frame_; }

 private:
  bool end(bool complete);
  void resize(int width, int height);
  void set_frame(const FrameBlock& block);
  void fill(const char* fragment);
  gl::Program& full_screen(const char* fragment, const std::vector<std::string>& defines = {});
  /// Fills what has something opaque, or what has not, of a target with depth_: elsewhere no shader runs.
  void fill_where(bool opaque);
  /// Draws all items in the pass that is set.
  void draw_items(const Contents& contents);
  void draw_item(const Contents& contents, std::size_t index);
  void draw_geometry(const Contents& contents, bool with_ids);
  /// Fills closed surfaces where the front plane (`front`) and the clipping planes cut them.
  void draw_caps(const Contents& contents, bool front);
  void draw_cap(const Contents& contents, std::size_t index, int plane);
  void draw_shadow(const SceneView& view, const Contents& contents);
  /// Of one of so many sub-pixel samples.
  void draw_occlusion(int samples);
  bool draw_layers(const Contents& contents, bool with_ids);
  /// Clouds over what is opaque; false where there are none.
  bool draw_clouds(const Contents& contents);
  void draw_mask(const Contents& contents);
  /// Adds one sample to what is bound, as all passes before have left it; `parts` are defines of compose.frag.
  void compose(const std::vector<std::string>& parts, bool transparent_background);
  /// Adds the composed sample to the sum with what is off the sharp plane blurred.
  void draw_blurred(bool layers);
  void draw_axes(const SceneView& view, const Contents& contents, const Shot& shot);

  std::shared_ptr<gl::ProgramCache> programs_;
  gl::VertexArray nothing_;
  gl::Buffer uniforms_, outlines_;
  Pass pass_;
  DepthPyramid pyramid_;
  std::function<void(double)> progress_;
  FrameBlock frame_{};
  Region region_;
  bool fast_ = false;
  std::vector<std::string> projection_;  ///< what full-screen passes know of it before they are compiled
  glm::mat3 vision_{1.0f};
  glm::ivec2 size_{0}, composed_size_{0}, clouds_size_{0};

  gl::Texture albedo_, normal_, id_, depth_;
  gl::Texture occlusion_, blurred_;
  gl::Texture layer_, layer_id_, front_id_, layers_;
  std::array<gl::Texture, 3> layer_depth_;  // the front one, and two that take turns
  gl::Texture mask_, sum_, shadow_, composed_, clouds_;
  gl::Framebuffer to_geometry_, to_numberless_, to_occlusion_, to_blurred_, to_layers_, to_mask_, to_sum_, to_samples_,
      to_shadow_, to_composed_, to_clouds_;
  std::array<gl::Framebuffer, 3> to_layer_;
};

}  // namespace isolume
