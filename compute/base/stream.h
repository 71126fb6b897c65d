// Stream: the queue in which one thread's work on a CUDA device runs.
#pragma once

#include "compute/base/cuda_api.h"
#include "compute/base/device.h"

namespace isolume {

/// A CUDA stream with its device made current while it lives. Its destructor waits for what is in it, so that arrays
/// freed after it, and host memory that copies read, are no longer in use. For the CPU it is empty.
class Stream {
 public:
  explicit Stream(Device device);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  Device device() const { return device_; }
  void* handle() const { return handle_; }
  /// Waits until all work in it is done. Throws Error where any of it failed.
  void synchronize(const char* what = "waiting for the device");

 private:
  Device device_;
  DeviceScope scope_;
  void* handle_ = nullptr;
};

}  // namespace isolume
