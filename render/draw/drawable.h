// One draw item on the device: every kind of it reads the same four steps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/gl/program.h"
#include "render/scene_view.h"

namespace isolume {

/// What is being drawn just now.
struct Pass {
  enum class Kind {
    geometry,  ///< opaque items: albedo, normal, number
    layer,     ///< transparent items: what lies next behind the layer before
    overlay,   ///< shaded at once, over the picture
    shadow,    ///< opaque items: depth, seen from the light
    mask,      ///< that something is there
  };
  Kind kind = Kind::geometry;
  gl::ProgramCache* programs = nullptr;
  float pixel_scale = 1;
};

/// The device's copy of a DrawItem.
class Drawable {
 public:
  explicit Drawable(std::shared_ptr<const DrawItem> item) : item_(std::move(item)) {}
  virtual ~Drawable() = default;
  Drawable(const Drawable&) = delete;
  Drawable& operator=(const Drawable&) = delete;

  /// `number` is written beside the primitive's, for picking.
  void draw(const Pass& pass, std::uint32_t number) {
    if (!enabled(pass)) return;
    prepare();
    set_uniforms(pass, number);
    draw_primitives();
  }

  const DrawItem& item() const { return *item_; }
  bool transparent() const { return item_->opacity < 1.0f || translucent_; }
  /// The part that a primitive of the id buffer stands for; `hit` is the point that was hit (angstrom).
  virtual std::uint32_t part(std::uint32_t primitive, glm::vec3 hit) const = 0;

 protected:
  bool enabled(const Pass& pass) const;
  virtual void prepare() = 0;
  virtual gl::Program& program(const Pass& pass) = 0;
  virtual void draw_primitives() = 0;
  virtual bool lit() const { return item_->lit; }
  void set_uniforms(const Pass& pass, std::uint32_t number);
  virtual void set_own_uniforms(const Pass&, gl::Program&) {}

  std::shared_ptr<const DrawItem> item_;
  bool translucent_ = false;  ///< some colour is
};

/// "PASS_LAYER" and so on, for the shaders.
std::string pass_define(Pass::Kind kind);

std::unique_ptr<Drawable> make_drawable(std::shared_ptr<const DrawItem> item);

// One per shape; make_drawable chooses.
std::unique_ptr<Drawable> make_spheres(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_cylinders(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_lines(std::shared_ptr<const DrawItem> item);
std::unique_ptr<Drawable> make_surface(std::shared_ptr<const DrawItem> item);

/// `colours` where there are `count` of them, else as many of one grey.
std::vector<glm::u8vec4> complete_colours(const std::vector<glm::u8vec4>& colours, std::size_t count);
bool any_translucent(const std::vector<glm::u8vec4>& colours);

}  // namespace isolume
