// A batch of points as the CPU body of the density's potential takes it.
#pragma once

#include <vector>

#include "compute/electron_density/hermite_density.h"

namespace isolume {

inline constexpr int potential_points = 16;  // DensityPotential::batch

struct PotentialTile {
  alignas(64) double points[3][potential_points];  ///< bohr
  alignas(64) double potential[potential_points];
  alignas(64) double field[3][potential_points];
};

/// Sets the sums of the electrons at the tile's points.
void sum_potential(const HermiteDensity& density, bool field, PotentialTile& tile);

}  // namespace isolume
