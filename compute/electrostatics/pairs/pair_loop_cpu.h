// The innermost loop of energies and forces on the CPU: one atom and a row of others.
#pragma once

#include <cstddef>

#include "compute/electrostatics/pairs/short_range.h"

namespace isolume {

/// Atoms to loop over; the arrays may be read up to the next multiple of pair_lanes, where charges must be 0.
struct PairRow {
  const float* x = nullptr;
  const float* y = nullptr;
  const float* z = nullptr;
  const float* q = nullptr;
  std::size_t count = 0;
};
inline constexpr std::size_t pair_lanes = 16;

/// Sums for an atom of charge 1, without Coulomb's constant: sum_j q_j (energy), sum_j q_j (force), and the virial
/// sum_j d_a F_b of xx yy zz xy xz yz. Of charges within 1e-4 angstrom (the atom itself among them, if it is in the
/// row) 1/r is left out and the smooth function stays.
struct PairSums {
  double force[3] = {};
  double potential = 0;
  double virial[6] = {};
};

/// Adds to `sums`; the potential and the virial where `all` is set.
void pair_loop(const PairRow& row, float x, float y, float z, const ShortRange& function, bool all, PairSums& sums);

}  // namespace isolume
