// A tile of the near sum on the CPU and the charges that are added to its rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "compute/electrostatics/pairs/near_sum_cpu.h"

namespace isolume {

inline constexpr int most_windows = 256;  // vectors per row that a charge may reach over in one piece
inline constexpr int most_lanes = 16;

/// Vectors that cover the widest chord; an even number of points, so that half of them lie on either side.
inline int windows_for(double cutoff, double step, int lanes) {
  const int windows = static_cast<int>(std::min(std::ceil(2 * cutoff / (step * lanes)), 1e6));
  return windows + windows * lanes % 2;
}

/// A tile, its place in the row frame, and the charges [first, last) to add.
struct NearWork {
  NearTile tile;
  int margin = 0;  // values before and after each row that may be written
  double x0 = 0, y0 = 0, z0 = 0;
  double ax = 0, bx = 0, by = 0, cx = 0, cy = 0, cz = 0;
  double lower[3] = {}, upper[3] = {};  // of the points
  const ChargeBins* bins = nullptr;
  std::size_t first = 0, last = 0;
};

/// Adds the function of the work's charges to its tile.
void near_rows_cpu(const PairFunction& function, const NearWork& work);

}  // namespace isolume
