// Properties of the processor, without asking for other devices.
#pragma once

#include "compute/base/device.h"

namespace isolume {

/// As list_devices() has it first.
DeviceInfo cpu_info();

}  // namespace isolume
