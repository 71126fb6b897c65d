// Hierarchical charge partitioning as a method of isolume compute energy.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/hcp/hcp_energy.h"

namespace isolume::cli {

struct HcpChoice {
  std::string thresholds, dielectric;  ///< empty where not given
  int charges = -1;
};

void add_hcp_options(Verb command, HcpChoice& choice);
/// Throws Error (usage) where options of this method are given with another.
void check_hcp_choice(const HcpChoice& choice, const std::string& method);
HcpOptions hcp_options(const HcpChoice& choice);
void describe_hcp_method(nlohmann::ordered_json& json, const HcpChoice& choice, const HcpHierarchy& hierarchy);

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
