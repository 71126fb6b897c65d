// A scene and a view as the bodies of path tracing have them: arrays on their device.
#pragma once

#include <cstdint>

#include "compute/trace/trace_math.h"
#include "compute/trace/trace_scene.h"

namespace isolume::tracing {

/// Of what `TraceData::kinds` says for each material.
inline constexpr std::uint8_t plain_kind = 1;  ///< opaque, lit and cut by no plane: whatever meets it is stopped

/// Points of a cloud's grid along each side of a block of it.
inline constexpr int cloud_block = 8;

/// A cloud at one place.
struct CloudData {
  const float* values = nullptr;         ///< x fastest
  const glm::vec4* transfer = nullptr;   ///< as in TraceCloud
  const std::uint8_t* blocks = nullptr;  ///< of each block, x fastest: 0 where all of it is clear
  glm::vec4 to_grid[3] = {};             ///< grid coordinates are dot(xyz, place) + w
  glm::vec3 low{0.0f}, high{0.0f};       ///< a box around it
  int counts[3] = {1, 1, 1}, blocks_along[3] = {1, 1, 1};
  float step = 1;                ///< angstrom between two places of a camera's ray where it is looked at
  float lower = 0, entries = 1;  ///< the first entry's value, and entries per unit of value
  int last = 0;                  ///< entry
  float opacity = 1;
  unsigned planes = 0;
};

/// Arrays of a TraceScene. Shapes have numbers: spheres first, then cylinders, then triangles.
struct TraceData {
  const glm::vec4* spheres = nullptr;
  const glm::u8vec4* sphere_colours = nullptr;
  const std::uint32_t* sphere_materials = nullptr;
  const TraceCylinder* cylinders = nullptr;
  const glm::vec3* vertices = nullptr;
  const glm::vec3* normals = nullptr;
  const glm::u8vec4* vertex_colours = nullptr;
  const TraceTriangle* triangles = nullptr;
  const TraceMaterial* materials = nullptr;
  const std::uint8_t* kinds = nullptr;  ///< of each material
  const float* linear = nullptr;        ///< of each of the 256 values of sRGB
  const CloudData* clouds = nullptr;    ///< one for each place of each cloud
  std::uint32_t sphere_count = 0, cylinder_count = 0, triangle_count = 0, cloud_count = 0;

  ISOLUME_HOST_DEVICE std::uint32_t shapes() const { return sphere_count + cylinder_count + triangle_count; }
  ISOLUME_HOST_DEVICE std::uint32_t material_of(std::uint32_t shape) const {
    if (shape < sphere_count) return sphere_materials[shape];
    shape -= sphere_count;
    return shape < cylinder_count ? cylinders[shape].material : triangles[shape - cylinder_count].material;
  }
};

/// A ray with a unit direction.
template <class T>
struct Ray {
  Vec<T> origin, direction;
  T begin, end;
};

/// Where a ray meets a shape.
template <class T>
struct Hit {
  static constexpr std::uint32_t none = 0xffffffffu;
  T distance;
  std::uint32_t shape = none;
  T u = 0, v = 0;  ///< of triangles: the weights of the second and third corner; of cylinders: u, the part of the axis
  int plane = -1;  ///< it meets the cut that this plane makes
};

/// What a ray passes through: each shape decides by a number of its own, but for rays of the camera
/// (first_that_stops()).
struct Question {
  Random random;
  std::uint32_t dimension = 0;
  bool camera = false;  ///< it comes from the camera: what is not lit is seen too
  bool all = false;     ///< transparent surfaces stop it too
};

}  // namespace isolume::tracing
