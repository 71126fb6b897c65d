// The errors of forces in a dielectric, and of hierarchical charge partitioning.
#pragma once

#include <vector>

#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/hcp/hcp_energy.h"

namespace isolume::cli {

/// Compares forces with those of the sum over all atoms in the same dielectric, on the same device, at every atom.
/// Takes time in proportion to the square of the atoms. Throws Error (cancelled).
ForceError hcp_force_error(const ElectrostaticProblem& problem, const HcpHierarchy& hierarchy,
                           const HcpOptions& options, const std::vector<glm::vec3>& positions,
                           const std::vector<glm::vec3>& forces, Device device, Job& job);

/// Compares forces with the sum over all atoms in a dielectric, excluded and scaled pairs by their factors, in double
/// precision, at sampled atoms. Throws Error (cancelled).
ForceError dielectric_force_error(const ElectrostaticProblem& problem, const Dielectric& dielectric,
                                  const std::vector<glm::vec3>& positions, const std::vector<glm::vec3>& forces,
                                  std::size_t samples, Job& job);

}  // namespace isolume::cli
