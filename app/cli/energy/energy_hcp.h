// The error of forces in a dielectric, those of hierarchical charge partitioning among them.
#pragma once

#include <vector>

#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/hcp/hcp_energy.h"

namespace isolume::cli {

/// Compares forces with the sum over all atoms in a dielectric, excluded and scaled pairs by their factors, in double
/// precision, at sampled atoms. Throws Error (cancelled).
ForceError dielectric_force_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                  const std::vector<glm::vec3>& positions, const std::vector<glm::vec3>& forces,
                                  std::size_t samples, Job& job);

}  // namespace isolume::cli
