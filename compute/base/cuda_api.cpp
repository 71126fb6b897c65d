// The thin table that every CUDA call goes through: which one is in use, and its errors in words.
#include "compute/base/cuda_api.h"

#include <fmt/core.h>

#include <atomic>

#include "compute/base/device_fault.h"
#include "molecule/base/error.h"

namespace isolume {

namespace {
std::atomic<const CudaApi*> test_api{nullptr};  // instead of the program's own
std::string off_because;
thread_local int scope_device = -1;  // the current one, as far as a DeviceScope knows
}  // namespace

const CudaApi& cuda_api() {
  const CudaApi* api = test_api.load(std::memory_order_acquire);
  return api ? *api : built_in_cuda_api();
}

void switch_cuda_off(const std::string& why) {
  static const CudaApi none;
  off_because = why;
  test_api.store(&none, std::memory_order_release);
}

std::string cuda_off() {
  return off_because;
}

void set_cuda_api_for_test(const CudaApi* api) {
  test_api.store(api, std::memory_order_release);
  off_because.clear();
  forget_lost_devices();
}

void cuda_check(int code, const char* what) {
  if (code != 0) throw device_fault(code, what);
}

Device current_cuda_device() {
  int device = scope_device;
  const CudaApi& api = cuda_api();
  if (device < 0 && (!api.get_device || api.get_device(&device) != 0)) device = 0;
  return Device::cuda(device);
}

DeviceScope::DeviceScope(Device device) {
  if (!device.is_cuda()) return;
  const CudaApi& api = cuda_api();
  if (!api.set_device) throw Error(fmt::format("{} is not available: {}", to_string(device), cuda_status()));
  if (const auto lost = lost_device(device)) throw DeviceFault(lost->message, device, lost->code, true);
  int current = 0;
  const int before = scope_device;
  scope_device = device.index;  // whose fault it is, if there is one
  try {
    cuda_check(api.get_device(&current), "asking for the current device");
    cuda_check(api.set_device(device.index), "choosing a CUDA device");
  } catch (...) {
    scope_device = before;
    throw;
  }
  before_ = current;
}

DeviceScope::~DeviceScope() {
  if (before_ < 0) return;
  cuda_api().set_device(before_);
  scope_device = before_;
}

}  // namespace isolume
