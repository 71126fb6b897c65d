// A quick test of a device before it is used: memory, copies, and a kernel with a known answer.
#pragma once

#include "compute/base/device.h"

namespace isolume {

/// Takes memory on a device, sends numbers there, runs kernels over them and compares what comes back. Throws Error
/// (DeviceFault of a CUDA device) that says what failed. A driver that is broken badly enough ends the program: whoever
/// must live runs it in another one (`isolume devices --test`).
void probe_device(Device device);

}  // namespace isolume
