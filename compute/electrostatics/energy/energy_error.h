// The measured error of forces: against sums in double precision, at sampled atoms.
#pragma once

#include <cstddef>
#include <span>

#include "compute/base/job.h"
#include "compute/electrostatics/energy/electrostatics.h"

namespace isolume {

/// How far forces are off, in kcal/(mol angstrom).
struct ForceError {
  double rms = 0;       ///< of the length of the difference
  double max = 0;       ///< the largest
  double relative = 0;  ///< rms over the RMS force
  std::size_t atoms = 0;
  const char* reference = "";
};

/// Compares forces (one per atom) at `samples` atoms, spread evenly over the system, with the direct sum or, where
/// `periodic`, with Ewald's sum to 1e-9 of the largest terms. Takes time in proportion to samples * atoms and, with
/// periodicity, to some thousand waves * atoms. Throws Error (cancelled).
ForceError electrostatic_error(const ElectrostaticProblem& problem, std::span<const glm::vec3> positions,
                               std::span<const glm::vec3> forces, bool periodic, std::size_t samples, Job& job);

}  // namespace isolume
