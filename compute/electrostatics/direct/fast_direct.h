// The direct sum with far charges interpolated: Coulomb's potential to a stated accuracy, much sooner.
#pragma once

#include <span>

#include "compute/electrostatics/direct/direct.h"

namespace isolume {

/// How exact the fast direct sum is.
struct FastDirectOptions {
  double accuracy = 1e-4;  ///< relative RMS error, 5e-6 to 1e-1
  bool operator==(const FastDirectOptions&) const = default;
};

/// As direct_potential(), to a relative RMS error. The grid is cut into tiles, these are joined to larger ones, and so
/// on to the whole. A tile meets the charges that are far from it, but were not from the tile that it is a part of, at
/// p x p x p Chebyshev nodes; the polynomial through these values is handed down to its parts and at last to the
/// points. Charges that are near to a smallest tile are summed at each of its points. A charge is far from a tile where
/// its distance from the middle is sqrt(3) times that of the tile's corners or more: the next cell but one of a cubic
/// lattice of tiles. (Cluster-particle barycentric Lagrange treecode: Boateng, Krasny, J. Comput. Chem. 34, 2159
/// (2013), doi:10.1002/jcc.23371; Wang, Krasny, Tlupova, Commun. Comput. Phys. 28, 1415 (2020),
/// doi:10.4208/cicp.OA-2019-0177.)
///
/// @param charges    host memory
/// @param potential  grid.size() values, x fastest, on the device that computes
/// Throws Error (usage) as direct_potential(), and for an accuracy out of range.
void fast_direct_potential(std::span<const PointCharge> charges, const Grid& grid, const FastDirectOptions& options,
                           Span<float> potential, Job& job);

/// Chebyshev nodes per axis for an accuracy (measured on water and on random charges): 4, 6, 8 or 10.
int fast_direct_order(double accuracy);

/// About the bytes of device memory taken apart from the output.
std::size_t fast_direct_memory(std::size_t charges, const Grid& grid, const FastDirectOptions& options, Device device);

}  // namespace isolume
