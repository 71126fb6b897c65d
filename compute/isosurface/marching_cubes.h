// Marching cubes: the surface where a volume has a value.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>

#include "compute/job.h"
#include "compute/span.h"
#include "molecule/grid.h"
#include "molecule/mesh.h"

namespace isolume {

/// Numbers of vertices and triangles of a surface.
struct SurfaceCounts {
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};

/// Options of the extraction.
struct MarchingCubesOptions {
  float isovalue = 0.5f;
  /// True: the inside is where values are greater than the isovalue (densities, positive lobes). False: where they are
  /// smaller (negative lobes). Normals point out of the inside and triangles wind counter-clockwise seen from outside.
  bool inside_above = true;
};

/// Extracts in two steps, because the sizes are known only after a pass: count(), then fill() into memory of the
/// caller's. The volume stays where it is (CPU or CUDA) and must stay unchanged between the two.
///
/// Vertices are owned by grid edges, so each is there once (indexed); topology is that of the classic 256 cases with
/// faces cut consistently between neighbouring cells, so there are no cracks; a value equal to the isovalue counts as
/// outside; NaN counts as outside. Normals are the normalised trilinear gradient (central differences, one-sided at the
/// border); colours are interpolated along the edge like positions.
class MarchingCubes {
 public:
  /// @param volume grid.size() values, x fastest
  MarchingCubes(Span<const float> volume, const Grid& grid, const MarchingCubesOptions& options);
  ~MarchingCubes();
  MarchingCubes(MarchingCubes&&) noexcept;

  SurfaceCounts count(Job& job);

  /// @param positions, normals  counts.vertices values on the volume's device (tightly packed vec3, angstrom)
  /// @param triangles           counts.triangles index triples
  /// @param colour_volume       grid.size() RGB values 0..1 on the same device, or empty
  /// @param colours             counts.vertices RGBA (alpha 255), or empty
  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles,
            Span<const glm::vec3> colour_volume, Span<glm::u8vec4> colours, Job& job);

  /// What the bodies implement.
  class Body;

 private:
  std::unique_ptr<Body> body_;
};

/// Both steps into a mesh in host memory, from a volume on any device.
Mesh marching_cubes(Span<const float> volume, const Grid& grid, const MarchingCubesOptions& options,
                    Span<const glm::vec3> colour_volume, Job& job);

}  // namespace isolume
