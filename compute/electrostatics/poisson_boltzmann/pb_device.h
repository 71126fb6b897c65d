// A discrete Poisson-Boltzmann problem in the memory of a CUDA device, and its solver.
#pragma once

#include <memory>

#include "compute/base/device_array.h"
#include "compute/electrostatics/poisson_boltzmann/pb_harmonic_fit.h"
#include "compute/electrostatics/poisson_boltzmann/pb_solver.h"

namespace isolume {

/// What takes the place of a linear problem's coefficients and sources where memory is short.
struct PbCompact {
  static constexpr float most = 65535;  ///< of the codes
  DeviceArray<std::uint16_t> cx, cy, cz, kappa;
  float base[3] = {}, slope[3] = {};  ///< an edge's coefficient is 1 / (base + slope code)
  float ions = 0;                     ///< kappa is this times the code
  DeviceArray<std::uint32_t> nodes;   ///< the first `count` are those that have a source
  DeviceArray<float> sources;         ///< theirs
  std::size_t count = 0;
};

/// As PbProblem; arrays are of one stream.
struct PbDeviceProblem {
  glm::ivec3 counts{0};
  DeviceArray<float> cx, cy, cz, kappa, source;  ///< empty where there is `compact`
  std::unique_ptr<PbCompact> compact;
  DeviceArray<std::uint8_t> inside;
  PbIons ions;
  bool nonlinear = false;
};

/// As pb_solve_cuda, from and to device memory. Where nothing is guessed u is 0 inside.
PbProgress pb_solve_on_device(const PbDeviceProblem& problem, const PoissonBoltzmannOptions& options,
                              DeviceArray<double>& u, bool guessed, Stream& stream, Job& job);

}  // namespace isolume
