// A batch of points as the CPU body of the density's derivatives takes it.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/electron_density/density_derivatives.h"
#include "compute/orbitals/density_functions.h"

namespace isolume {

inline constexpr int derivative_points = 64;  // DensityEvaluator::batch
inline constexpr int derivative_block = 16;   // points that are next to each other in memory
inline constexpr int derivative_blocks = derivative_points / derivative_block;

struct DerivativeTile {
  alignas(64) double points[3][derivative_points];  ///< bohr
  int used = derivative_blocks;                     ///< blocks that have points; the others are left out
  std::vector<std::uint32_t> shells;                ///< those that reach it
  // Rooms that grow with the number of functions; blocks of points outermost, then rows, then points of the block.
  std::vector<double> radial;    ///< per shell: sums of c exp, -2a c exp, 4a^2 c exp
  std::vector<double> values;    ///< functions, and their three derivatives
  std::vector<double> psi;       ///< orbitals, and their three derivatives
  std::vector<double> weighted;  ///< weight times orbital
  std::vector<double> back;      ///< per function: sum_i w_i C psi_i
  std::vector<const double*> rows;
  // The sums.
  alignas(64) double density[derivative_points];
  alignas(64) double gradient[3][derivative_points];
  alignas(64) double hessian[6][derivative_points];
  alignas(64) double tau[derivative_points];
  alignas(64) double mixed[8][derivative_points];  ///< in the order of MixedDensity
};

/// Sets the sums of tile.shells at its points, with SIMD.
void sum_derivatives(const DensityFunctions& functions, DensityOrder order, DerivativeTile& tile);

/// Sets tile.mixed of tile.shells at its points, with SIMD.
void sum_mixed(const DensityFunctions& functions, DerivativeTile& tile);

}  // namespace isolume
