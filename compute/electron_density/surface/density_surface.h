// The potential of a density on a surface of equal density.
#pragma once

#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/density_potential.h"
#include "molecule/mesh.h"

namespace isolume {

/// A surface whose vertices have the density that was asked for, with exact values.
struct DensitySurface {
  Mesh mesh;                      ///< angstrom; normals are those of the density's gradient
  std::vector<double> potential;  ///< hartree/e, at the vertices
  double residual = 0;            ///< largest deviation of the density at a vertex, over the level
};

/// The surface of `level` (bohr^-3) by marching cubes on a grid of this spacing (angstrom), whose vertices are then
/// moved along the gradient until the density there is the level (Newton). Throws Error (input) where there is none.
DensitySurface density_surface(const Orbitals& orbitals, const DensityPotential& potential, double level,
                               double spacing, Job& job, Device device = Device::cpu());

}  // namespace isolume
