// The CUDA body of Poisson-Boltzmann in a build without CUDA.
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"
#include "molecule/base/error.h"

namespace isolume {

PbProgress pb_solve_cuda(const PbProblem&, const PoissonBoltzmannOptions&, std::span<double>, Device, Job&) {
  throw Error("this build has no CUDA");
}

}  // namespace isolume
