// The CUDA bodies of Poisson-Boltzmann in a build without CUDA.
#include "compute/electrostatics/poisson_boltzmann/pb_fields_device.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"
#include "compute/electrostatics/poisson_boltzmann/pb_stage.h"
#include "molecule/base/error.h"

namespace isolume {

PbProgress pb_solve_cuda(const PbProblem&, const PoissonBoltzmannOptions&, std::span<double>, Device, Job&) {
  throw Error("this build has no CUDA");
}

std::unique_ptr<PbStageMaker> pb_stages_cuda(std::span<const ChargedSphere>, const PoissonBoltzmannOptions&,
                                             std::span<const PbBox>, Device) {
  throw Error("this build has no CUDA");
}

void pb_fields_cuda(const PbNodesOf&, std::span<const ChargedSphere>, const PoissonBoltzmannOptions&, std::span<float>,
                    const std::array<std::span<float>, 3>&, Job&) {
  throw Error("this build has no CUDA");
}

std::vector<float> pb_ion_charge_cuda(const PbNodesOf&, std::span<const ChargedSphere>, const PoissonBoltzmannOptions&,
                                      Job&) {
  throw Error("this build has no CUDA");
}

std::vector<double> pb_slopes_apart_cuda(const PbNodesOf&, const PoissonBoltzmannStart&) {
  throw Error("this build has no CUDA");
}

}  // namespace isolume
