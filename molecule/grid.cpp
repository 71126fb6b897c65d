// Regular grids: making them, and values between their points.
#include "molecule/grid.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {

bool Grid::axis_aligned() const {
  for (int column = 0; column < 3; ++column) {
    const double tolerance = 1e-9 * glm::length(step[column]);
    for (int row = 0; row < 3; ++row) {
      if (row != column && std::abs(step[column][row]) > tolerance) return false;
    }
  }
  return true;
}

Grid Grid::covering(glm::dvec3 lower, glm::dvec3 upper, double spacing, std::size_t limit) {
  if (!(spacing > 0) || !std::isfinite(spacing)) {
    throw Error("a grid spacing of " + std::to_string(spacing) + " angstrom: expected a positive number",
                Error::Kind::usage);
  }
  Grid grid;
  grid.step = glm::dmat3(spacing);
  double points = 1;
  for (int i = 0; i < 3; ++i) {
    const double extent = upper[i] - lower[i];
    if (!std::isfinite(extent) || extent < 0) {
      throw Error("a grid from " + std::to_string(lower[i]) + " to " + std::to_string(upper[i]) +
                      " angstrom: expected finite ends in order",
                  Error::Kind::usage);
    }
    // An extent that is a whole number of steps must not gain a cell by rounding.
    const double cells = std::ceil(extent / spacing - 1e-9);
    points *= cells + 1;
    if (points > static_cast<double>(limit) || cells > 2147483646.0) {
      throw Error("a spacing of " + std::to_string(spacing) + " angstrom over " + std::to_string(upper.x - lower.x) +
                      " x " + std::to_string(upper.y - lower.y) + " x " + std::to_string(upper.z - lower.z) +
                      " angstrom makes more than " + std::to_string(limit) + " grid points",
                  Error::Kind::usage);
    }
    grid.counts[i] = static_cast<int>(cells) + 1;
    grid.origin[i] = 0.5 * (lower[i] + upper[i]) - 0.5 * cells * spacing;
  }
  return grid;
}

float interpolate(const Volume& volume, glm::dvec3 point) {
  const Grid& grid = volume.grid;
  const glm::dvec3 at = grid.coordinates(point);
  glm::ivec3 low;
  glm::dvec3 part;
  for (int i = 0; i < 3; ++i) {
    // The last plane of points still belongs to the grid; rounding of 1e-9 of a cell does not put a point outside.
    const double last = grid.counts[i] - 1;
    if (grid.counts[i] < 1 || !(at[i] >= -1e-9) || at[i] > last + 1e-9) return 0;
    const double inside = glm::clamp(at[i], 0.0, last);
    low[i] = std::min(static_cast<int>(inside), std::max(grid.counts[i] - 2, 0));
    part[i] = inside - low[i];
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::ivec3 side(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
    double weight = 1;
    for (int i = 0; i < 3; ++i) weight *= side[i] ? part[i] : 1 - part[i];
    if (weight == 0) continue;
    sum += weight * static_cast<double>(volume.values[grid.index(low.x + side.x, low.y + side.y, low.z + side.z)]);
  }
  return static_cast<float>(sum);
}

}  // namespace isolume
