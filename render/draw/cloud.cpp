// Clouds: the box of a volume, through which every line of sight is followed.
#include <epoxy/gl.h>

#include <algorithm>
#include <utility>

#include "molecule/base/error.h"
#include "render/draw/drawable.h"
#include "render/gl/buffer.h"

namespace isolume {
namespace {

/// A texture of floats in one or three dimensions.
class FloatTexture {
 public:
  FloatTexture() = default;
  ~FloatTexture() {
    if (name_) glDeleteTextures(1, &name_);
  }
  FloatTexture(const FloatTexture&) = delete;
  FloatTexture& operator=(const FloatTexture&) = delete;

  void upload(const Volume& volume) {
    const glm::ivec3 n = volume.grid.counts;
    int largest = 0;
    glGetIntegerv(GL_MAX_3D_TEXTURE_SIZE, &largest);
    if (n.x > largest || n.y > largest || n.z > largest)
      throw Error("a cloud may have " + std::to_string(largest) + " points along each side; take a wider spacing");
    glCreateTextures(GL_TEXTURE_3D, 1, &name_);
    glTextureStorage3D(name_, 1, GL_R32F, n.x, n.y, n.z);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTextureSubImage3D(name_, 0, 0, 0, 0, n.x, n.y, n.z, GL_RED, GL_FLOAT, volume.values.data());
    clamp(GL_TEXTURE_WRAP_R);
    if (glGetError() == GL_OUT_OF_MEMORY) throw Error("there is no room on the graphics card for this cloud");
  }
  void upload(const std::vector<glm::vec4>& table) {
    glCreateTextures(GL_TEXTURE_1D, 1, &name_);
    glTextureStorage1D(name_, 1, GL_RGBA32F, static_cast<GLsizei>(table.size()));
    glTextureSubImage1D(name_, 0, 0, static_cast<GLsizei>(table.size()), GL_RGBA, GL_FLOAT, table.data());
    clamp(GL_TEXTURE_WRAP_S);
  }
  void bind(unsigned unit) const { glBindTextureUnit(unit, name_); }

 private:
  void clamp(unsigned last) const {
    glTextureParameteri(name_, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(name_, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(name_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTextureParameteri(name_, last, GL_CLAMP_TO_EDGE);
  }
  unsigned name_ = 0;
};

class CloudDrawable final : public Drawable {
 public:
  explicit CloudDrawable(std::shared_ptr<const DrawItem> item)
      : Drawable(std::move(item)), shape_(std::get<Cloud>(item_->shape)) {
    if (!shape_.volume || shape_.volume->grid.size() != shape_.volume->values.size() || shape_.volume->values.empty() ||
        shape_.transfer.empty())
      throw Error("a cloud needs a volume with all its values, and colours for them");
  }

  std::uint32_t part(std::uint32_t, glm::vec3) const override { return 0; }

 protected:
  bool cloud() const override { return true; }
  bool lit() const override { return false; }

  void prepare() override {
    if (uploaded_) return;
    values_.upload(*shape_.volume);
    table_.upload(shape_.transfer);
    uploaded_ = true;
  }

  gl::Program& program(const Pass& pass) override {
    return pass.programs->get("cloud.vert", "cloud.frag", defines_of(pass));
  }

  void set_own_uniforms(const Pass& pass, gl::Program& shader) override {
    const Grid& grid = shape_.volume->grid;
    const glm::dvec3 last(glm::max(grid.counts - 1, glm::ivec3(1)));
    // The unit cube to space, from the first grid point to the last.
    const glm::dmat3 sides(grid.step[0] * last.x, grid.step[1] * last.y, grid.step[2] * last.z);
    glm::dmat4 to_space(sides);
    to_space[3] = glm::dvec4(grid.origin, 1);
    shader.set("to_space", glm::mat4(to_space));
    shader.set("to_cube", glm::mat4(glm::inverse(to_space)));
    shader.set("points", glm::vec3(grid.counts));
    const double finest = std::min({glm::length(grid.step[0]), glm::length(grid.step[1]), glm::length(grid.step[2])});
    shader.set("step_length", static_cast<float>(finest * (pass.fast ? 1.6 : 0.6)));
    shader.set("most_steps", pass.fast ? 160 : 700);
    const float width = shape_.upper - shape_.lower;
    shader.set("value_scale", glm::vec2(shape_.lower, width != 0 ? 1.0f / width : 1.0f));
    shader.set("table_size", static_cast<float>(shape_.transfer.size()));
  }

  void draw_primitives() override {
    values_.bind(1);
    table_.bind(2);
    nothing_.bind();
    // The far side alone, so that there is one fragment for each line of sight also within the box.
    glEnable(GL_CULL_FACE);
    const glm::dmat3 step = shape_.volume->grid.step;
    glCullFace(glm::determinant(step) < 0 ? GL_BACK : GL_FRONT);
    glEnable(GL_DEPTH_CLAMP);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 14);
    glDisable(GL_DEPTH_CLAMP);
    glCullFace(GL_BACK);
    glDisable(GL_CULL_FACE);
  }

 private:
  const Cloud& shape_;
  FloatTexture values_, table_;
  gl::VertexArray nothing_;
  bool uploaded_ = false;
};

}  // namespace

std::unique_ptr<Drawable> make_cloud(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<CloudDrawable>(std::move(item));
}

}  // namespace isolume
