// A quick test of a device before it is used: memory, copies, and a kernel with a known answer.
#include "compute/base/device_probe.h"

#include <fmt/core.h>

#include <cstdint>
#include <numeric>

#include "compute/base/device_array.h"
#include "compute/base/device_fault.h"

namespace isolume {

void probe_device(Device device) {
  constexpr std::size_t count = 1 << 16;
  constexpr const char* what = "device test";
  std::vector<std::uint32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(i % 251);
  std::vector<std::uint32_t> expected(count);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0u);
  std::vector<std::uint32_t> found;
  {
    Stream stream(device);
    const auto in = DeviceArray<std::uint32_t>::from_host(values, stream, what);
    DeviceArray<std::uint32_t> out(count, stream, what);
    if (device.is_cuda()) {
      const CudaApi& api = cuda_api();
      std::size_t bytes = 0;
      cuda_check(api.exclusive_sum(nullptr, &bytes, in.data(), out.data(), count, stream.handle()), what);
      DeviceArray<char> room(bytes, stream, what);
      cuda_check(api.exclusive_sum(room.data(), &bytes, in.data(), out.data(), count, stream.handle()), what);
      stream.synchronize(what);
    } else {
      std::exclusive_scan(in.data(), in.data() + count, out.data(), 0u);
    }
    found = out.copy_to_host();
    stream.synchronize(what);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (found[i] == expected[i]) continue;
    throw DeviceFault(
        fmt::format("{}: {} computed {} where {} is right", what, to_string(device), found[i], expected[i]), device, 0,
        false);
  }
}

}  // namespace isolume
