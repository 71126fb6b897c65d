// One draw item on the device: every kind of it reads the same four steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/gl/program.h"
#include "render/view/scene_view.h"

namespace isolume {

class DepthPyramid;
namespace gl {
class Texture;
}

/// What spheres need to know of the picture to leave out those that are hidden.
struct Culling {
  const gl::Texture* depth = nullptr;  ///< of what is drawn, attached to what is drawn into
  glm::ivec2 size{0};                  ///< pixels of the region
  DepthPyramid* pyramid = nullptr;     ///< room for it
};

/// The item being drawn.
struct Pass {
  enum class Kind {
    geometry,  ///< opaque items: albedo, normal, number
    layer,     ///< transparent items: what is next behind the layer before
    overlay,   ///< shaded at once, over the picture
    shadow,    ///< opaque items: depth, seen from the light
    mask,      ///< that something is there
    cloud,     ///< clouds, in front of what is opaque
    crossing,  ///< 1 for each time that a line of sight goes through a closed surface
  };
  Kind kind = Kind::geometry;
  gl::ProgramCache* programs = nullptr;
  float pixel_scale = 1;
  bool fast = false;
  bool software = false;         ///< the processor draws
  std::uint32_t clipped_by = 0;  ///< bits: which of the frame's clipping planes cut the item
  int behind_plane = -1;         ///< of a crossing: only what is behind this plane counts
  unsigned thin = 1;  ///< of a movement: every so many-th sphere, cylinder and line is drawn, spheres the larger
  const std::function<bool()>* stop = nullptr;  ///< of the picture; null where nobody asks
  const Culling* culling = nullptr;             ///< null: all spheres are drawn

  /// Waits for the driver and asks; false where nobody asks.
  bool stopped() const;
};

/// The device's copy of a DrawItem.
class Drawable {
 public:
  explicit Drawable(std::shared_ptr<const DrawItem> item) : item_(std::move(item)) {}
  virtual ~Drawable() = default;
  Drawable(const Drawable&) = delete;
  Drawable& operator=(const Drawable&) = delete;

  /// `number` is written next to the primitive's, for picking.
  void draw(const Pass& pass, std::uint32_t number) {
    if (!enabled(pass)) return;
    prepare();
    pass_ = &pass;
    set_uniforms(pass, number);
    draw_copies(pass);
    pass_ = nullptr;
  }

  const DrawItem& item() const { return *item_; }
  bool is_cloud() const { return cloud(); }
  /// Outlines may border on all that it draws as opaque: on lines and points they do not.
  bool has_rim() const { return cloud() || lit(); }
  /// It has an inside that is filled where a plane cuts it, with this colour.
  virtual bool closed() const { return false; }
  virtual glm::vec4 cap_colour() const { return glm::vec4(0); }
  bool transparent() const {
    if (cloud()) return false;
    return item_->opacity < 1.0f || translucent_ || item_->material == Material::glass;
  }
  /// The part that a primitive of the id buffer stands for; `hit` is the point that was hit (angstrom).
  virtual std::uint32_t part(std::uint32_t primitive, glm::vec3 hit) const = 0;
  /// Spheres that it drew last, where it leaves out hidden ones; waits for the device.
  virtual std::optional<std::size_t> spheres_drawn() const { return std::nullopt; }

 protected:
  bool enabled(const Pass& pass) const;
  virtual void prepare() = 0;
  virtual gl::Program& program(const Pass& pass) = 0;
  virtual void draw_primitives() = 0;
  /// Every so many-th of `total` primitives is drawn now; few are never thinned. At most `most`-th: OpenGL promises
  /// strides of 2048 bytes.
  unsigned thinning(std::size_t total, unsigned most = 64) const {
    return pass_ && total > 4 * part_size / 3 ? std::min(pass_->thin, most) : 1;
  }
  /// Calls draw_part(first, count) for all `total` primitives, every `step`-th of what there is: at once, or in parts
  /// between which the picture may be stopped.
  template <class Draw>
  void draw_parts(std::size_t total, unsigned step, gl::Program& shader, Draw&& draw_part) {
    const std::size_t part = pass_ && pass_->stop ? part_size : total;
    shader.set("primitive_step", step);
    for (std::size_t first = 0; first < total; first += part) {
      if (first > 0 && pass_->stopped()) return;
      shader.set("first_primitive", static_cast<unsigned>(first));
      draw_part(first, std::min(part, total - first));
    }
  }
  virtual bool cloud() const { return false; }
  virtual bool lit() const { return item_->lit; }
  void set_uniforms(const Pass& pass, std::uint32_t number);
  void draw_copies(const Pass& pass);
  virtual void set_own_uniforms(const Pass&, gl::Program&) {}

  std::shared_ptr<const DrawItem> item_;
  bool translucent_ = false;    ///< some colour is
  const Pass* pass_ = nullptr;  ///< the one that is being drawn
  std::size_t copy_ = 0;        ///< and which of the item's copies

 private:
  static constexpr std::size_t part_size = 30'000;
};

/// "PASS_LAYER" and so on, for the shaders.
std::string pass_define(Pass::Kind kind);
/// Those of a pass, and CLIPPED where planes cut the item.
std::vector<std::string> defines_of(const Pass& pass);

std::unique_ptr<Drawable> make_drawable(std::shared_ptr<const DrawItem> item);

// One per shape; make_drawable chooses.
std::unique_ptr<Drawable> make_spheres(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_cylinders(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_lines(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_surface(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_cloud(std::shared_ptr<const DrawItem> item);

/// `colours` where there are `count` of them, else as many of one grey.
std::vector<glm::u8vec4> complete_colours(const std::vector<glm::u8vec4>& colours, std::size_t count);
bool any_translucent(const std::vector<glm::u8vec4>& colours);

}  // namespace isolume
