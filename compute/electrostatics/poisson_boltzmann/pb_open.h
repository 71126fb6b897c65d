// Where the ions of the electrolyte may be.
#pragma once

#include "compute/base/host_device.h"

namespace isolume {

/// How much of a node's cell is open to ions: of what is no membrane (`free`), what is outside of the surface that they
/// keep to. That surface is `depth` angstrom above the node, and what is open goes from 0 to 1 over 1.25 cells.
ISOLUME_HOST_DEVICE inline double pb_open_to_ions(double free, double depth, double cell) {
  const double open = 0.5 - depth / (1.25 * cell);
  return free * (open < 0 ? 0 : open > 1 ? 1 : open);
}

}  // namespace isolume
