// What the bodies of marching cubes implement.
#pragma once

#include "compute/isosurface/marching_cubes.h"

namespace isolume {

/// One device's way of counting and filling; the arguments were checked by the dispatcher.
class MarchingCubes::Body {
 public:
  virtual ~Body() = default;
  virtual SurfaceCounts count(Job& job) = 0;
  virtual void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
                    Span<const glm::vec3> colour_volume, Span<glm::u8vec4> colours, Job& job) = 0;

  Device device;
  std::size_t points = 0;  ///< of the volume
  SurfaceCounts counts;
  bool counted = false;
};

}  // namespace isolume
