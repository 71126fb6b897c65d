// Devices: what the machine has to compute with.
#include "compute/device.h"
