// Marching cubes: the surface where a volume has a value.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <memory>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/base/storage.h"
#include "compute/isosurface/surface_colours.h"
#include "molecule/grid.h"
#include "molecule/mesh.h"

namespace isolume {

class Stream;

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

/// A part of a surface, from the cells between layers of the grid's third axis: for volumes that do not fit into memory
/// at once. Parts one after the other make the mesh of the whole bit by bit.
struct SurfaceSlab {
  int first = 0;          ///< the slab has the vertices of layers first ... first + count - 1, and the cells above each
  int count = -1;         ///< -1: all
  int volume_first = 0;   ///< the volume's first layer: first - 1, or less where that is below 0
  int volume_count = -1;  ///< it needs first + count + 1 as its last one, where the grid has that; -1: all
  std::uint32_t first_vertex = 0;  ///< how many vertices the slabs before have
};

/// Extracts in two steps, because the sizes are known only after a pass: count(), then fill() into memory of the
/// caller's. The volume stays where it is (CPU or CUDA) and must stay unchanged between the two. reset() takes the next
/// frame's volume and keeps the memory: in a steady state nothing is allocated.
///
/// Vertices are owned by grid edges, so each is there once (indexed); topology is that of the classic 256 cases with
/// faces cut consistently between neighbouring cells, so there are no cracks; a value equal to the isovalue counts as
/// outside; NaN counts as outside. Normals are the normalised trilinear gradient (central differences, one-sided at the
/// border); colours are interpolated along the edge like positions.
///
/// Values may be floats, halves or 8 bits from 0 to 1; the vertices are those of the surface of the rounded values.
class MarchingCubes {
 public:
  /// @param volume grid.size() values (those of the slab's layers), x fastest
  MarchingCubes(ConstValues volume, const Grid& grid, const MarchingCubesOptions& options,
                const SurfaceSlab& slab = {});
  ~MarchingCubes();
  MarchingCubes(MarchingCubes&&) noexcept;
  MarchingCubes& operator=(MarchingCubes&&) noexcept;

  /// As if newly constructed; keeps memory where volumes are on the same device and of the same element.
  void reset(ConstValues volume, const Grid& grid, const MarchingCubesOptions& options, const SurfaceSlab& slab = {});

  SurfaceCounts count(Job& job);

  /// @param positions, normals  counts.vertices values on the volume's device (tightly packed vec3, angstrom)
  /// @param triangles           counts.triangles index triples
  /// @param by                  colours or a scalar for each of the volume's points on the same device, or nothing
  /// @param colours             counts.vertices RGBA (alpha 255), or empty
  void fill(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const SurfaceColours& by,
            Span<glm::u8vec4> colours, Job& job);

  /// True where both steps can be had at once: a whole volume on a CUDA device.
  bool can_start() const;
  /// Both steps at once, into memory that is there before the need is known: puts counting, and filling as far as the
  /// memory goes, into `stream` and does not wait. Sizes are what there is room for (normals as positions; colours as
  /// positions, or empty); the memory must stay until the stream was waited for. After that finish() says how much is
  /// needed: where it is more than the room, the memory's content is undefined and fill() is to follow.
  void start(Span<glm::vec3> positions, Span<glm::vec3> normals, Span<glm::uvec3> triangles, const SurfaceColours& by,
             Span<glm::u8vec4> colours, Stream& stream, Job& job);
  SurfaceCounts finish();

  /// What the bodies implement.
  class Body;
  /// Takes another way of counting and filling (volumes in slabs).
  explicit MarchingCubes(std::unique_ptr<Body> body);

 private:
  SurfaceCounts take_counts(const SurfaceCounts& counts);

  std::unique_ptr<Body> body_;
  bool cells_ = false;  ///< the grid has any
};

/// Both steps into a mesh in host memory, from a volume on any device.
Mesh marching_cubes(ConstValues volume, const Grid& grid, const MarchingCubesOptions& options,
                    const SurfaceColours& colours, Job& job);
/// The same from what is set up already; `coloured` where colours are wanted.
Mesh marching_cubes(MarchingCubes& surface, Device device, const SurfaceColours& by, bool coloured, Job& job);

/// Bytes of the volume's device taken apart from the volume and the mesh, for `layers` layers at a time (0: all).
std::size_t marching_cubes_memory(const Grid& grid, Device device, int layers = 0);

}  // namespace isolume
