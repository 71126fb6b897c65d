// A triangle mesh whose arrays are OpenGL buffers, so that a computation can fill them on the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isolume {

/// Four OpenGL buffers: positions and normals (tightly packed vec3 floats), colours (RGBA bytes), triangles (uint32
/// triples). Made, resized and destroyed with a context of the renderer's share group current; grows, never shrinks.
class SurfaceBuffers {
 public:
  SurfaceBuffers();
  ~SurfaceBuffers();
  SurfaceBuffers(const SurfaceBuffers&) = delete;
  SurfaceBuffers& operator=(const SurfaceBuffers&) = delete;

  /// Leaves the OpenGL buffers to the end of their context, so that this object may go where none is current.
  void abandon();
  /// True where resize() to this would replace no buffer.
  bool fits(std::size_t vertices, std::size_t triangles, bool coloured) const;
  /// Makes room; the content is undefined afterwards where anything grew.
  void resize(std::size_t vertices, std::size_t triangles, bool coloured);

  std::size_t vertex_count() const { return vertices_; }
  std::size_t triangle_count() const { return triangles_; }
  bool coloured() const { return coloured_; }
  unsigned positions() const { return positions_; }  ///< OpenGL names
  unsigned normals() const { return normals_; }
  unsigned colours() const { return colours_; }
  unsigned indices() const { return indices_; }
  /// Counts up with every resize that replaced a buffer (registrations with CUDA are then to be renewed).
  std::uint64_t generation() const { return generation_; }

 private:
  unsigned positions_ = 0, normals_ = 0, colours_ = 0, indices_ = 0;
  std::size_t vertices_ = 0, triangles_ = 0;
  std::size_t vertex_capacity_ = 0, triangle_capacity_ = 0, colour_capacity_ = 0;
  bool coloured_ = false;
  std::uint64_t generation_ = 0;
};

}  // namespace isolume
