// Spheres: one square each, ray-cast in the fragment shader.
#include <epoxy/gl.h>

#include "render/draw/drawable.h"
#include "render/gl/buffer.h"

namespace isolume {
namespace {

class SphereDrawable final : public Drawable {
 public:
  explicit SphereDrawable(std::shared_ptr<const DrawItem> item)
      : Drawable(std::move(item)), shape_(std::get<Spheres>(item_->shape)) {
    translucent_ = any_translucent(shape_.colours);
  }

  std::uint32_t part(std::uint32_t primitive, glm::vec3) const override {
    return primitive < shape_.parts.size() ? shape_.parts[primitive] : primitive;
  }

 protected:
  void prepare() override {
    if (count_) return;
    count_ = shape_.spheres.size();
    spheres_.upload(shape_.spheres);
    colours_.upload(complete_colours(shape_.colours, count_));
    array_.floats(0, spheres_.name(), 4, 0, sizeof(glm::vec4), true);
    array_.colours(1, colours_.name(), 0, sizeof(glm::u8vec4), true);
  }

  gl::Program& program(const Pass& pass) override {
    return pass.programs->get("spheres.vert", "spheres.frag", {pass_define(pass.kind)});
  }

  void draw_primitives() override {
    if (!count_) return;
    array_.bind();
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count_));
  }

 private:
  const Spheres& shape_;
  gl::Buffer spheres_, colours_;
  gl::VertexArray array_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Drawable> make_spheres(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<SphereDrawable>(std::move(item));
}

}  // namespace isolume
