// The bodies of density maps, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include "compute/density_maps/density_map.h"

namespace isolume {

/// One map, checked. Without `comparison` there are no sums; without values in `density` no map is kept.
struct DensityMapTask {
  std::span<const MapAtom> atoms;
  const Grid& grid;
  Span<float> density;
  const MapComparison* comparison = nullptr;
  float largest_sigma = 0;  ///< of the atoms, angstrom
};
/// Six sums in the order of MapSums.
inline MapSums map_sums(const double* values) {
  return {values[0], values[1], values[2], values[3], values[4], values[5]};
}
ComparedSums density_map_cpu(const DensityMapTask& task, Job& job);
ComparedSums density_map_cuda(const DensityMapTask& task, Device device, Job& job);

}  // namespace isolume
