// Points drawn from a surface of a volume that stays on its device, with the values that colour it there.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

#include "compute/analysis/volume_samples.h"

namespace isolume {

/// Points of a surface: vertices as marching cubes makes them, where an edge of the grid crosses the surface.
struct SurfaceSamples {
  std::vector<glm::dvec3> places;  ///< angstrom; at a distance along the outward normal of the vertices
  std::vector<double> values;      ///< linear between the ends of the edge, as the surface's colours are
};

/// About `points` vertices at random (fewer where the surface has few), the same for the same seed. Only the samples
/// are brought to host memory.
/// @param shape   grid.size() values whose surface it is, on the same device as
/// @param values  grid.size() values
/// @param offset  angstrom along the outward normal from the vertices to `places`
SurfaceSamples surface_samples(const Grid& grid, Span<const float> shape, float isovalue, SurfaceSide side,
                               Span<const float> values, double offset, std::size_t points, std::uint32_t seed = 1);

}  // namespace isolume
