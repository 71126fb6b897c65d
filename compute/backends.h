// The bodies behind each computation, one per kind of device; only the dispatchers and the bodies include this.
#pragma once

#include <memory>
#include <span>

#include "compute/density/gaussian_density.h"
#include "compute/isosurface/marching_cubes_body.h"
#include "compute/potential/direct.h"

namespace isolume {

void direct_potential_cpu(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);
void direct_potential_cuda(std::span<const PointCharge> charges, const Grid& grid, Span<float> potential, Job& job);

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

std::unique_ptr<MarchingCubes::Body> marching_cubes_cpu(Storage element);
std::unique_ptr<MarchingCubes::Body> marching_cubes_cuda(Storage element, Device device);

}  // namespace isolume
