// What the bodies of forces by multilevel summation share.
#pragma once

#include <span>

#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/msm/msm_plan.h"

namespace isolume {

/// Lattices for the charges; without periodicity they reach `margin` angstrom beyond them.
MsmPlan msm_force_plan(std::span<const PointCharge> charges, const MsmOptions& options, Device device,
                       double margin = 0);
/// Throws Error (usage) where the cell is none, or too small for the cutoff.
void check_msm_cell(const MsmOptions& options, bool periodic, const Cell& cell);
/// The weights of the taps at t, 0 to 1, and their derivatives by t.
void msm_weights(const MsmBasis& basis, double t, float* weights, float* slopes);

/// The body on CUDA.
std::unique_ptr<Electrostatics> msm_forces_cuda(ElectrostaticProblem problem, const MsmOptions& options, bool periodic,
                                                Device device);

}  // namespace isolume
