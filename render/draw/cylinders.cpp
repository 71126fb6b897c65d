// Cylinders: one box each, ray-cast in the fragment shader.
#include <epoxy/gl.h>

#include "render/draw/drawable.h"
#include "render/gl/buffer.h"

namespace isolume {
namespace {

class CylinderDrawable final : public Drawable {
 public:
  explicit CylinderDrawable(std::shared_ptr<const DrawItem> item)
      : Drawable(std::move(item)), shape_(std::get<Cylinders>(item_->shape)) {
    translucent_ = any_translucent(shape_.colours_a) || any_translucent(shape_.colours_b);
  }

  std::uint32_t part(std::uint32_t primitive, glm::vec3) const override {
    const auto& parts = primitive % 2 ? shape_.parts_b : shape_.parts_a;
    const std::uint32_t cylinder = primitive / 2;
    return cylinder < parts.size() ? parts[cylinder] : cylinder;
  }

 protected:
  void prepare() override {
    if (count_) return;
    count_ = shape_.cylinders.size();
    std::vector<glm::vec4> ends;
    ends.reserve(2 * count_);
    for (const auto& c : shape_.cylinders) {
      ends.emplace_back(c.a, c.radius);
      ends.emplace_back(c.b, shape_.round_ends ? 1.0f : 0.0f);
    }
    ends_.upload(ends);
    colours_a_.upload(complete_colours(shape_.colours_a, count_));
    colours_b_.upload(complete_colours(shape_.colours_b, count_));
    attach(array_, 1);
  }

  gl::Program& program(const Pass& pass) override {
    return pass.programs->get("cylinders.vert", "cylinders.frag", defines_of(pass));
  }

  void draw_primitives() override {
    if (!count_) return;
    const unsigned step = thinning(count_);
    if (step > 1 && step != thinned_by_) attach(thinned_ = gl::VertexArray(), thinned_by_ = step);
    (step > 1 ? thinned_ : array_).bind();
    // The front of the box alone: each line of sight is followed once. Depth is clamped, not cut, since the box may
    // reach through the front plane where the cylinder does not.
    glEnable(GL_CULL_FACE);
    glEnable(GL_DEPTH_CLAMP);
    draw_parts((count_ + step - 1) / step, step, program(*pass_), [](std::size_t first, std::size_t count) {
      glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 14, static_cast<GLsizei>(count),
                                        static_cast<GLuint>(first));
    });
    glDisable(GL_DEPTH_CLAMP);
    glDisable(GL_CULL_FACE);
  }

 private:
  void attach(gl::VertexArray& array, unsigned step) {
    const int ends = static_cast<int>(2 * step * sizeof(glm::vec4)),
              colours = static_cast<int>(step * sizeof(glm::u8vec4));
    array.floats(0, ends_.name(), 4, 0, ends, true);
    array.floats(1, ends_.name(), 4, sizeof(glm::vec4), ends, true);
    array.colours(2, colours_a_.name(), 0, colours, true);
    array.colours(3, colours_b_.name(), 0, colours, true);
  }

  const Cylinders& shape_;
  gl::Buffer ends_, colours_a_, colours_b_;
  gl::VertexArray array_, thinned_;
  unsigned thinned_by_ = 1;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Drawable> make_cylinders(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<CylinderDrawable>(std::move(item));
}

}  // namespace isolume
