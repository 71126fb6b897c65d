// Energies and forces of charges by any method that has them.
#include "compute/electrostatics/method_energy.h"

#include <fmt/format.h>

#include "compute/electrostatics/hcp/hcp_energy.h"
#include "compute/electrostatics/msm/msm_forces.h"
#include "molecule/base/error.h"

namespace isolume {

std::unique_ptr<Electrostatics> electrostatics(const PotentialOptions& method, const ElectrostaticProblem& problem,
                                               HcpHierarchy parts, Device device) {
  if (const auto* const msm = std::get_if<MsmMethod>(&method))
    return msm_electrostatics(problem, msm->msm, is_periodic(method), device);
  if (const auto* const spme = std::get_if<SpmeMethod>(&method))
    return spme_electrostatics(problem, complete_spme(spme->spme, problem.cell), device);
  if (const auto* const hcp = std::get_if<HcpMethod>(&method))
    return hcp_electrostatics(problem, std::move(parts), hcp->hcp, device);
  if (const auto* const direct = std::get_if<DirectOptions>(&method)) {
    if (direct->dielectric == Dielectric{}) return direct_electrostatics(problem, device);
    // All atoms by the same law: no component is ever far.
    HcpOptions all_atoms;
    all_atoms.thresholds.fill(HcpOptions::never);
    all_atoms.dielectric = direct->dielectric;
    return hcp_electrostatics(problem, std::move(parts), all_atoms, device);
  }
  throw Error(fmt::format("{} has no energy of charges", name(method_of(method))), Error::Kind::usage);
}

}  // namespace isolume
