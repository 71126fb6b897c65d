// What the bodies of the Gaussian density keep from frame to frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/base/kept_array.h"
#include "compute/base/tiles.h"
#include "compute/density/density_tile.h"
#include "compute/density/gaussian_density.h"

namespace isolume {

struct DensityWorkspace::Memory {
  // CUDA: the sort of the atoms into cells.
  KeptArray<float> raw;  ///< atoms of a call, as they were given
  KeptArray<std::uint32_t> keys, numbers, sorted_keys, sorted_numbers;
  KeptArray<std::uint32_t> starts;     ///< of cells
  KeptArray<unsigned char> temporary;  ///< the sort's own
  KeptArray<glm::vec4> sorted;         ///< two for an atom
  PinnedArray<std::uint32_t> fault;    ///< number of an atom whose position is not finite, from 1; else 0
  // CPU: which atoms touch which tile.
  std::vector<TileRange> ranges;
  std::vector<TileAtom> atoms;  ///< as tiles take them, but from the origin
  TileLists lists;
  std::vector<std::unique_ptr<DensityTile>> tiles;  ///< one for each thread
  std::vector<DensityTileInside> inside;            ///< of each tile, where colours follow a surface
  std::vector<std::uint64_t> coloured;              ///< bricks that have their colours
};

}  // namespace isolume
