// Spheres: one square each, ray-cast in the fragment shader.
#include <epoxy/gl.h>

#include <cmath>
#include <vector>

#include "render/draw/culled_spheres.h"
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
  std::optional<std::size_t> spheres_drawn() const override {
    return culled_ ? std::optional(culled_->drawn()) : std::nullopt;
  }

 protected:
  void prepare() override {
    if (count_) return;
    count_ = shape_.spheres.size();
    spheres_.upload(shape_.spheres);
    if (shape_.colours.size() >= count_)
      colours_.upload(shape_.colours);
    else
      colours_.upload(complete_colours(shape_.colours, count_));
    attach(array_, spheres_, colours_, 1);
    if (!shape_.chunks.empty() && CulledSpheres::possible()) culled_ = std::make_unique<CulledSpheres>(shape_);
  }

  gl::Program& program(const Pass& pass) override {
    std::vector<std::string> defines = defines_of(pass);
    if (culls(pass))
      defines.emplace_back("LISTED");
    else if (pass.software)
      defines.emplace_back("PULLED");
    return pass.programs->get("spheres.vert", "spheres.frag", defines);
  }

  void draw_primitives() override {
    if (!count_) return;
    const unsigned step = thinning(count_, 1024);
    if (culls(*pass_)) return draw_culled(step);
    if (step > 1 && step != thinned_by_) thin_out(step);
    gl::Program& shader = program(*pass_);
    // As many as fill the same room.
    shader.set("radius_scale", std::cbrt(static_cast<float>(step)));
    if (pass_->software) return draw_pulled(step, shader);
    (step > 1 ? thinned_ : array_).bind();
    draw_parts((count_ + step - 1) / step, step, shader, [](std::size_t first, std::size_t count) {
      glDrawArraysInstancedBaseInstance(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count),
                                        static_cast<GLuint>(first));
    });
  }

 private:
  bool culls(const Pass& pass) const {
    return culled_ && pass.culling && (pass.kind == Pass::Kind::geometry || pass.kind == Pass::Kind::shadow);
  }

  void draw_culled(unsigned step) {
    gl::Program& shader = program(*pass_);
    const float scale = std::cbrt(static_cast<float>(step));
    shader.set("radius_scale", scale);
    culled_->draw(*pass_, {shader, spheres_, colours_, step, scale, copy_,
                           item_->copies.empty() ? glm::vec3(0) : item_->copies[copy_]});
  }

  // The same triangles, without instances: llvmpipe shades the vertices of each of these by themselves, on one thread,
  // which bounds a picture of many small spheres.
  void draw_pulled(unsigned step, gl::Program& shader) {
    const bool few = step > largest_stride;
    shader.set("stride", few ? 1u : step);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, (few ? few_spheres_ : spheres_).name());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, (few ? few_colours_ : colours_).name());
    nothing_.bind();
    draw_parts((count_ + step - 1) / step, step, shader,
               [](std::size_t, std::size_t count) { glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * count)); });
  }

  static constexpr unsigned largest_stride = 64;

  static void attach(gl::VertexArray& array, const gl::Buffer& spheres, const gl::Buffer& colours, unsigned step) {
    const int every = static_cast<int>(step);
    array.floats(0, spheres.name(), 4, 0, every * static_cast<int>(sizeof(glm::vec4)), true);
    array.colours(1, colours.name(), 0, every * static_cast<int>(sizeof(glm::u8vec4)), true);
  }

  // By a stride over all; few of many are copied, beyond the largest stride.
  void thin_out(unsigned step) {
    thinned_by_ = step;
    thinned_ = gl::VertexArray();
    if (step <= largest_stride) return attach(thinned_, spheres_, colours_, step);
    const std::vector<glm::u8vec4> all = complete_colours(shape_.colours, count_);
    std::vector<glm::vec4> spheres;
    std::vector<glm::u8vec4> colours;
    for (std::size_t i = 0; i < count_; i += step) {
      spheres.push_back(shape_.spheres[i]);
      colours.push_back(all[i]);
    }
    few_spheres_.upload(spheres);
    few_colours_.upload(colours);
    attach(thinned_, few_spheres_, few_colours_, 1);
  }

  const Spheres& shape_;
  gl::Buffer spheres_, colours_, few_spheres_, few_colours_;
  gl::VertexArray array_, thinned_, nothing_;
  std::unique_ptr<CulledSpheres> culled_;
  unsigned thinned_by_ = 1;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Drawable> make_spheres(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<SphereDrawable>(std::move(item));
}

}  // namespace isolume
