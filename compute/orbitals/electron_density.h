// Electron and spin density of molecular orbitals on grids.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "molecule/grid.h"
#include "molecule/quantum/orbitals.h"

namespace isolume {

enum class DensityKind {
  electron,  ///< sum_i n_i |psi_i|^2
  spin,      ///< alpha minus beta; of orbitals without beta ones, those that hold one electron count (alpha)
};

/// "electron" or "spin". Throws Error (usage) that names both.
DensityKind density_kind(const std::string& name);

/// What |psi_i|^2 counts in a density, one for each orbital: occupations, with the sign of the spin for
/// DensityKind::spin. Restricted orbitals with 1 < n < 2 electrons (natural orbitals) are taken as 2 - n unpaired ones,
/// below 1 as n.
std::vector<double> density_weights(const Orbitals& orbitals, DensityKind kind);

/// The density at every grid point, bohr^-3: weighted_density() with density_weights().
/// Throws Error (usage) where no orbital is occupied.
void electron_density(const Orbitals& orbitals, DensityKind kind, const Grid& grid, Span<float> density, Job& job);

/// sum_i w_i |psi_i|^2 at every grid point, bohr^-3, for any weights: of some orbitals only, of a transition.
///
/// @param weights  one for each orbital, any sign; orbitals of weight 0 cost nothing
/// @param grid     in angstrom, any parallelepiped
/// @param density  grid.size() values, x fastest, on the device that computes
/// Accuracy: 1e-6 of the largest magnitude on the grid, or 1e-10 of the largest sum with |w_i| where that is more (a
/// spin density may be zero everywhere). Tiles of 4 x 4 x 4 points; shells are screened by distance with a bound that
/// holds for the sum; per tile all orbitals are one matrix product of their coefficients and the functions that reach
/// it, in double precision. Throws Error (usage) for another number of weights than orbitals.
void weighted_density(const Orbitals& orbitals, std::span<const double> weights, const Grid& grid, Span<float> density,
                      Job& job);

/// Bytes that the functions and the coefficients of the orbitals take on the device that computes a density, next to
/// the density itself; an upper bound, as if every orbital counted.
std::size_t density_memory(const Orbitals& orbitals);

/// The density of `a` less that of `b`: of two frames, of two states, of a molecule and a fragment of it. Bases,
/// centres and numbers of orbitals may differ; nothing is aligned.
///
/// @param weights_a, weights_b  as in weighted_density(): density_weights() of each for the difference of densities
/// Accuracy: as there, of the difference; the sum runs in double precision, so that what is equal cancels.
void density_difference(const Orbitals& a, std::span<const double> weights_a, const Orbitals& b,
                        std::span<const double> weights_b, const Grid& grid, Span<float> difference, Job& job);

}  // namespace isolume
