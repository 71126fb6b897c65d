// Volume maps by Gaussians: bricks of a grid to which atoms are added as products of tables, by SIMD.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace isolume {

/// Gaussians go to 5.55 widths: beyond it is 9.4e-7 of each, erfc(c / sqrt 2) + sqrt(2 / pi) c exp(-c^2 / 2).
inline constexpr double gaussian_reach = 5.55;

/// Points of a brick along each axis, and in all: x fastest.
inline constexpr int brick_side = 4, brick_size = brick_side * brick_side * brick_side;

/// The order of the bricks of a grid in memory: z fastest, then x.
struct BrickGrid {
  std::array<double, 3> side{};  ///< of a brick, angstrom: so far is its first point from that of the next one
  std::array<int, 3> bricks{};   ///< along the axes

  std::size_t index(int x, int y, int z) const {
    const auto nx = static_cast<std::size_t>(bricks[0]), nz = static_cast<std::size_t>(bricks[2]);
    return static_cast<std::size_t>(z) + nz * (static_cast<std::size_t>(x) + nx * static_cast<std::size_t>(y));
  }
};

/// An atom among bricks.
struct BrickAtom {
  double per_width;       ///< 1/angstrom
  std::int32_t brick[3];  ///< which it is in, also outside the grid
  float within[3];        ///< from that brick's first point, 0 to 1 of a brick
  float height;           ///< of the Gaussian in its middle
};

/// Vectors that go through tables and through atoms have at most so many numbers.
inline constexpr int widest = 16;

/// Where the tables of an atom would begin if they began at the first point of the grid.
struct AtomTables {
  std::int32_t x, y, z, unused;
};

/// Atoms that are near each other, by axis.
struct GaussianBatch {
  static constexpr std::size_t most = 512;
  static constexpr std::size_t room = most + widest;  // vectors are whole
  std::size_t size = 0;
  alignas(64) float place[3][room];                        ///< bricks, from the first point of the grid
  alignas(64) float per_width[room];                       ///< 1/angstrom
  alignas(64) std::int32_t first[3][room], last[3][room];  ///< bricks that may be within the reach
  AtomTables table[room];
  /// Squared distance over the squared reach up to which an atom counts in a brick: less than 1 by what single
  /// precision may be off, since tables end with the last brick that is reached.
  float most_squared = 1;
  std::vector<float> tables;
};

/// Adds atoms, at most GaussianBatch::most of them, to the bricks that they reach. `sums` has brick_size numbers for
/// each brick. The batch is memory to work in.
void add_to_bricks(std::span<const BrickAtom> atoms, const BrickGrid& grid, GaussianBatch& batch, float* sums);

}  // namespace isolume
