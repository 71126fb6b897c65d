// Energies and forces by hierarchical charge partitioning.
#pragma once

#include <memory>

#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/hcp/hcp.h"

namespace isolume {

/// E = 1/2 sum_i q_i V_i and F_i = -q_i grad V_i, with V of hcp.h on the atoms and the excluded and scaled pairs taken
/// off again; no periodicity. The force is that on atom i by what stands for the others at i: since i may be far from a
/// component that is near to it, action and reaction differ by the approximation's error, and E drifts accordingly.
/// Throws Error (usage) where the hierarchy is not of the problem's atoms. Accuracy: 3e-5 of the RMS force against
/// hcp_energy_reference(). No virial.
std::unique_ptr<Electrostatics> hcp_electrostatics(ElectrostaticProblem problem, HcpHierarchy hierarchy,
                                                   const HcpOptions& options, Device device);

/// The same in plain double precision.
ElectrostaticReference hcp_energy_reference(const ElectrostaticProblem& problem, const HcpHierarchy& hierarchy,
                                            const HcpOptions& options, std::span<const glm::dvec3> positions);

}  // namespace isolume
