// A tile of points of a molecular surface on the CPU: how deep each is, and how far from the nearest sample of an
// arc.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>

#include "compute/molecular_surface/molecular_surface_body.h"

namespace isolume {

constexpr int depth_tile_x = 16;
constexpr int depth_tile_yz = 8;
constexpr int depth_tile_size = depth_tile_x * depth_tile_yz * depth_tile_yz;

/// One tile's values; rows of 16 points whatever the grid has of them.
struct DepthTile {
  glm::ivec3 counts;
  float step[3];
  alignas(64) float deepest[depth_tile_size];       ///< max of R - distance
  alignas(64) std::int32_t which[depth_tile_size];  ///< the ball that it is of, as an index into the tile's list
  alignas(64) float nearest[depth_tile_size];       ///< square of the distance to the nearest sample
};

/// Takes balls into account, numbered from 0; positions are relative to the tile's first point. A ball counts where a
/// point is nearer to it than `reach` (angstrom).
void add_balls(DepthTile& tile, const Ball* balls, std::size_t count, float reach);
/// The same for samples of arcs: points without a radius.
void add_samples(DepthTile& tile, const Ball* samples, std::size_t count, float reach);

}  // namespace isolume
