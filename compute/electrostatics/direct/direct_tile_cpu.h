// One tile of the direct Coulomb sum on the CPU: what the direct sum and its fast mode share.
#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/direct/direct.h"

namespace isolume {

constexpr int tile_rows = 8;     ///< 4 in y times 2 in z, one accumulator each
constexpr int tile_length = 64;  ///< largest number of points along a row

/// Charges in the grid's row frame.
struct FrameCharges {
  std::vector<double> x, y, z;
  std::vector<float> half;  ///< q / 2
};
FrameCharges to_frame(std::span<const PointCharge> charges, const RowFrame& frame);

/// The same without those of no charge, in blocks, in each of which positive ones stand first. Every block has its
/// share of both signs, so that sums over it stay small.
struct SignedCharges : FrameCharges {
  static constexpr std::size_t block_size = 256;  ///< most charges: their tables stay in the first-level cache
  struct Block {
    std::size_t begin;
    int positive, count;
  };
  std::vector<Block> blocks;
  explicit SignedCharges(const FrameCharges& charges);
};

/// What one tile covers: `count` points of rows (j, k) from i on.
struct TileRows {
  int i, count;
  std::array<glm::ivec2, tile_rows> rows;  // beyond the grid's edge the last row again
  std::array<bool, tile_rows> wanted;
};
/// Four rows along y from j on times two along z from k on, of a box that ends before `end`.
TileRows tile_of_rows(int i, int count, int j, int k, glm::ivec2 end);

/// Adds the charges to sums[row * tile_length + point], in units of e/angstrom.
void sum_direct_tile(const SignedCharges& charges, const RowFrame& frame, const TileRows& part, double* sums,
                     const Job& job);

}  // namespace isolume
