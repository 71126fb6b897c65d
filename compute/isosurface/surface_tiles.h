// Surfaces of volumes that several devices make in slabs: each the values of some layers and the mesh between them.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <span>
#include <string>

#include "compute/isosurface/slab_surface.h"
#include "compute/schedule/tile_run.h"
#include "molecule/mesh.h"

namespace isolume {

/// What is made: values of layers, where the source gives the same wherever a range begins at a multiple of
/// density_layer_step, and their surface.
struct SurfaceTiles {
  std::string what;  ///< "Gaussian surface"
  Grid grid;
  MarchingCubesOptions options;
  Storage element = Storage::float32;
  bool coloured = false;
  Storage colour_element = Storage::unorm8;
  /// Makes layers on a device; asked for once by each, from the thread that then uses it.
  std::function<LayerSource(Device device)> source;
  /// Bytes that a source takes of its device, for so many layers at a time; empty: few.
  std::function<std::size_t(int layers)> workspace;
  /// For the spot check of a tile: the value at a point by another way, to `tolerance` of the larger of it and 1.
  /// Empty: the mesh has to be finite, no more.
  std::function<double(glm::dvec3 point)> exact;
  double tolerance = 1e-3;
};

/// The mesh in host memory, vertex by vertex and triangle by triangle that of the whole volume, by run_tiles(): the
/// bits do not depend on which devices of one kind made what, on faults, or on how large the tiles were. `report`: what
/// each device did. Throws Error.
Mesh surface_in_tiles(const SurfaceTiles& surface, std::span<const Device> devices, TileReport& report, Job& job);

}  // namespace isolume
