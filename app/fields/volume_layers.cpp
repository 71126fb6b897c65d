// Volumes layer by layer, and steps shared by whole volumes and those in slabs.
#include "app/fields/volume_layers.h"

#include <algorithm>
#include <utility>

#include "app/fields/device_volume.h"
#include "render/represent/diverging_scale.h"

namespace isolume {

LayerSource layers_of_volume(std::shared_ptr<const Molecule> molecule, const Volume& volume) {
  return [&volume, molecule = std::move(molecule)](LayerRange layers, Values values, Colours, Job&) {
    copy_memory(values.data, values.device, volume.values.data() + volume.grid.index(0, 0, layers.first), Device::cpu(),
                values.size * sizeof(float));
  };
}

LayerSource layers_of_density(std::span<const DensityAtom> atoms, const Grid& grid,
                              const GaussianDensityOptions& options, Device device) {
  struct Resident {
    DensityAtoms atoms;
    DensityWorkspace workspace;
  };
  auto resident = std::make_shared<Resident>();
  resident->atoms = DensityAtoms(atoms, device);
  return [resident, grid, options](LayerRange layers, Values values, Colours colours, Job& job) {
    gaussian_density_layers(resident->atoms, grid, layers, options, values, colours, job, resident->workspace);
  };
}

SurfaceColours DeviceVolume::surface_colours() const {
  if (scalars.empty() || !legend) return colours.span();
  SurfaceColours by;
  by.scalars = scalars.span();
  by.lower = -scalar_limit;
  by.upper = scalar_limit;
  // A legend that begins at 0 has the upper half of the colours; NaN is the white in their middle.
  by.map = legend->lower < 0 ? legend->colours : red_white_blue_colours();
  return by;
}

Mesh DeviceVolume::mesh(const MarchingCubesOptions& options, Job& job) const {
  if (!slabs) return marching_cubes(values.span(), grid, options, surface_colours(), job);
  MarchingCubes cubes = marching_cubes_in_slabs(*slabs, options);
  return marching_cubes(cubes, slabs->device, {}, slabs->coloured, job);
}

std::vector<float> DeviceVolume::host_values(Job& job) const {
  if (!slabs) return values.copy_to_host();
  std::vector<float> result(grid.size());
  const std::size_t points = grid.index(0, 0, 1);
  DeviceArray<float> part(points * static_cast<std::size_t>(slabs->layers), slabs->device, "layers of a volume");
  for (int first = 0; first < grid.counts.z; first += slabs->layers) {
    const int count = std::min(slabs->layers, grid.counts.z - first);
    const Span<float> layers(part.data(), points * static_cast<std::size_t>(count), slabs->device);
    slabs->source({first, count}, layers, {}, job);
    copy_memory(result.data() + points * static_cast<std::size_t>(first), Device::cpu(), layers.data, layers.device,
                layers.bytes());
  }
  return result;
}

}  // namespace isolume
