// Triangle surfaces, from a mesh in host memory or from buffers that a computation has filled.
#include <epoxy/gl.h>

#include <array>
#include <limits>

#include "molecule/base/error.h"
#include "render/draw/drawable.h"
#include "render/draw/surface_buffers.h"
#include "render/gl/buffer.h"

namespace isolume {
namespace {

class SurfaceDrawable final : public Drawable {
 public:
  explicit SurfaceDrawable(std::shared_ptr<const DrawItem> item)
      : Drawable(std::move(item)), shape_(std::get<Surface>(item_->shape)) {
    translucent_ = shape_.mesh ? any_translucent(shape_.mesh->colours) : false;
    if (!coloured()) translucent_ = shape_.colour.a < 255;
  }

  bool closed() const override { return shape_.closed && shape_.style == Surface::Style::solid && !transparent(); }
  glm::vec4 cap_colour() const override { return glm::vec4(shape_.colour) / 255.0f; }

  std::uint32_t part(std::uint32_t primitive, glm::vec3 hit) const override {
    const std::uint32_t vertex = nearest_vertex(primitive, hit);
    return vertex < shape_.parts.size() ? shape_.parts[vertex] : vertex;
  }

 protected:
  void prepare() override {
    if (shape_.mesh) {
      if (!uploaded_) upload(*shape_.mesh);
    } else if (shape_.buffers && (!uploaded_ || generation_ != shape_.buffers->generation())) {
      const SurfaceBuffers& b = *shape_.buffers;
      attach(b.positions(), b.normals(), b.coloured() ? b.colours() : 0, b.indices());
      generation_ = b.generation();
    }
    uploaded_ = true;
    if (shape_.buffers && !shape_.mesh) {
      vertex_count_ = shape_.buffers->vertex_count();
      triangle_count_ = shape_.buffers->triangle_count();
    }
  }

  gl::Program& program(const Pass& pass) override {
    std::vector<std::string> defines = defines_of(pass);
    if (shape_.style == Surface::Style::wireframe) defines.emplace_back("WIREFRAME");
    if (shape_.style == Surface::Style::points) defines.emplace_back("POINTS");
    return pass.programs->get("surface.vert", "surface.frag", defines);
  }

  bool lit() const override { return item_->lit && shape_.style != Surface::Style::points; }

  void set_own_uniforms(const Pass& pass, gl::Program& shader) override {
    const glm::vec4 colour = glm::vec4(shape_.colour) / 255.0f;
    shader.set("plain_colour", colour);
    shader.set("point_size", std::max(3.0f * pass.pixel_scale, 1.0f));
    shader.set("line_width", 1.2f * pass.pixel_scale);
    shader.set("has_normals", normals_ ? 1 : 0);
    shader.set("has_colours", colours_ ? 1 : 0);
    glVertexAttrib3f(1, 0, 0, 0);
    glVertexAttrib4f(2, colour.r, colour.g, colour.b, colour.a);
  }

  void draw_primitives() override {
    const auto indices = static_cast<GLsizei>(3 * triangle_count_);
    array_.bind();
    switch (shape_.style) {
      case Surface::Style::solid:
        if (indices) glDrawElements(GL_TRIANGLES, indices, GL_UNSIGNED_INT, nullptr);
        break;
      case Surface::Style::wireframe:
        if (!indices) break;
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, positions_);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, normals_ ? normals_ : positions_);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, colours_ ? colours_ : positions_);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, triangles_);
        glDrawArrays(GL_TRIANGLES, 0, indices);
        break;
      case Surface::Style::points:
        glEnable(GL_PROGRAM_POINT_SIZE);
        if (vertex_count_) glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(vertex_count_));
        glDisable(GL_PROGRAM_POINT_SIZE);
        break;
    }
  }

 private:
  bool coloured() const {
    return shape_.mesh ? !shape_.mesh->colours.empty() : shape_.buffers && shape_.buffers->coloured();
  }

  void upload(const Mesh& mesh) {
    const std::size_t n = mesh.positions.size();
    if ((!mesh.normals.empty() && mesh.normals.size() != n) || (!mesh.colours.empty() && mesh.colours.size() != n))
      throw Error("a surface has " + std::to_string(n) + " positions, " + std::to_string(mesh.normals.size()) +
                  " normals and " + std::to_string(mesh.colours.size()) + " colours");
    for (const glm::uvec3& t : mesh.triangles)
      if (t.x >= n || t.y >= n || t.z >= n) throw Error("a surface's triangle names a vertex that is not there");
    own_[0].upload(mesh.positions);
    if (!mesh.normals.empty()) own_[1].upload(mesh.normals);
    if (!mesh.colours.empty()) own_[2].upload(mesh.colours);
    own_[3].upload(mesh.triangles);
    vertex_count_ = n;
    triangle_count_ = mesh.triangles.size();
    attach(own_[0].name(), own_[1].name(), own_[2].name(), own_[3].name());
  }

  void attach(unsigned positions, unsigned normals, unsigned colours, unsigned triangles) {
    array_ = gl::VertexArray();
    positions_ = positions, normals_ = normals, colours_ = colours, triangles_ = triangles;
    if (positions) array_.floats(0, positions, 3, 0, sizeof(glm::vec3));
    if (normals) array_.floats(1, normals, 3, 0, sizeof(glm::vec3));
    if (colours) array_.colours(2, colours, 0, sizeof(glm::u8vec4));
    if (triangles) array_.indices(triangles);
  }

  std::uint32_t nearest_vertex(std::uint32_t primitive, glm::vec3 hit) const {
    if (shape_.style == Surface::Style::points) return primitive;
    if (primitive >= triangle_count_) return 0;
    glm::uvec3 triangle(0);
    glm::vec3 corners[3] = {};
    if (shape_.mesh) {
      triangle = shape_.mesh->triangles[primitive];
      for (int i = 0; i < 3; ++i) corners[i] = shape_.mesh->positions[triangle[i]];
    } else {
      glGetNamedBufferSubData(triangles_, static_cast<GLintptr>(primitive * sizeof triangle), sizeof triangle,
                              &triangle);
      for (int i = 0; i < 3; ++i)
        if (triangle[i] < vertex_count_)
          glGetNamedBufferSubData(positions_, static_cast<GLintptr>(triangle[i] * sizeof(glm::vec3)), sizeof(glm::vec3),
                                  &corners[i]);
    }
    int best = 0;
    float least = std::numeric_limits<float>::max();
    for (int i = 0; i < 3; ++i) {
      const glm::vec3 d = corners[i] - hit;
      if (glm::dot(d, d) < least) least = glm::dot(d, d), best = i;
    }
    return triangle[best];
  }

  const Surface& shape_;
  std::array<gl::Buffer, 4> own_;
  gl::VertexArray array_;
  unsigned positions_ = 0, normals_ = 0, colours_ = 0, triangles_ = 0;
  std::size_t vertex_count_ = 0, triangle_count_ = 0;
  std::uint64_t generation_ = 0;
  bool uploaded_ = false;
};

}  // namespace

std::unique_ptr<Drawable> make_surface(std::shared_ptr<const DrawItem> item) {
  return std::make_unique<SurfaceDrawable>(std::move(item));
}

}  // namespace isolume
