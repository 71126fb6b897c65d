// Stream: the queue in which one thread's work on a CUDA device runs.
#include "compute/base/stream.h"

#include "compute/base/device_fault.h"

namespace isolume {

Stream::Stream(Device device) : device_(device), scope_(device) {
  if (device.is_cuda()) cuda_check(cuda_api().stream_create(&handle_), "creating a stream");
}

Stream::~Stream() {
  if (!handle_) return;
  // There is nobody to tell, but the device is lost where this says so.
  note_cuda_code(cuda_api().stream_synchronize(handle_), "waiting for the device");
  cuda_api().stream_destroy(handle_);
}

void Stream::synchronize(const char* what) {
  if (handle_) cuda_check(cuda_api().stream_synchronize(handle_), what);
}

}  // namespace isolume
