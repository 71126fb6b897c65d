// Which points of a map count: near atoms, and windows around parts of a model, with the sums within them.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/density_maps/density_map.h"
#include "molecule/grid.h"

namespace isolume {

/// 1 for the points within `distance` (angstrom, the border included) of a position, else 0; x fastest. Throws Error
/// (usage) for grids that are not along x, y and z.
std::vector<std::uint8_t> points_near(const Grid& grid, std::span<const glm::dvec3> positions, double distance,
                                      Job& job);

/// Sums over the points whose mask is not 0, in double precision. Host memory.
MapSums masked_sums(std::span<const float> a, std::span<const float> b, std::span<const std::uint8_t> mask, Job& job);

/// Sums of every group of positions (given by number) over the points within `distance` of any of them: the local
/// correlation of a residue or an atom. Host memory; all threads.
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

}  // namespace isolume
