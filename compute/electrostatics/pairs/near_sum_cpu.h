// The sum over pairs within a cutoff on the CPU: what cutoff summation and the short-range part of MSM share.
#pragma once

#include <functional>

#include "compute/base/span.h"
#include "compute/electrostatics/charges/charge_bins.h"
#include "compute/electrostatics/pairs/pair_function.h"

namespace isolume {

/// A tile of grid rows in local memory: points i .. i + count of rows (j + 0 .. rows_j, k + 0 .. rows_k).
struct NearTile {
  static constexpr int rows = 16;  ///< most rows per axis
  int i = 0, j = 0, k = 0;
  int count = 0, rows_j = 0, rows_k = 0;
  float* values = nullptr;  ///< of point (i, j, k)
  int stride = 0;           ///< from a row to the next in j; `rows` of them to the next in k
  float* row(int dj, int dk) const { return values + static_cast<std::ptrdiff_t>(dk * rows + dj) * stride; }
};

/// potential = what `begin` put into each tile (zero where there is none) + sum of charge * function(r^2). A charge
/// within `coincidence` of a point adds, there, the function without its 1/r (nothing, but for the Taylor kind).
/// Layers [first, first + layers) of the grid's third axis, in the tiles of the whole grid: with the same bins each
/// value has the same bits whatever layers are made together.
void near_sum_cpu(const ChargeBins& bins, const Grid& grid, const RowFrame& frame, const PairFunction& function,
                  int first, int layers, Span<float> potential, const std::function<void(const NearTile&)>& begin,
                  Job& job, const char* what);

}  // namespace isolume
