// Values at the points of a grid, made by several devices in runs of layers.
#pragma once

#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <span>
#include <string>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/schedule/tile_run.h"
#include "molecule/grid.h"

namespace isolume {

/// What is made: a function of the points alone.
struct LayerMap {
  std::string what;  ///< "orbital"
  Grid grid;
  /// The values of some layers of the grid, which are a grid of their own, on the device of `out`. Called from one
  /// thread for each device at a time.
  std::function<void(const Grid& layers, Span<float> out, Job& job)> make;
  /// Bytes that make() takes of a device, apart from the values.
  std::function<std::size_t(const Grid& layers, Device device)> memory;
  /// For the spot check of a tile: the value at a point by another way, and how far off the made one may be: `floor`
  /// and, of the larger of the value and the RMS around it, `tolerance`. Empty: values have to be finite, no more.
  std::function<double(glm::dvec3 point)> exact;
  double tolerance = 1e-3, floor = 0;
};

/// Makes a map in host memory, x fastest, by run_tiles(): each run of layers as a grid of its own, cut in the same way
/// however many devices there are, so that devices of one kind give the same bits whoever makes which. Throws Error.
TileReport map_in_layers(const LayerMap& map, std::span<const Device> devices, std::span<float> values, Job& job);

}  // namespace isolume
