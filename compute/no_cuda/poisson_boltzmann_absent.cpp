// The CUDA bodies of Poisson-Boltzmann in a build without CUDA.
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/error.h"

namespace isolume {

PbProgress pb_solve_cuda(const PbProblem&, const PoissonBoltzmannOptions&, std::span<double>, Device, Job&) {
  throw Error("this build has no CUDA");
}

std::unique_ptr<PbStageMaker> pb_stages_cuda(std::span<const ChargedSphere>, const PoissonBoltzmannOptions&,
                                             const PbBox&, Device) {
  throw Error("this build has no CUDA");
}

}  // namespace isolume
