// The bodies of Gaussian densities, one per kind of device; only the dispatcher and the bodies include this.
#pragma once

#include "compute/density/gaussian_density.h"

namespace isolume {

/// One density, checked: atoms in host memory or on the device of the values.
struct DensityTask {
  DensityAtomView atoms;
  Device atoms_on;
  const Grid& grid;
  LayerRange layers;
  const GaussianDensityOptions& options;
  Values density;
  Colours colours;
};
void gaussian_density_cpu(const DensityTask& task, Job& job, DensityWorkspace::Memory& memory);
/// Put into the stream, and what is to be asked when that was waited for.
void start_gaussian_density_cuda(const DensityTask& task, Stream& stream, Job& job, DensityWorkspace::Memory& memory);
void finish_gaussian_density_cuda(DensityWorkspace::Memory& memory);

}  // namespace isolume
