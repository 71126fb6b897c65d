// Staging: large copies between ordinary host memory and a CUDA device, at the speed of the bus.
#pragma once

#include <cstddef>

#include "compute/base/cuda_api.h"
#include "compute/base/device.h"

namespace isolume {

/// Copies between pageable host memory and `device`, through page-locked buffers that the process keeps: threads copy a
/// piece while the bus moves others. Returns when the copy is done; false, and nothing was done, where it does not pay
/// (few bytes) or there is no page-locked memory. Work in `stream` that was put there before is done first. Throws
/// Error.
bool staged_copy(void* to, const void* from, std::size_t bytes, CudaApi::Direction direction, Device device,
                 void* stream);

}  // namespace isolume
