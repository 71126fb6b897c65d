// FastDirectPlan: which charges each tile of a map meets at its nodes, and which at its points.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electrostatics/charges/direct_math.h"

namespace isolume {

/// Cells of a cube in a row frame, 2^depth along an edge, numbered along Morton's curve: x has the lowest bit of three.
struct ChargeCells {
  glm::dvec3 lower{0};
  double side = 1;  ///< of the smallest cells
  int depth = 0;
  std::uint32_t count() const { return 1u << (3 * depth); }
  std::uint32_t cell_of(glm::dvec3 p) const;
};
/// 21 bits of each, x lowest; for up to 2^10 cells along an edge.
std::uint32_t morton_code(std::uint32_t x, std::uint32_t y, std::uint32_t z);

/// Charges [begin, ...) in the order of their cells; `before` charges are in the earlier ranges of the same tile.
struct ChargeRange {
  std::uint32_t begin;
  std::uint32_t before;
};

/// A box of grid points and the charges that it meets: far[0] ... far[far_ranges - 1] hold far_count charges.
struct FastTile {
  glm::ivec3 first{0};
  glm::ivec3 count{0};
  std::int32_t parent = -1;
  std::uint32_t far_first = 0, far_ranges = 0, far_count = 0;     ///< among FastDirectPlan::far
  std::uint32_t near_first = 0, near_ranges = 0, near_count = 0;  ///< among FastDirectPlan::near; smallest tiles only
};

/// The polynomial of a tile lives on its points' hull: coordinate t = -1 ... 1 along an axis is the index
/// middle + t * half.
struct TileAxis {
  double middle;
  double half;
  TileAxis(int first, int count) : middle(first + 0.5 * (count - 1)), half(count > 1 ? 0.5 * (count - 1) : 0.5) {}
};

struct FastDirectPlan {
  static constexpr int leaf = 16;  ///< points along an edge of the smallest tiles
  FastDirectPlan(const Grid& grid, const RowFrame& frame, const ChargeCells& cells,
                 std::span<const std::uint32_t> offsets, Job& job);

  std::vector<FastTile> tiles;             ///< largest first
  std::vector<std::uint32_t> level_first;  ///< where the tiles of each level begin; one more at the end
  std::vector<ChargeRange> far, near;
};

/// Cells for charges in the box [lower, upper] of the row frame, fine enough for the smallest tiles of a grid.
ChargeCells cells_for(const RowFrame& frame, glm::dvec3 lower, glm::dvec3 upper, std::size_t charges);

/// The k-th of p Chebyshev nodes, and the Lagrange polynomial of node k at t.
double chebyshev_node(int k, int p);
double chebyshev_weight(int k, int p, double t);

}  // namespace isolume
