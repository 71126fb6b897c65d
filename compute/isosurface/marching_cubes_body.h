// What the bodies of marching cubes implement.
#pragma once

#include <memory>

#include "compute/isosurface/marching_cubes.h"
#include "compute/isosurface/marching_cubes_math.h"
#include "compute/isosurface/vertex_colour.h"

namespace isolume {

/// One device's way of counting and filling; the arguments were checked by the dispatcher.
class MarchingCubes::Body {
 public:
  virtual ~Body() = default;
  /// The next volume, of the same device and element.
  virtual void reset(ConstValues volume, const IsoGrid& grid) = 0;
  virtual SurfaceCounts count(Job& job) = 0;
  virtual void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
                    const VertexColour& by, Span<glm::u8vec4> colours, Job& job) = 0;

  virtual bool can_start() const { return false; }
  /// Where can_start(): as MarchingCubes::start() and finish() say.
  virtual void start(Span<glm::vec3>, Span<glm::vec3>, Span<glm::uvec3>, const VertexColour&, Span<glm::u8vec4>,
                     Stream&, Job&) {}
  virtual SurfaceCounts finish() { return {}; }

  Device device;
  Storage element = Storage::float32;
  std::size_t points = 0;  ///< of the volume; 0 where the body has its own colours
  /// The volume's points before the slab's first layer.
  std::size_t points_before = 0;
  bool in_slabs = false;
  SurfaceCounts counts;
  bool counted = false;
};

std::unique_ptr<MarchingCubes::Body> marching_cubes_cpu(Storage element);
std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Storage element, Device device);

}  // namespace isolume
