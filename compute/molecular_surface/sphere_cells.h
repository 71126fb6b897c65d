// Spheres sorted into cells, so that those near a place are found in constant time.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/host_device.h"
#include "compute/density/gaussian_density.h"

namespace isolume {

/// A ball, angstrom.
struct Ball {
  float x, y, z, radius;
};

/// Cubic cells over a box; places outside count to the cells at its border.
struct CellGrid {
  double origin[3];
  double inverse;  ///< 1 / side, 1/angstrom
  int counts[3];

  ISOLUME_HOST_DEVICE int along(int axis, double at) const {
    const double cell = (at - origin[axis]) * inverse;
    return cell < 0 ? 0 : cell >= counts[axis] ? counts[axis] - 1 : static_cast<int>(cell);
  }
  ISOLUME_HOST_DEVICE std::uint32_t index(int x, int y, int z) const {
    return static_cast<std::uint32_t>(x) +
           static_cast<std::uint32_t>(counts[0]) *
               (static_cast<std::uint32_t>(y) + static_cast<std::uint32_t>(counts[1]) * static_cast<std::uint32_t>(z));
  }
  std::uint32_t total() const {
    return static_cast<std::uint32_t>(counts[0]) * static_cast<std::uint32_t>(counts[1]) *
           static_cast<std::uint32_t>(counts[2]);
  }
};

/// Cells of at least `side` angstrom over the box of the points, wider where there would be more than a few per point.
CellGrid make_cells(std::span<const Ball> balls, double side);

/// Balls in the order of their cells; those of cell c are [starts[c], starts[c+1]).
struct BallCells {
  CellGrid grid;
  std::vector<Ball> balls;
  std::vector<std::uint32_t> order;   ///< where each came from
  std::vector<std::uint32_t> starts;  ///< cells + 1

  /// Calls visit(index into balls) for all in the cells that the cube of half side `reach` about a place touches.
  template <class Visit>
  void near(double x, double y, double z, double reach, Visit&& visit) const {
    const int lower[3] = {grid.along(0, x - reach), grid.along(1, y - reach), grid.along(2, z - reach)};
    const int upper[3] = {grid.along(0, x + reach), grid.along(1, y + reach), grid.along(2, z + reach)};
    for (int k = lower[2]; k <= upper[2]; ++k) {
      for (int j = lower[1]; j <= upper[1]; ++j) {
        const std::uint32_t end = starts[grid.index(upper[0], j, k) + 1];
        for (std::uint32_t i = starts[grid.index(lower[0], j, k)]; i < end; ++i) visit(i);
      }
    }
  }
};
BallCells sort_into_cells(std::span<const Ball> balls, double side);

}  // namespace isolume
