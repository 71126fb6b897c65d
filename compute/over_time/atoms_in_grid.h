// Which atoms a volume map has in its voxels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/over_time/volume_map.h"

namespace isolume {

/// Of each atom 1 where it or, with a cell, one of its lattice images is in a voxel of the grid (VolumeSpread::voxel),
/// else 0. Throws Error (usage) for a grid whose steps are not along x, y and z.
std::vector<std::uint8_t> atoms_in_grid(std::span<const WeightedAtom> atoms, const Cell& cell, const Grid& grid);

}  // namespace isolume
