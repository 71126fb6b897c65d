// A quick test of how surfaces get from a device to OpenGL.
#pragma once

#include <string>

#include "compute/base/device.h"

namespace isolume {

/// Makes a ball's surface on the device and hands it to an OpenGL context without a window. What it took: the way
/// (GlShare::path()), or why there is no OpenGL to hand it to. Throws Error that says what failed.
std::string probe_interop(Device device);

}  // namespace isolume
