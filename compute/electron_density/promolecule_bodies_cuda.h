// The CUDA bodies of the promolecule and of the gradient model by Hirshfeld atoms; only the dispatchers and the bodies
// include this.
#pragma once

#include <algorithm>
#include <cstdint>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/electron_density/atomic_density.h"
#include "compute/electron_density/promolecule_body.h"
#include "compute/electron_density/promolecule_map.h"
#include "compute/orbitals/density_functions.h"
#include "molecule/grid.h"

namespace isolume {

void promolecule_on_grid_cuda(const Promolecule::Atoms& atoms, const PromoleculeMaps& maps, const Grid& grid, Job& job);
std::vector<PromoleculePoint> promolecule_at_points_cuda(const Promolecule::Atoms& atoms,
                                                         std::span<const glm::dvec3> points, Device device, Job& job);

/// What the gradient model has of each atom, and the functions of the density.
struct HirshfeldParts {
  const DensityFunctions& functions;
  std::span<const glm::dvec3> positions;  ///< bohr
  std::span<const AtomicDensity* const> free;
  std::span<const double> reach;  ///< bohr
  std::span<const std::uint8_t> parts;
};
void gradient_model_on_grid_cuda(const HirshfeldParts& atoms, const PromoleculeMaps& maps, const Grid& grid, Job& job);
std::vector<PromoleculePoint> gradient_model_at_points_cuda(const HirshfeldParts& atoms,
                                                            std::span<const glm::dvec3> points, Device device,
                                                            Job& job);
/// Planes of a grid whose density is on the device at a time, and the bytes of one point of them.
inline int gradient_model_planes(const Grid& grid) {
  constexpr std::size_t most_points = std::size_t{1} << 21;
  const std::size_t plane = static_cast<std::size_t>(grid.counts.x) * static_cast<std::size_t>(grid.counts.y);
  const std::size_t planes = std::max<std::size_t>(1, most_points / std::max<std::size_t>(1, plane));
  return static_cast<int>(std::min(planes, static_cast<std::size_t>(std::max(1, grid.counts.z))));
}
inline constexpr std::size_t gradient_model_point_bytes = 11 * sizeof(double);

}  // namespace isolume
