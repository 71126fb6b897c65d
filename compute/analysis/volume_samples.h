// What the host needs to know of a volume that stays on its device: values at some points, their mean square, and how
// large they are near a surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "molecule/grid.h"

namespace isolume {

/// values[points[i]]; only these are brought to host memory. Throws Error (usage) for a point beyond the volume.
std::vector<float> values_at(Span<const float> values, std::span<const std::size_t> points);

/// The mean of the squares of all values, in double precision; 0 for none.
double mean_square(Span<const float> values, Job& job);

/// Where the inside of a surface is.
enum class SurfaceSide { above, below, magnitude };  ///< v > isovalue, -v > isovalue, |v| > isovalue

/// The magnitude that `part` (0 to 1) of the values do not exceed, of those where edges of the grid cross a surface:
/// |a + b| / 2 with a and b the values at an edge's ends, one of which is inside. To 1/256 of itself; 0 where nothing
/// crosses the surface. The same on every device.
/// @param shape   grid.size() values whose surface it is, on the same device as
/// @param values  grid.size() values
double magnitude_at_surface(const Grid& grid, Span<const float> shape, float isovalue, SurfaceSide side,
                            Span<const float> values, double part, Job& job);

/// Bins of |value| by the first bits of its float; for the bodies.
inline constexpr int magnitude_shift = 16;
inline constexpr std::size_t magnitude_bins = std::size_t{1} << (31 - magnitude_shift);
std::vector<float> values_at_cuda(Span<const float> values, std::span<const std::size_t> points);
/// Sums of squares of parts of the values.
std::vector<double> sums_of_squares_cuda(Span<const float> values);
std::vector<std::uint32_t> magnitudes_at_surface_cuda(const Grid& grid, Span<const float> shape, float isovalue,
                                                      SurfaceSide side, Span<const float> values);

}  // namespace isolume
