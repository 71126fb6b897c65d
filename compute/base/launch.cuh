// launch: a named, timed kernel launch through the table of CUDA functions.
#pragma once

#include <array>
#include <type_traits>

#include "compute/base/cuda_api.h"
#include "compute/base/stream.h"
#include "compute/base/timing.h"

namespace isolume {

/// Puts kernel(arguments...) into the stream; arguments are converted to the kernel's parameter types.
template <class... Parameters, class... Arguments>
void launch(const char* name, const Stream& stream, void (*kernel)(Parameters...), CudaDim grid, CudaDim block,
            Arguments... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments));
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  const LaunchTimer timer(name, stream.device().index, stream.handle());
  [&](std::remove_const_t<Parameters>... converted) {
    std::array<void*, sizeof...(Parameters)> pointers{static_cast<void*>(&converted)...};
    cuda_check(
        cuda_api().launch(reinterpret_cast<const void*>(kernel), grid, block, pointers.data(), 0, stream.handle()),
        name);
  }(static_cast<std::remove_const_t<Parameters>>(arguments)...);
}

/// Blocks of `block` threads for `count` items.
inline CudaDim blocks_for(std::size_t count, unsigned block = 256) {
  return {static_cast<unsigned>((count + block - 1) / block), 1, 1};
}

}  // namespace isolume
