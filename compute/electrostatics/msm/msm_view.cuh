// What the lattice kernels share: nodes, and the shape of their launches.
#pragma once

#include "compute/electrostatics/msm/msm_cuda.h"

namespace isolume {

__device__ __forceinline__ int wrap(int i, int n) {
  i %= n;
  return i < 0 ? i + n : i;
}

__device__ __forceinline__ std::size_t at(const MsmView& v, int x, int y, int z) {
  return (static_cast<std::size_t>(z) * v.padded[1] + y) * v.padded[0] + x;
}

inline constexpr CudaDim cube_block{32, 4, 2};

inline CudaDim cube_blocks(int x, int y, int z) {
  return {static_cast<unsigned>((x + 31) / 32), static_cast<unsigned>((y + 3) / 4), static_cast<unsigned>((z + 1) / 2)};
}

#define ISOLUME_NODE(counts)                                             \
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); \
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); \
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z); \
  if (x >= (counts)[0] || y >= (counts)[1] || z >= (counts)[2]) return

}  // namespace isolume
