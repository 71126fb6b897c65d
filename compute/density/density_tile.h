// A tile of the Gaussian density on the CPU: 16 x 16 x 16 points in bricks of 4 x 4 x 4, whose sums fit into registers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>

#include "compute/base/storage.h"

namespace isolume {

constexpr int density_tile_side = 16;
constexpr int density_brick_side = 4;
constexpr int density_brick_points = 64;
constexpr int density_tile_bricks = 64;
constexpr std::uint64_t all_density_bricks = ~std::uint64_t{0};

/// An atom as a tile sees it.
struct alignas(32) TileAtom {
  float position[3];  ///< angstrom, relative to the tile's first point
  float limit;        ///< cutoff^2
  float power;        ///< the Gaussian is 2^(power * distance^2),
  float colour[3];
};

/// Where a tile's points are and how many of them the grid has.
struct DensityTilePlace {
  glm::ivec3 counts{0};  ///< 1 to 16 along each axis
  float step[3] = {};    ///< angstrom, of either sign
};

/// The sums of a tile while atoms are added to it some at a time; belongs to one thread.
struct DensityTile {
  static constexpr std::size_t most = 2048;       ///< atoms that are added at once
  static constexpr std::size_t room = most + 16;  ///< vectors may write behind the last

  std::array<TileAtom, room> atoms;
  /// The same again, axis by axis, for the tests of what reaches a brick.
  alignas(64) std::array<float, room> x, y, z, limit;
  std::array<float, room> slope;  ///< less slope * distance^2: 0 at the cutoff
  float at_cutoff = 0;            ///< of every Gaussian; gaussian_at_cutoff()
  /// Of the atoms that reach a row of bricks along x: number, x, and what is left of the limit.
  alignas(64) std::array<std::uint32_t, room> row_numbers;
  alignas(64) std::array<float, room> row_x, row_rest;
  alignas(64) std::array<std::uint32_t, room> numbers;  ///< of the atoms that reach a brick
  /// sums[brick][channel][point]: density, and red, green, blue times density; x runs fastest everywhere.
  alignas(64) float sums[density_tile_bricks][4][density_brick_points];

  /// Sets the sums of some bricks to 0 (a bit for each); colours where `coloured`.
  void clear(bool coloured, std::uint64_t bricks = all_density_bricks);
  /// Adds atoms[0 ... count - 1] to some bricks, in that order at every point; room for a vector behind them is
  /// written.
  void add(const DensityTilePlace& place, std::size_t count, bool coloured, std::uint64_t bricks = all_density_bricks);
};

/// Which points of a tile are inside of a surface: bit x of inside[z][y].
struct DensityTileInside {
  std::uint16_t inside[density_tile_side][density_tile_side];
};
/// Of the values as they are stored, those above `isovalue`.
DensityTileInside density_inside(const DensityTile& tile, const DensityTilePlace& place, Storage element,
                                 float isovalue);

/// The bricks in which an edge between two points of a tile ends that crosses the surface.
std::uint64_t bricks_at_surface(const DensityTileInside& tile, glm::ivec3 counts);
/// The same for edges along `axis` between the last points of one tile and the first of the next: bricks of each.
struct BrickPair {
  std::uint64_t last = 0, first = 0;
};
BrickPair bricks_at_face(const DensityTileInside& tile, const DensityTileInside& next, glm::ivec3 next_counts,
                         int axis);

/// Where a tile's points go: their first element, and the distances (in elements) of rows and of layers.
struct DensityTileOutput {
  void* density = nullptr;  ///< or null
  Storage element = Storage::float32;
  void* colours = nullptr;  ///< or null
  Storage colour_element = Storage::float32;
  std::size_t first = 0, row = 0, layer = 0;
  std::uint64_t coloured = all_density_bricks;  ///< bricks whose colours are written
};

/// Writes the sums of the points that are in the grid; colours are divided by the density, 0 where that is 0.
void store_density_tile(const DensityTile& tile, const DensityTilePlace& place, const DensityTileOutput& to);

}  // namespace isolume
