// Tiles of a grid that are interpolated from a coarser one, and to which Gaussians of pairs are added. On the CPU.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <span>

#include "compute/electron_density/fine_grids/mixed_refinement_math.h"
#include "compute/electron_density/fine_grids/pair_gaussians.h"

namespace isolume {

/// What a tile has at each point, in this order.
enum class PairOutput {
  value,   ///< f
  slopes,  ///< f, x, y, z
  mixed,   ///< f, y, z, yz, x, xy, xz, xyz: what is interpolated from
  second,  ///< f, x, y, z, xx, xy, xz, yy, yz, zz
};
constexpr int count_of(PairOutput output) {
  constexpr int counts[] = {1, 4, 8, 10};
  return counts[static_cast<int>(output)];
}

namespace pairs {

inline constexpr int side = 16;                    ///< points of a tile along an axis
inline constexpr int points = side * side * side;  ///< x fastest
inline constexpr int cells = side / 2;             ///< of the coarse grid
inline constexpr int before = 3;                   ///< coarse points before a tile's first cell that it needs
inline constexpr int window = 2 * cells;           ///< coarse points that are read along an axis
inline constexpr int cube = 8;                     ///< points of what Gaussians are added to, along an axis

/// Weights along one axis: of the value and the slope of 8 coarse points around a cell.
struct Axis {
  double middle[3][mixed::taps][2];  ///< for the value and derivatives at its middle
  double point[mixed::taps][2];      ///< for the second derivative at its first point
};
Axis axis_of(const mixed::Weights& weights, double step);

/// A window of a coarse grid, from its first point on: numbers, planes and rows are so far apart; x is contiguous.
struct Window {
  const double* from;
  std::size_t number, plane, row;
};

/// Sets count_of(output) numbers of a tile, `points` each.
void interpolate(const Axis (&axes)[3], const Window& window, PairOutput output, double* to);

/// Adds Gaussians to a cube of 8 x 8 x 8 points of a tile, the first of which is at `origin` (bohr).
void add(const PairGaussians& all, std::span<const std::uint32_t> which, glm::dvec3 origin, glm::dvec3 step,
         PairOutput output, double* to);

}  // namespace pairs
}  // namespace isolume
