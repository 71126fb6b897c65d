// A volume of a periodic system, shown beyond its period.
#pragma once

#include <glm/glm.hpp>
#include <span>

#include "compute/base/job.h"
#include "molecule/cell.h"
#include "molecule/grid.h"

namespace isolume {

/// How a grid of one period is repeated: `period` points to the next copy along each axis, `repeat` copies to each
/// side. Along an axis with copies the last layer is the first one again, so that surfaces close there.
struct RepeatedGrid {
  Grid grid;             ///< of all copies
  glm::ivec3 period{1};  ///< points
  glm::ivec3 repeat{0};
  /// The point of the volume that is seen at a point of `grid`.
  int source_of(int axis, int point) const { return repeat[axis] > 0 ? point % period[axis] : point; }
};

/// A grid's last layer may be its first again (as in XSF files) or the one before it: with a cell its vectors tell
/// which, else the values. Throws Error (usage) where the cell is no period of the grid along a repeated axis, and
/// where copies have too many points.
RepeatedGrid repeated_grid(const Volume& volume, const Cell& cell, glm::ivec3 repeat);

/// Layers `first` and on of the third axis, into `values`.
void copy_repeated(const Volume& volume, const RepeatedGrid& repeated, int first, std::span<float> values, Job& job);

}  // namespace isolume
