// The potential of a density where surfaces of a volume are coloured by it.
#pragma once

#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electron_density/density_potential.h"
#include "molecule/grid.h"

namespace isolume {

/// A map for the colours of isosurfaces, in hartree/e.
struct SurfacePotential {
  std::vector<float> values;  ///< on the volume's grid
  std::size_t exact = 0;      ///< points with exact sums
  std::size_t checked = 0;    ///< vertices of the surfaces at which the map, read linearly, was held against exact sums
  double rms = 0, largest = 0;  ///< of what it differs there by
};

/// The potential on the grid of `shape` (angstrom): exact sums at all points of the cells that the surface at one of
/// `levels` passes through, so that a vertex, which is on an edge of a cell, is between two of them. Elsewhere exact at
/// every third point along each axis, and linear between these. `checks` vertices at most are checked, evenly over all.
/// Values beyond 1e4 become 1e4, as those at nuclei.
SurfacePotential surface_potential(const DensityPotential& potential, const Volume& shape,
                                   std::span<const double> levels, std::size_t checks, Job& job,
                                   Device device = Device::cpu());

}  // namespace isolume
