// With ISOLUME_REQUIRE_CUDA=1 a test program fails where no CUDA device computes: its lists of devices would shrink to
// the CPU without a word.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/device_array.h"

namespace isolume {
namespace {

class RequireCuda : public testing::Environment {
 public:
  void SetUp() override {
    const char* const wanted = std::getenv("ISOLUME_REQUIRE_CUDA");
    if (wanted == nullptr || std::string_view(wanted) != "1") return;
    std::size_t computing = 0;
    for (const DeviceInfo& info : list_devices()) {
      if (!info.usable || !info.device.is_cuda()) continue;
      const std::vector<int> numbers{1, 2, 3};
      computing += DeviceArray<int>::from_host(numbers, info.device).copy_to_host() == numbers;
    }
    if (computing == 0) FAIL() << "ISOLUME_REQUIRE_CUDA=1, but no CUDA device computes here: " << cuda_status();
  }
};

// GoogleTest owns it.
[[maybe_unused]] const testing::Environment* const environment = testing::AddGlobalTestEnvironment(new RequireCuda);

}  // namespace
}  // namespace isolume
