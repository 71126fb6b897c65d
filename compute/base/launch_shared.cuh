// launch_shared: a launch of a kernel with shared memory whose size is known as the program runs.
#pragma once

#include "compute/base/launch.cuh"

namespace isolume {

/// As launch(), with `shared_bytes` of dynamic shared memory for each block: more than 48 KiB where the device has it.
template <class... Parameters, class... Arguments>
void launch_shared(const char* name, const Stream& stream, void (*kernel)(Parameters...), CudaDim grid, CudaDim block,
                   std::size_t shared_bytes, Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments));
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  const LaunchTimer timer(name, stream.device().index, stream.handle());
  [&](std::remove_const_t<Parameters>... converted) {
    std::array<void*, sizeof...(Parameters)> pointers{static_cast<void*>(&converted)...};
    cuda_check(cuda_api().launch(reinterpret_cast<const void*>(kernel), grid, block, pointers.data(), shared_bytes,
                                 stream.handle()),
               name);
  }(static_cast<std::remove_const_t<Parameters>>(arguments)...);
}

}  // namespace isolume
