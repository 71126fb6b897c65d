// Spheres sorted into cells.
#include "compute/molecular_surface/sphere_cells.h"

#include <algorithm>
#include <limits>

namespace isolume {

CellGrid make_cells(std::span<const Ball> balls, double side) {
  CellGrid grid{{0, 0, 0}, 1, {1, 1, 1}};
  if (balls.empty()) return grid;
  double lower[3], upper[3];
  std::fill_n(lower, 3, std::numeric_limits<double>::max());
  std::fill_n(upper, 3, std::numeric_limits<double>::lowest());
  for (const Ball& ball : balls) {
    const double at[3] = {double{ball.x}, double{ball.y}, double{ball.z}};
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = std::min(lower[axis], at[axis]);
      upper[axis] = std::max(upper[axis], at[axis]);
    }
  }
  side = std::max(side, 1e-3);
  const double most = std::min(4.0 * static_cast<double>(balls.size()) + 64, 16777216.0);
  double total = 0;
  do {
    total = 1;
    for (int axis = 0; axis < 3; ++axis) total *= std::floor((upper[axis] - lower[axis]) / side) + 1;
    if (total > most) side *= std::cbrt(total / most) * 1.01;
  } while (total > most);
  for (int axis = 0; axis < 3; ++axis) {
    grid.origin[axis] = lower[axis];
    grid.counts[axis] = static_cast<int>((upper[axis] - lower[axis]) / side) + 1;
  }
  grid.inverse = 1 / side;
  return grid;
}

BallCells sort_into_cells(std::span<const Ball> balls, double side) {
  BallCells cells{make_cells(balls, side), {}, {}, {}};
  std::vector<std::uint32_t> keys(balls.size());
  cells.starts.assign(cells.grid.total() + 1, 0);
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const Ball& b = balls[i];
    keys[i] = cells.grid.index(cells.grid.along(0, double{b.x}), cells.grid.along(1, double{b.y}),
                               cells.grid.along(2, double{b.z}));
    ++cells.starts[keys[i] + 1];
  }
  for (std::size_t c = 1; c < cells.starts.size(); ++c) cells.starts[c] += cells.starts[c - 1];
  std::vector<std::uint32_t> next(cells.starts.begin(), cells.starts.end() - 1);
  cells.balls.resize(balls.size());
  cells.order.resize(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i) {
    const std::uint32_t to = next[keys[i]]++;
    cells.balls[to] = balls[i];
    cells.order[to] = static_cast<std::uint32_t>(i);
  }
  return cells;
}

}  // namespace isolume
