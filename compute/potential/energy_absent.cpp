// The CUDA bodies of energies and forces in a build without CUDA.
#include "compute/potential/energy_bodies.h"
#include "molecule/error.h"

namespace isolume {

std::unique_ptr<Electrostatics> direct_electrostatics_cuda(ElectrostaticProblem, Device) {
  throw Error("this build has no CUDA");
}

}  // namespace isolume
