// A discrete Poisson-Boltzmann problem in the memory of a CUDA device, and its solver.
#pragma once

#include "compute/base/device_array.h"
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"

namespace isolume {

/// As PbProblem; arrays are of one stream.
struct PbDeviceProblem {
  glm::ivec3 counts{0};
  DeviceArray<float> cx, cy, cz, kappa, source;
  DeviceArray<std::uint8_t> inside;
  PbIons ions;
  bool nonlinear = false;
};

/// As pb_solve_cuda, from and to device memory. Where nothing is guessed u is 0 inside.
PbProgress pb_solve_on_device(const PbDeviceProblem& problem, const PoissonBoltzmannOptions& options,
                              DeviceArray<double>& u, bool guessed, Stream& stream, Job& job);

}  // namespace isolume
