// Volume maps by Gaussians: bricks of a grid to which atoms are added as products of tables, by SIMD.
#pragma once

#include <cstdint>
#include <span>

namespace isolume {

/// Gaussians go to 5.55 widths: beyond it is 9.4e-7 of each, erfc(c / sqrt 2) + sqrt(2 / pi) c exp(-c^2 / 2).
inline constexpr double gaussian_reach = 5.55;

/// Points of a brick along x, y and z.
inline constexpr int brick_x = 16, brick_y = 4, brick_z = 4;
inline constexpr int brick_size = brick_x * brick_y * brick_z;

/// Where the factors of one atom at the points of a brick begin in the tables: brick_x, brick_y and brick_z of them.
struct BrickFactors {
  std::uint32_t x, y, z;
};

/// table[i] = factor exp(scale d^2) with d = from + step i for whole vectors of i up to `count`, 0 where that is less
/// than 1.7e-7 of the factor. Behind them the table has room for brick_x more.
void fill_factors(float from, float step, float scale, float factor, int count, float* table);

/// Adds the products of the factors of atoms to a brick, whose points run along x, then y, then z.
void add_to_brick(std::span<const BrickFactors> atoms, const float* tables, float* brick);

}  // namespace isolume
