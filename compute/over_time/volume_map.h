// Volume maps of one frame: how much of a selection is where.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// What a map has at a point r, of atoms i with weights w_i and radii s_i at distances d_i.
enum class VolumeSpread : std::uint8_t {
  gaussian,  ///< sum of w (2 pi s^2)^(-3/2) exp(-d^2 / (2 s^2)) to d = 5.55 s: beyond is 9.4e-7 of an atom's share
  voxel,     ///< the weights of the atoms in the voxel [r - step/2, r + step/2), over its volume
  inside,    ///< 1 where an atom has d <= s, else 0
  distance,  ///< the smallest d, or the reach where that is larger
};

struct WeightedAtom {
  glm::dvec3 position{0.0};  ///< angstrom
  double radius = 0;         ///< angstrom
  double weight = 1;
};

/// The map of one frame on a grid whose steps lie along x, y and z. With a cell all lattice images of the atoms count:
/// an endless crystal seen through the grid. Single precision, on the calling thread: frames are what runs side by
/// side. `reach` (angstrom) is of the distance alone. Throws Error (usage) for another grid, for sizes that differ, and
/// for a radius that is not above 0 where it counts.
void volume_map(std::span<const WeightedAtom> atoms, const Cell& cell, const Grid& grid, VolumeSpread spread,
                double reach, std::span<float> values);

/// Which of the atoms is nearest to each point, of those within their radius of it; -1 where none is.
void nearest_inside(std::span<const WeightedAtom> atoms, const Cell& cell, const Grid& grid,
                    std::span<std::int32_t> nearest);

/// The same map by the formula, point by point, over `images` cells in each direction: for tests.
void volume_map_reference(std::span<const WeightedAtom> atoms, const Cell& cell, int images, const Grid& grid,
                          VolumeSpread spread, double reach, std::span<float> values);

}  // namespace isolume
