// Energies and forces by multilevel summation, in time proportional to the number of atoms, periodic or not.
#pragma once

#include <memory>

#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/msm/msm.h"

namespace isolume {

/// 1/r = g* + smooth parts as MsmOptions says (Hardy, Stone, Schulten 2009; Skeel, Tezcan, Hardy, J. Comput. Chem. 23,
/// 673 (2002), doi:10.1002/jcc.10072): pairs within the cutoff a sum 1/r - gamma(r/a)/a exactly, the lattices sum the
/// rest, and the force on an atom is minus its charge times the gradient of the interpolated potential. That is the
/// exact gradient of the energy that is given, and continuous, since the interpolant is once continuously
/// differentiable. Excluded and scaled pairs count kept/r - gamma(r/a)/a.
///
/// Of the options cutoff, spacing, degree, smoothing, levels and lattice are used. `periodic`: along all three vectors
/// of the problem's cell, as Ewald's sum (conducting surroundings, uniform background), or not at all. The virial with
/// periodicity is that of the energy that is given, with lattices that are strained with the cell (msm_virial.h); its
/// lattice part is summed on the host. There is none without a cell. Throws Error (usage) for options out of range, and
/// with periodicity where there is no cell or half of its least width is below the cutoff. Accuracy: against exact sums
/// that of the method (docs/methods/periodic.md); CPU and CUDA agree to 2e-5.
std::unique_ptr<Electrostatics> msm_electrostatics(ElectrostaticProblem problem, const MsmOptions& options,
                                                   bool periodic, Device device);

}  // namespace isolume
