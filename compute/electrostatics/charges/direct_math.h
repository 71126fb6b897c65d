// What both bodies of the direct sum share: the frame in which grid rows run along x.
#pragma once

#include <glm/glm.hpp>

#include "molecule/grid.h"

namespace isolume {

/// Distances do not change when everything is turned, so any parallelepiped is summed in a frame whose x axis runs
/// along its first step: y and z are then the same all along a row. Point (i,j,k) is at
/// (i a.x + j b.x + k c.x, j b.y + k c.y, k c.z), the grid's origin at 0.
struct RowFrame {
  glm::dvec3 origin;  ///< of the grid, angstrom
  glm::dmat3 turn;    ///< from space into the frame
  double ax, bx, by, cx, cy, cz;

  explicit RowFrame(const Grid& grid);
  glm::dvec3 to_frame(glm::dvec3 point) const { return turn * (point - origin); }
  glm::dvec3 point(double i, double j, double k) const { return {i * ax + j * bx + k * cx, j * by + k * cy, k * cz}; }
  /// Rows begin at the same x.
  bool upright() const { return bx == 0 && cx == 0; }
};

inline RowFrame::RowFrame(const Grid& grid) : origin(grid.origin) {
  // Gram-Schmidt; a step without length (a grid of one layer) takes any free direction.
  glm::dvec3 axes[3];
  for (int i = 0; i < 3; ++i) {
    glm::dvec3 axis = grid.step[i];
    const double length = glm::length(axis);
    for (int j = 0; j < i; ++j) axis -= glm::dot(axis, axes[j]) * axes[j];
    for (int free = 0; free < 3 && glm::length(axis) <= 1e-9 * length; ++free) {
      axis = glm::dvec3(free == 0, free == 1, free == 2);
      for (int j = 0; j < i; ++j) axis -= glm::dot(axis, axes[j]) * axes[j];
      if (glm::length(axis) < 0.5) axis = glm::dvec3(0);
    }
    axes[i] = glm::normalize(axis);
  }
  turn = glm::transpose(glm::dmat3(axes[0], axes[1], axes[2]));
  const glm::dmat3 steps = turn * grid.step;
  const auto clean = [](double value, double scale) { return glm::abs(value) < 1e-14 * scale ? 0.0 : value; };
  ax = steps[0].x;
  bx = clean(steps[1].x, glm::length(grid.step[1]));
  by = steps[1].y;
  cx = clean(steps[2].x, glm::length(grid.step[2]));
  cy = clean(steps[2].y, glm::length(grid.step[2]));
  cz = steps[2].z;
}

/// A charge this near to a point (angstrom) does not act on it.
inline constexpr double coincidence = 1e-4;

}  // namespace isolume
