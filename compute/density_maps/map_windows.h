// Which points of a map count: near atoms, and windows around parts of a model, with the sums within them.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/density_maps/density_map.h"
#include "molecule/grid.h"

namespace isolume {

/// Two maps on the points of one grid, x fastest, in memory of one device.
struct MapPair {
  Span<const float> a, b;
};

/// Sets mask[p], of grid.size() values, to 1 for the points within `distance` (angstrom, the border included) of a
/// position, else to 0; x fastest, on the mask's device, the same on every device. Throws Error (usage) for grids that
/// are not along x, y and z.
void points_near(const Grid& grid, std::span<const glm::dvec3> positions, double distance, Span<std::uint8_t> mask,
                 Job& job);
/// The same in host memory, on the CPU.
std::vector<std::uint8_t> points_near(const Grid& grid, std::span<const glm::dvec3> positions, double distance,
                                      Job& job);

/// Sums over the points whose mask is not 0, in double precision and a fixed order, on the device of the three.
MapSums masked_sums(const MapPair& maps, Span<const std::uint8_t> mask, Job& job);
/// The same in host memory, on the CPU.
MapSums masked_sums(std::span<const float> a, std::span<const float> b, std::span<const std::uint8_t> mask, Job& job);

/// Sums of every group of positions (given by number) over the points within `distance` of any of them, each point
/// once: the local correlation of a residue or an atom. On the device of the maps, whose counts are the same on every
/// device; sums to 1e-12. Throws Error (usage) as points_near(), and for numbers beyond the positions.
std::vector<MapSums> window_sums(const Grid& grid, const MapPair& maps, std::span<const glm::dvec3> positions,
                                 std::span<const std::vector<std::uint32_t>> groups, double distance, Job& job);
/// The same in host memory, on the CPU.
std::vector<MapSums> window_sums(const Grid& grid, std::span<const float> a, std::span<const float> b,
                                 std::span<const glm::dvec3> positions,
                                 std::span<const std::vector<std::uint32_t>> groups, double distance, Job& job);

/// How a grid and positions meet.
struct MapMeeting {
  std::size_t inside = 0;             ///< positions within the box of the grid's points
  glm::dvec3 lower{0.0}, upper{0.0};  ///< of the positions
  glm::dvec3 grid_lower{0.0}, grid_upper{0.0};
};
MapMeeting meeting_of(const Grid& grid, std::span<const glm::vec3> positions);

/// How they meet. Throws Error (usage) where none of the positions is in the box of the map, which `name` names and
/// `remedy` helps with.
MapMeeting check_meeting(const Grid& grid, std::span<const glm::vec3> positions, const std::string& name,
                         const std::string& remedy);

/// Throws Error (usage) where a resolution (angstrom), called `what`, is finer than two steps of the axis-aligned grid
/// that `name` names (Nyquist's limit).
void check_resolution(double resolution, const Grid& grid, const std::string& what, const std::string& name);

}  // namespace isolume
