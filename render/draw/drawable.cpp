// One draw item on the device.
#include "render/draw/drawable.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <variant>

namespace isolume {

bool Pass::stopped() const {
  if (!stop) return false;
  glFinish();
  return (*stop)();
}

bool Drawable::enabled(const Pass& pass) const {
  if (cloud() != (pass.kind == Pass::Kind::cloud)) return false;
  switch (pass.kind) {
    case Pass::Kind::geometry:
    case Pass::Kind::shadow:
      return !transparent();
    case Pass::Kind::layer:
      return transparent() && item_->opacity > 0.0f;
    case Pass::Kind::cloud:
      return item_->opacity > 0.0f;
    case Pass::Kind::overlay:
    case Pass::Kind::mask:
      return true;
    case Pass::Kind::crossing:
      return closed();
  }
  return false;
}

void Drawable::set_uniforms(const Pass& pass, std::uint32_t number) {
  gl::Program& shader = program(pass);
  shader.use();
  shader.set("item", number);
  shader.set("opacity", item_->opacity);
  shader.set("lit", lit() ? 1.0f : 0.0f);
  shader.set("material", static_cast<int>(item_->material));
  shader.set("offset", glm::vec3(0));
  shader.set("clipped_by", pass.clipped_by);
  shader.set("behind_plane", pass.behind_plane);
  set_own_uniforms(pass, shader);
}

void Drawable::draw_copies(const Pass& pass) {
  copy_ = 0;
  if (item_->copies.empty()) return draw_primitives();
  gl::Program& shader = program(pass);
  for (; copy_ < item_->copies.size(); ++copy_) {
    shader.set("offset", item_->copies[copy_]);
    draw_primitives();
  }
}

std::string pass_define(Pass::Kind kind) {
  switch (kind) {
    case Pass::Kind::geometry:
      return "PASS_GEOMETRY";
    case Pass::Kind::layer:
      return "PASS_LAYER";
    case Pass::Kind::overlay:
      return "PASS_OVERLAY";
    case Pass::Kind::shadow:
      return "PASS_SHADOW";
    case Pass::Kind::mask:
      return "PASS_MASK";
    case Pass::Kind::cloud:
      return "PASS_CLOUD";
    case Pass::Kind::crossing:
      return "PASS_CROSSING";
  }
  return "PASS_GEOMETRY";
}

std::vector<std::string> defines_of(const Pass& pass) {
  std::vector<std::string> defines{pass_define(pass.kind)};
  if (pass.clipped_by != 0) defines.emplace_back("CLIPPED");
  return defines;
}

std::unique_ptr<Drawable> make_drawable(std::shared_ptr<const DrawItem> item) {
  if (std::holds_alternative<Spheres>(item->shape)) return make_spheres(std::move(item));
  if (std::holds_alternative<Cylinders>(item->shape)) return make_cylinders(std::move(item));
  if (std::holds_alternative<Lines>(item->shape)) return make_lines(std::move(item));
  if (std::holds_alternative<Cloud>(item->shape)) return make_cloud(std::move(item));
  return make_surface(std::move(item));
}

std::vector<glm::u8vec4> complete_colours(const std::vector<glm::u8vec4>& colours, std::size_t count) {
  if (colours.size() >= count) return colours;
  return std::vector<glm::u8vec4>(count, glm::u8vec4(190, 190, 190, 255));
}

bool any_translucent(const std::vector<glm::u8vec4>& colours) {
  return std::any_of(colours.begin(), colours.end(), [](glm::u8vec4 c) { return c.a < 255; });
}

}  // namespace isolume
