// A potential map in host memory, made in slabs where a device has not the memory for all of it, and on several
// devices.
#pragma once

#include <cstddef>
#include <span>

#include "compute/electrostatics/method.h"
#include "compute/schedule/tile_book.h"

namespace isolume {

/// How a map was made.
struct SlabReport {
  int slabs = 1;                      ///< along the grid's third axis, on all devices together
  bool short_of_memory = false;       ///< more layers at a time would have been taken
  std::size_t bytes = 0;              ///< the most that was predicted for one device
  std::vector<WorkerRecord> workers;  ///< what each device did
};

/// The potential in volts at the points of a grid, `values` in host memory. A CUDA device that has not the memory for
/// the map (available_memory(), --memory-limit) makes as many layers at a time as it has for. Several devices take the
/// layers from one another (run_tiles()), each as fast as it is; a device that fails or makes wrong values is made up
/// for by the others. pb is solved whole, on the first. The values are those of potential(), to rounding; those of
/// several devices of one kind have the same bits whoever made them. `room`: what it keeps, where one device computes.
/// Throws Error, among others where one layer is too much, and where layers are missing because all devices failed.
SlabReport potential_map_in_slabs(std::span<const ChargedSphere> spheres, const Grid& grid,
                                  const PotentialOptions& options, std::span<const Device> devices,
                                  std::span<float> values, Job& job, PotentialRoom* room = nullptr);

/// How long a map of `charges` charges takes on one GPU, very roughly: from the number of pairs, at 10^12 a second. To
/// decide whether more devices are worth their start.
double rough_map_seconds(std::size_t charges, const Grid& grid, const PotentialOptions& options);

}  // namespace isolume
