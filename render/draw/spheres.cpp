// Spheres: one square each, ray-cast in the fragment shader.
#include <epoxy/gl.h>

#include <cmath>

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
    attach(array_, 1);
  }

  gl::Program& program(const Pass& pass) override {
    return pass.programs->get("spheres.vert", "spheres.frag", {pass_define(pass.kind)});
  }

  void draw_primitives() override {
    if (!count_) return;
    const unsigned step = thinning(count_);
    if (step > 1 && step != thinned_by_) attach(thinned_ = gl::VertexArray(), thinned_by_ = step);
    gl::Program& shader = program(*pass_);
    // As many as fill the same room.
    shader.set("radius_scale", std::cbrt(static_cast<float>(step)));
    (step > 1 ? thinned_ : array_).bind();
    draw_parts((count_ + step - 1) / step, step, shader, [](std::size_t first, std::size_t count) {
      glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count),
                                        static_cast<GLuint>(first));
    });
  }

 private:
  void attach(gl::VertexArray& array, unsigned step) {
    const int every = static_cast<int>(step);
    array.floats(0, spheres_.name(), 4, 0, every * static_cast<int>(sizeof(glm::vec4)), true);
    array.colours(1, colours_.name(), 0, every * static_cast<int>(sizeof(glm::u8vec4)), true);
  }

  const Spheres& shape_;
  gl::Buffer spheres_, colours_;
  gl::VertexArray array_, thinned_;
  unsigned thinned_by_ = 1;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Drawable> make_spheres(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<SphereDrawable>(std::move(item));
}

}  // namespace isolume
