// A surface in OpenGL buffers as a mesh in host memory.
#include "render/draw/surface_read.h"

#include <epoxy/gl.h>

#include "molecule/base/error.h"

namespace isolume {
namespace {

template <class T>
void read(unsigned buffer, std::size_t count, std::vector<T>& values) {
  values.resize(count);
  if (count > 0) glGetNamedBufferSubData(buffer, 0, static_cast<GLsizeiptr>(count * sizeof(T)), values.data());
}

}  // namespace

Mesh read_mesh(const SurfaceBuffers& buffers) {
  while (glGetError() != GL_NO_ERROR) {
  }
  Mesh mesh;
  read(buffers.positions(), buffers.vertex_count(), mesh.positions);
  read(buffers.normals(), buffers.vertex_count(), mesh.normals);
  if (buffers.coloured()) read(buffers.colours(), buffers.vertex_count(), mesh.colours);
  read(buffers.indices(), buffers.triangle_count(), mesh.triangles);
  if (glGetError() != GL_NO_ERROR) throw Error("the graphics driver did not give back a surface");
  return mesh;
}

}  // namespace isolume
