// Peaks of a map: sites where atoms are often.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "molecule/grid.h"

namespace isolume {

struct MapPeak {
  glm::dvec3 place{0.0};  ///< angstrom, by a parabola along each axis
  std::size_t point = 0;  ///< of the grid
  double value = 0;       ///< there
  double occupancy = 0;   ///< the map summed over the points within `radius`, times the volume of a voxel
};

/// The points that are above all their 26 neighbours and at least `threshold`, the highest first; of two closer than
/// `apart` (angstrom) the higher. Points on the faces of the grid are none. `radius`: angstrom.
std::vector<MapPeak> map_peaks(const Grid& grid, std::span<const float> values, double threshold, double apart,
                               double radius);

}  // namespace isolume
