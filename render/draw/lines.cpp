// Lines of any width: one rectangle per segment.
#include <epoxy/gl.h>

#include <algorithm>

#include "render/draw/drawable.h"
#include "render/gl/buffer.h"

namespace isolume {
namespace {

class LineDrawable final : public Drawable {
 public:
  explicit LineDrawable(std::shared_ptr<const DrawItem> item)
      : Drawable(std::move(item)), shape_(std::get<Lines>(item_->shape)) {
    translucent_ = any_translucent(shape_.colours);
  }

  std::uint32_t part(std::uint32_t primitive, glm::vec3) const override {
    return primitive < shape_.parts.size() ? shape_.parts[primitive] : primitive;
  }

 protected:
  void prepare() override {
    if (count_) return;
    count_ = shape_.points.size() / 2;
    points_.upload(shape_.points);
    colours_.upload(complete_colours(shape_.colours, shape_.points.size()));
    attach(array_, 1);
  }

  gl::Program& program(const Pass& pass) override {
    return pass.programs->get("lines.vert", "lines.frag", defines_of(pass));
  }

  bool lit() const override { return false; }

  void set_own_uniforms(const Pass& pass, gl::Program& shader) override {
    shader.set("width", std::max(shape_.width * pass.pixel_scale, 1.0f));
  }

  void draw_primitives() override {
    if (!count_) return;
    const unsigned step = thinning(count_);
    if (step > 1 && step != thinned_by_) attach(thinned_ = gl::VertexArray(), thinned_by_ = step);
    (step > 1 ? thinned_ : array_).bind();
    draw_parts((count_ + step - 1) / step, step, program(*pass_), [](std::size_t first, std::size_t count) {
      glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count),
                                        static_cast<GLuint>(first));
    });
  }

 private:
  void attach(gl::VertexArray& array, unsigned step) {
    const int points = static_cast<int>(2 * step * sizeof(glm::vec3)),
              colours = static_cast<int>(2 * step * sizeof(glm::u8vec4));
    array.floats(0, points_.name(), 3, 0, points, true);
    array.floats(1, points_.name(), 3, sizeof(glm::vec3), points, true);
    array.colours(2, colours_.name(), 0, colours, true);
    array.colours(3, colours_.name(), sizeof(glm::u8vec4), colours, true);
  }

  const Lines& shape_;
  gl::Buffer points_, colours_;
  gl::VertexArray array_, thinned_;
  unsigned thinned_by_ = 1;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Drawable> make_lines(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<LineDrawable>(std::move(item));
}

}  // namespace isolume
