// The hierarchy of path tracing on a CUDA device.
#pragma once

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/trace/trace_tree.h"

namespace isolume::tracing {

struct DeviceTree {
  DeviceArray<Node> nodes;           ///< one less than shapes
  DeviceArray<float4> leaves;        ///< spheres that need no second look; others have a radius below 0
  DeviceArray<std::uint32_t> order;  ///< the shape of each leaf
};

/// Builds it over one shape or more. `data` has addresses of the device.
DeviceTree build_tree(const TraceData& data, Device device, Job& job);

}  // namespace isolume::tracing
