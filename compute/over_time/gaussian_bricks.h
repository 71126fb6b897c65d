// Volume maps by Gaussians: bricks of a grid to which atoms are added as products of tables, by SIMD.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace isolume {

/// Gaussians go to 5.55 widths: beyond it is 9.4e-7 of each, erfc(c / sqrt 2) + sqrt(2 / pi) c exp(-c^2 / 2).
inline constexpr double gaussian_reach = 5.55;

/// Points of a brick along x, y and z.
inline constexpr std::array<int, 3> brick_bits{3, 2, 2};  ///< their logarithms
inline constexpr std::array<int, 3> brick_counts{1 << brick_bits[0], 1 << brick_bits[1], 1 << brick_bits[2]};
inline constexpr int brick_x = brick_counts[0], brick_y = brick_counts[1], brick_z = brick_counts[2];
inline constexpr int brick_size = brick_x * brick_y * brick_z;

/// The factor of an atom along an axis: table[i] = factor 2^(scale d^2) with d = from + step i.
struct FactorTable {
  float from = 0, step = 0, scale = 0, factor = 0;
  int count = 0;         ///< of points: those of whole bricks
  std::uint32_t at = 0;  ///< where it begins in the tables
};

/// Vectors that go through tables and through atoms have at most so many numbers.
inline constexpr int widest = 16;

/// Fills tables in their order, for whole vectors of i up to `count`, with 0 where the power is less than 1.7e-7.
/// Behind the last there is room for `widest` more.
void fill_factors(std::span<const FactorTable> which, float* tables);

/// Atoms that are near each other, by axis.
struct GaussianBatch {
  static constexpr std::size_t most = 512;
  static constexpr std::size_t room = most + widest;  // vectors are whole
  std::size_t size = 0;
  alignas(64) float place[3][room];         ///< from the first point of the grid, over the reach
  alignas(64) float per_reach[room];        ///< 1/angstrom
  alignas(64) std::int32_t table[3][room];  ///< where the table would begin if it began at the first point of the grid
  /// Squared distance over the squared reach up to which an atom counts in a brick: less than 1 by what single
  /// precision may be off, since tables end with the last brick that is reached.
  float most_squared = 1;
  int first[3], last[3];  ///< bricks that any of them reaches
};

/// The order of the bricks of a grid in memory: x fastest, and the points of each likewise.
struct BrickGrid {
  std::array<float, 3> step{};  ///< angstrom
  std::array<int, 3> bricks{};  ///< along the axes
};

/// Adds the products of the factors of atoms to all bricks that have points within their reach.
void add_to_bricks(const GaussianBatch& atoms, const BrickGrid& grid, const float* tables, float* sums);

}  // namespace isolume
