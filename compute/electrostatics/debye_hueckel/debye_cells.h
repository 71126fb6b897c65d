// Many spheres far from the points of a Debye-Hückel sum: each cell of them replaced by amplitudes at a few places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/host_device.h"
#include "compute/base/job.h"
#include "compute/electrostatics/charges/charged_sphere.h"
#include "molecule/grid.h"

namespace isolume {

/// The places of one cell: a lattice of Chebyshev's points, along each axis, angstrom.
struct DebyeCell {
  static constexpr int most = 32;  ///< points along an axis
  float node[3][most];
  float weight[3][most];  ///< of barycentric interpolation between them
};

/// Spheres of one cell that are summed at once.
struct DebyePart {
  static constexpr std::uint32_t most = 2048;
  std::uint32_t first, last;  ///< in `order`
  std::uint32_t cell;
};

/// How spheres are replaced. A sphere's potential exp(-kappa d) / d at a far point is a smooth function of where the
/// sphere is, and so that of the places of its cell, interpolated by Lagrange's polynomials L. Summed over the spheres,
///
///     sum_j a_j K(r, r_j) = sum_n [sum_j a_j L_n(r_j)] K(r, r_n),
///
/// which is the same plain sum over fewer places. The number of places along an axis is the least for which no sphere's
/// potential is off by more than 3e-6 of what it is at the nearest point: a bound from Chebyshev's coefficients of the
/// kernel along the cell, and from the norm of the interpolation.
struct DebyeCells {
  int places = 0;                    ///< along an axis; 0: nothing is replaced
  std::vector<DebyeCell> cells;      ///< those with more spheres than places
  std::vector<DebyePart> parts;      ///< of all cells, one cell after the other
  std::vector<std::uint32_t> order;  ///< spheres of the cells, then those that stay as they are
  std::uint32_t replaced = 0;        ///< how many are of cells

  std::size_t places_of_cell() const {
    return static_cast<std::size_t>(places) * static_cast<std::size_t>(places) * static_cast<std::size_t>(places);
  }
  /// Terms of the sum that is left.
  std::size_t terms() const { return cells.size() * places_of_cell() + order.size() - replaced; }
};

/// The plan with the least work for these points; of no cells where the plain sum is quick, or points are near spheres.
/// @param kappa  1/angstrom
DebyeCells debye_cells(std::span<const ChargedSphere> spheres, std::span<const Grid> grids, double kappa);

/// Most points along an axis that keep the bound, or 0 where DebyeCell::most are too few: of a cell of half the side
/// `half`, at points no nearer to it than `distance`.
int debye_cell_places(double half, double distance, double kappa);

/// What acts in place of the spheres: with a radius of 0 where they are places of cells.
std::vector<ChargedSphere> debye_far_spheres(const DebyeCells& plan, std::span<const ChargedSphere> spheres,
                                             double kappa, Job& job);

/// The values of Lagrange's polynomials of `places` nodes at x.
template <class Real>
ISOLUME_HOST_DEVICE inline void debye_cell_weights(const float* node, const float* weight, int places, float x,
                                                   Real* to) {
  Real total = 0;
  for (int i = 0; i < places; ++i) {
    const Real apart = static_cast<Real>(x) - static_cast<Real>(node[i]);
    if (apart == 0) {
      for (int k = 0; k < places; ++k) to[k] = k == i ? Real(1) : Real(0);
      return;
    }
    to[i] = static_cast<Real>(weight[i]) / apart;
    total += to[i];
  }
  const Real inverse = 1 / total;
  for (int i = 0; i < places; ++i) to[i] *= inverse;
}

}  // namespace isolume
