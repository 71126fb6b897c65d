// A potential map in host memory, made in slabs where a device has not the memory for all of it, and on several
// devices.
#pragma once

#include <cstddef>
#include <span>

#include "compute/electrostatics/method.h"

namespace isolume {

/// How a map was made.
struct SlabReport {
  int slabs = 1;                 ///< along the grid's third axis, on all devices together
  bool short_of_memory = false;  ///< more layers at a time would have been taken
  std::size_t bytes = 0;         ///< the most that was predicted for one device
};

/// The potential in volts at the points of a grid, `values` in host memory. A CUDA device that has not the memory for
/// the map (available_memory(), --memory-limit) makes as many layers at a time as it has for; several devices share the
/// layers; pb is solved whole, on the first. The values are those of potential(), to rounding. `room`: what it keeps,
/// where one device computes. Throws Error, among others where one layer is too much.
SlabReport potential_map_in_slabs(std::span<const ChargedSphere> spheres, const Grid& grid,
                                  const PotentialOptions& options, std::span<const Device> devices,
                                  std::span<float> values, Job& job, PotentialRoom* room = nullptr);

}  // namespace isolume
