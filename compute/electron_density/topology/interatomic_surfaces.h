// The surfaces between atoms, through which the density has no flux.
#pragma once

#include <vector>

#include "compute/electron_density/topology/critical_points.h"
#include "molecule/mesh.h"

namespace isolume {

/// One mesh (angstrom) for each bond point of `points`, in their order; empty for other points. Made of the gradient
/// paths that end in the bond point: 64 of them begin around it in the plane of its two negative eigenvalues and follow
/// the density downwards in steps of 0.1 bohr (midpoint rule), to `least_density` bohr^-3, or to where they no longer
/// move, as next to a ring point. Neighbouring paths are joined by triangles. Bader, "Atoms in Molecules" (1990).
std::vector<Mesh> interatomic_surfaces(const DensityEvaluator& evaluator, const CriticalPoints& points,
                                       double least_density, Job& job, Device device = Device::cpu());

}  // namespace isolume
