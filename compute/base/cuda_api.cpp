// The thin table that every CUDA call goes through: which one is in use, and its errors in words.
#include "compute/base/cuda_api.h"

#include <fmt/core.h>

#include <atomic>

#include "molecule/base/error.h"

namespace isolume {

namespace {
std::atomic<const CudaApi*> test_api{nullptr};
}

const CudaApi& cuda_api() {
  const CudaApi* api = test_api.load(std::memory_order_acquire);
  return api ? *api : built_in_cuda_api();
}

void set_cuda_api_for_test(const CudaApi* api) {
  test_api.store(api, std::memory_order_release);
}

void cuda_check(int code, const char* what) {
  if (code == 0) return;
  const CudaApi& api = cuda_api();
  const char* words = api.error_text ? api.error_text(code) : "CUDA is not available";
  throw Error(fmt::format("{}: {} (CUDA error {})", what, words, code));
}

DeviceScope::DeviceScope(Device device) {
  if (!device.is_cuda()) return;
  const CudaApi& api = cuda_api();
  if (!api.set_device) throw Error(fmt::format("{} is not available: {}", to_string(device), cuda_status()));
  int current = 0;
  cuda_check(api.get_device(&current), "asking for the current device");
  cuda_check(api.set_device(device.index), "choosing a CUDA device");
  before_ = current;
}

DeviceScope::~DeviceScope() {
  if (before_ >= 0) cuda_api().set_device(before_);
}

}  // namespace isolume
