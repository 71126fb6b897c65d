// The bodies of densities and of many orbitals at once on CUDA; only the dispatchers and the bodies include this.
#pragma once

#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/grid.h"

namespace isolume {

/// Densities at one point: with the weights, and with their magnitudes.
struct DensityValue {
  double density = 0;
  double absolute = 0;
};

/// The sum of the parts' densities at points (bohr), nothing screened.
std::vector<DensityValue> density_at_points_cuda(std::span<const DensityFunctions> parts,
                                                 std::span<const glm::dvec3> points, Device device);

/// The sum of the parts' densities on a grid, shells cut as the parts say.
void density_cuda(std::span<const DensityFunctions> parts, const Grid& grid, Span<float> density, Job& job);

/// The amplitudes of the first `count` orbitals of `functions`, one grid after another.
void amplitudes_cuda(const DensityFunctions& functions, std::size_t count, const Grid& grid, Span<float> amplitudes,
                     Job& job);

/// The amplitudes of the first `count` orbitals at points (bohr), orbital by orbital, nothing screened.
std::vector<float> amplitudes_at_points_cuda(const DensityFunctions& functions, std::size_t count,
                                             std::span<const glm::dvec3> points, Device device);

}  // namespace isolume
