// Coulomb's sums on the CPU: the loops over charges and nodes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/electrostatics/coulomb_sum/coulomb_lattice.h"

namespace isolume {

/// Sets q / |r - r_j| of charges at up to 16 points, and the gradient where `slopes` is not null (x, y and z, 16 each).
void coulomb_block(const float* x, const float* y, const float* z, const float* q, std::size_t charges,
                   const float* points, float* sums, float* slopes);

/// Charges sorted into cells, x fastest. Coordinates are whole numbers of 1 / per_angstrom, so that differences are
/// exact; behind the last charge there are `spare` numbers more in each array.
struct CoulombCells {
  static constexpr std::size_t spare = 64;
  std::vector<std::int32_t> x, y, z;
  std::vector<float> charge;
  std::vector<std::uint32_t> first;  ///< of each cell, and the end of the last
  double per_angstrom = 1;
  glm::dvec3 lower{0};  ///< corner of cell (0, 0, 0) in the frame of the coordinates
  double side = 1;
  glm::ivec3 counts{0};
  float cutoff2 = 0;
  float coefficient[5] = {};  ///< of r^(2k) in what is left to the lattices
};

/// The finest lattice.
struct CoulombNodes {
  const float* values = nullptr;
  glm::ivec3 counts{0}, padded{0};
  glm::dvec3 origin{0};  ///< of node (0, 0, 0) in the same frame
  double inverse_spacing = 1;
  float unit = 1;  ///< of its values, e/angstrom
};

/// The short-ranged sum plus the interpolated rest at a point of the frame: potential, and slopes along x, y and z.
void coulomb_at_point(const CoulombCells& cells, const CoulombNodes& nodes, const CoulombTaps& taps,
                      const double* point, double* result);

}  // namespace isolume
