// Places of atoms on the mesh of SPME, as its kernels find them.
#pragma once

#include <cstdint>

namespace isolume {

/// Mesh point below a coordinate, and how far beyond it.
__device__ __forceinline__ int split(std::uint32_t u, int n, float& beyond) {
  beyond = static_cast<float>(u * static_cast<std::uint32_t>(n)) * 0x1p-32f;
  return static_cast<int>(__umulhi(u, static_cast<std::uint32_t>(n)));
}

}  // namespace isolume
