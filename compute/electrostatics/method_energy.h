// Energies and forces of charges by any method that has them.
#pragma once

#include "compute/electrostatics/energy/electrostatics.h"
#include "compute/electrostatics/method.h"

namespace isolume {

/// The energy and the forces of a problem by a method; of msm and spme in the problem's cell. `parts` are needed where
/// the method is hcp. Throws Error (usage) for methods that have none (cutoff, debye_hueckel, pb), and as they do.
std::unique_ptr<Electrostatics> electrostatics(const PotentialOptions& method, const ElectrostaticProblem& problem,
                                               HcpHierarchy parts, Device device);

}  // namespace isolume
