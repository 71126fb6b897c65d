// A real fault of a CUDA device, for test programs alone.
#pragma once

namespace isolume::test {

/// Runs a kernel that reads address 0 on a device and waits for it: CUDA's code, 700 (an illegal address), after which
/// the device computes nothing more in this process.
int read_address_zero(int device = 0);

}  // namespace isolume::test
