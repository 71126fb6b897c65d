// The CUDA bodies of energies and forces in a build without CUDA.
#include "compute/electrostatics/energy/energy_bodies.h"
#include "compute/electrostatics/ewald/spme_bodies.h"
#include "compute/electrostatics/msm/msm_force_plan.h"
#include "molecule/base/error.h"

namespace isolume {

std::unique_ptr<Electrostatics> direct_electrostatics_cuda(ElectrostaticProblem, Device) {
  throw Error("this build has no CUDA");
}

std::unique_ptr<Electrostatics> spme_cuda(ElectrostaticProblem, const SpmeOptions&, bool, Device) {
  throw Error("this build has no CUDA");
}

std::unique_ptr<SpmeMapBody> spme_map_body_cuda(std::span<const glm::vec3>, std::span<const float>, const Cell&,
                                                const SpmeOptions&, SpmeMap, Device, Job&) {
  throw Error("this build has no CUDA");
}

std::unique_ptr<Electrostatics> msm_forces_cuda(ElectrostaticProblem, const MsmOptions&, bool, Device) {
  throw Error("this build has no CUDA");
}

}  // namespace isolume
