// The device's approximate functions without the care for denormal numbers that the standard ones take.
#pragma once

namespace isolume {

/// 1/sqrt(x) to 2 units in the last place; infinity for 0 and denormal x.
__device__ __forceinline__ float fast_rsqrt(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// 2^x to 2 units in the last place; 0 where that is denormal.
__device__ __forceinline__ float fast_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// 1/x to 1 unit in the last place; infinity for 0 and denormal x.
__device__ __forceinline__ float fast_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

}  // namespace isolume
