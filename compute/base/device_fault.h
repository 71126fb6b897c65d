// DeviceFault: a CUDA device failed; and the devices that are lost until the program is started again.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/base/device.h"
#include "molecule/base/error.h"

namespace isolume {

/// A call of CUDA failed: memory that is not there, a kernel that does not start, or a fault that ends the context.
/// What was computed can be computed again on another device.
class DeviceFault : public Error {
 public:
  DeviceFault(const std::string& message, Device device, int code, bool lost)
      : Error(message), device_(device), code_(code), lost_(lost) {}

  Device device() const { return device_; }
  int code() const { return code_; }  ///< CUDA's
  /// The device computes nothing more in this process.
  bool lost() const { return lost_; }

 private:
  Device device_;
  int code_;
  bool lost_;
};

// cuda_check() and DeviceScope (cuda_api.h) throw it. From the first code that ends a context on, the device is lost:
// every later fault of it says the same, choose_device() passes over it, and DeviceScope lets nobody in.

/// True for the codes after which CUDA's context returns the same error for ever (700, an illegal address, and its
/// kind): CUDA asks that the process be ended and started again. Resetting the device instead would pull memory,
/// streams and what is shared with OpenGL from under whoever still holds them.
bool ends_context(int code);

/// A device that is lost, and the first thing that said so.
struct LostDevice {
  Device device;
  int code = 0;
  std::string what;     ///< "direct potential: an illegal memory access was encountered (CUDA error 700)"
  std::string message;  ///< the same, and what it means for the user
};

/// The devices that are lost, in the order in which they were. Any thread.
std::vector<LostDevice> lost_devices();
std::optional<LostDevice> lost_device(Device device);

/// The device that is current for the calling thread, as far as a DeviceScope chose it; else what CUDA says.
Device current_cuda_device();

/// Looks at a code that nobody is to be told, as in a destructor: a device that it ends is lost from now on.
void note_cuda_code(int code, const char* what) noexcept;

/// The code's error as cuda_check() throws it; the device is lost where the code ends its context.
DeviceFault device_fault(int code, const std::string& what);

/// From now on the device is lost for this reason, as where a test of it failed.
void retire_device(Device device, const std::string& why);

/// From now on there is no CUDA, and cuda_status() is `why`; before the first call of CUDA.
void switch_cuda_off(const std::string& why);
/// That, empty while CUDA is on.
std::string cuda_off();

/// For tests: no device is lost. set_cuda_api_for_test() does so.
void forget_lost_devices();

/// Where to compute again what failed on a device: on another CUDA device where that one is lost, else on the CPU.
Device device_instead(const DeviceFault& fault);

/// compute(device), and where the device fails, again on device_instead(). `told` gets the fault before each other try.
template <class Compute, class Told>
auto on_device_or_another(Device device, const Compute& compute, const Told& told) {
  for (;;) {
    try {
      return compute(device);
    } catch (const DeviceFault& fault) {
      if (!device.is_cuda()) throw;
      const Device next = device_instead(fault);
      told(fault, next);
      device = next;
    }
  }
}

}  // namespace isolume
