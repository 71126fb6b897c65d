// A triangle mesh whose arrays are OpenGL buffers, so that a computation can fill them on the device.
#include "render/draw/surface_buffers.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>
#include <glm/glm.hpp>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// Gives `name` room for `count` elements where `capacity` is less; true where it was replaced.
bool grow(unsigned& name, std::size_t& capacity, std::size_t count, std::size_t element) {
  if (name && count <= capacity) return false;
  // An eighth more than asked, and room for any small surface, so that one that changes from frame to frame seldom
  // moves.
  const std::size_t wanted = std::max<std::size_t>(count + count / 8, 16384);
  unsigned fresh = 0;
  glCreateBuffers(1, &fresh);
  while (glGetError() != GL_NO_ERROR) {
  }
  glNamedBufferData(fresh, static_cast<GLsizeiptr>(wanted * element), nullptr, GL_DYNAMIC_DRAW);
  if (glGetError() != GL_NO_ERROR) {
    glDeleteBuffers(1, &fresh);
    throw Error(fmt::format("the graphics device has no room for a surface of {} MB", wanted * element / 1000000));
  }
  if (name) glDeleteBuffers(1, &name);
  name = fresh;
  capacity = wanted;
  return true;
}

}  // namespace

SurfaceBuffers::SurfaceBuffers() = default;

SurfaceBuffers::~SurfaceBuffers() {
  for (const unsigned name : {positions_, normals_, colours_, indices_})
    if (name) glDeleteBuffers(1, &name);
}

void SurfaceBuffers::abandon() {
  positions_ = normals_ = colours_ = indices_ = 0;
}

bool SurfaceBuffers::fits(std::size_t vertices, std::size_t triangles, bool coloured) const {
  return positions_ && normals_ && indices_ && vertices <= vertex_capacity_ && triangles <= triangle_capacity_ &&
         (!coloured || (colours_ && vertices <= colour_capacity_));
}

void SurfaceBuffers::resize(std::size_t vertices, std::size_t triangles, bool coloured) {
  bool replaced = false;
  std::size_t normal_capacity = vertex_capacity_;
  replaced |= grow(normals_, normal_capacity, vertices, sizeof(glm::vec3));
  replaced |= grow(positions_, vertex_capacity_, vertices, sizeof(glm::vec3));
  replaced |= grow(indices_, triangle_capacity_, triangles, sizeof(glm::uvec3));
  if (coloured) replaced |= grow(colours_, colour_capacity_, vertices, sizeof(glm::u8vec4));
  vertices_ = vertices;
  triangles_ = triangles;
  coloured_ = coloured;
  if (replaced) ++generation_;
}

}  // namespace isolume
