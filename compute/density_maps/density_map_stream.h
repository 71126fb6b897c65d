// One map of a model in a CUDA stream: what is kept from map to map, the start of one, and its sums.
#pragma once

#include "compute/base/kept_array.h"
#include "compute/base/stream.h"
#include "compute/density/gaussian_density.h"
#include "compute/density_maps/density_map_body.h"

namespace isolume {

/// What maps of one size share, so that a steady state allocates nothing. Of one device; one map at a time.
struct DensityMapMemory {
  DensityWorkspace workspace;
  KeptArray<double> tile_sums;  ///< 18 numbers, each of all tiles
  PinnedArray<double> totals;   ///< 18, written by the device
  bool compared = false;        ///< the map that was started has sums
};

/// Puts a map into the stream and does not wait for it, unless it is long. Atoms of `view` are in memory of the
/// stream's device: three numbers of a position, and of a look the width, the height and two that are not used. Those
/// of `task` are not looked at.
void start_density_map_cuda(const DensityAtomView& view, const DensityMapTask& task, Stream& stream, Job& job,
                            DensityMapMemory& memory);
/// The sums, after the stream was waited for. Throws Error (usage) for a position that is not finite.
ComparedSums finish_density_map_cuda(DensityMapMemory& memory);

/// Bytes of one DensityMapMemory.
std::size_t density_map_workspace(std::size_t atoms, const Grid& grid);

}  // namespace isolume
