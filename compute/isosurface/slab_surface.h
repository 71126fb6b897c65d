// Surfaces of volumes that do not fit into memory: layer by layer, with the same mesh.
#pragma once

#include <functional>

#include "compute/density/gaussian_density.h"
#include "compute/isosurface/marching_cubes.h"

namespace isolume {

/// Computes layers.count layers of a volume into `values`, and their colours where those are wanted. Called for
/// consecutive ranges from layer 0 on, several times over.
using LayerSource = std::function<void(LayerRange layers, Values values, Colours colours, Job& job)>;

/// A volume that is computed in slabs while its surface is taken.
struct SlabVolume {
  Grid grid;
  Device device;
  Storage element = Storage::float32;  ///< of the values in memory
  bool coloured = false;
  Storage colour_element = Storage::unorm8;
  int layers = density_layer_step;  ///< at a time; a multiple of density_layer_step
  LayerSource source;
};

/// Marching cubes of such a volume. count() computes it once, fill() once more; vertices, triangles and their order are
/// those of the whole volume. The colours given to fill() are not used: they are the source's. Throws Error (usage) for
/// a number of layers that is not a multiple of density_layer_step.
MarchingCubes marching_cubes_in_slabs(SlabVolume volume, const MarchingCubesOptions& options);

/// Bytes that it takes on the device apart from the mesh and the workspace of the source.
std::size_t slab_memory(const Grid& grid, Device device, int layers, Storage element, bool coloured,
                        Storage colour_element);

/// The most layers at a time for which slab_memory() + workspace(layers) is at most `bytes`: the grid's own number
/// where the whole fits, 0 where density_layer_step layers do not.
int layers_that_fit(const SlabVolume& volume, std::size_t bytes, const std::function<std::size_t(int)>& workspace);

}  // namespace isolume
