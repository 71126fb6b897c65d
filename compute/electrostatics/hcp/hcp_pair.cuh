// What one charge adds at a point, in the dielectric of hierarchical charge partitioning, on the device.
#pragma once

#include <type_traits>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/hcp/hcp_device.h"

namespace isolume {

inline constexpr int warp = 32;
inline constexpr unsigned whole_warp = 0xffffffffu;

/// Calls use(levels, each), both std::integral_constant, for the kernel of so many levels and charges for a component.
template <class Use>
void with_hcp_shape(std::size_t levels, int each, const Use& use) {
  const auto with_each = [&](auto level_count) {
    each == 2 ? use(level_count, std::integral_constant<int, 2>{}) : use(level_count, std::integral_constant<int, 1>{});
  };
  switch (levels) {
    case 0:
      // No component, so that nothing stands for one.
      use(std::integral_constant<int, 0>{}, std::integral_constant<int, 1>{});
      break;
    case 1:
      with_each(std::integral_constant<int, 1>{});
      break;
    case 2:
      with_each(std::integral_constant<int, 2>{});
      break;
    default:
      with_each(std::integral_constant<int, 3>{});
      break;
  }
}

__device__ inline float warp_extreme(float v, bool minimum) {
  for (int step = 16; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(whole_warp, v, step);
    v = minimum ? fminf(v, other) : fmaxf(v, other);
  }
  return v;
}

/// The bits that any thread of the warp has.
__device__ __forceinline__ unsigned warp_or(unsigned bits) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(whole_warp, bits);
#else
  for (int step = 16; step > 0; step /= 2) bits |= __shfl_xor_sync(whole_warp, bits, step);
  return bits;
#endif
}

/// What a thread sums: its point and the sums there.
template <bool field>
struct HcpPointSums {
  float x, y, z;
  float v = 0, ex = 0, ey = 0, ez = 0;
};

/// The potential of a charge at distance^2 r2, and its field over the distance, in units of 1/(k A) and 1/(k A^3), k =
/// S^3 (D - 1)/2 where the dielectric is sigmoidal (HcpDeviceLaw), 1 where it is constant. `inverse` is 1/r.
template <bool sigmoidal>
__device__ __forceinline__ float hcp_value(float r2, float inverse, float q, const HcpDeviceLaw& law, float* along) {
  if constexpr (sigmoidal) {
    const float r = r2 * inverse;
    const float fall = fast_exp2(r * law.decay);
    // 1/eps with eps in units of k, so that eps' = r^2 exp(-S r): E = V (1/r + eps'/eps) r/|r|.
    const float u = fast_reciprocal(fmaf(-fmaf(r, fmaf(r, law.square, law.linear), law.constant), fall, law.bulk));
    const float value = q * (u * inverse);
    *along = value * inverse * fmaf(r2 * fall, u, inverse);
    return value;
  } else {
    const float value = q * inverse;
    *along = value * inverse * inverse;
    return value;
  }
}

/// Adds what one charge adds; `careful`: nothing where it is at the point.
template <bool sigmoidal, bool field, bool careful, bool potential = true>
__device__ __forceinline__ void hcp_add_charge(const HcpCharge& c, float q, const HcpDeviceLaw& law,
                                               HcpPointSums<field>& sums) {
  const float dx = sums.x - c.x, dy = sums.y - c.y, dz = sums.z - c.z;
  const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
  float inverse = fast_rsqrt(r2);
  if (careful && r2 < static_cast<float>(coincidence * coincidence)) inverse = 0;
  float along;
  const float value = hcp_value<sigmoidal>(r2, inverse, q, law, &along);
  if constexpr (potential) sums.v += value;
  if constexpr (field) {
    sums.ex = fmaf(along, dx, sums.ex);
    sums.ey = fmaf(along, dy, sums.ey);
    sums.ez = fmaf(along, dz, sums.ez);
  }
}

/// A thread's `count` sums added up over the warp: where it can be halved, half of the threads keep half of them, a
/// quarter a quarter. At the end a thread has some of them, from `first` on.
template <int count, unsigned step = warp / 2>
__device__ __forceinline__ void hcp_add_threads(float* sums, unsigned lane, int& first) {
  if constexpr (step > 0 && count % 2 == 0) {
    const bool upper = (lane & step) != 0;
#pragma unroll
    for (int k = 0; k < count / 2; ++k) {
      const float other = __shfl_xor_sync(whole_warp, upper ? sums[k] : sums[k + count / 2], step);
      sums[k] = (upper ? sums[k + count / 2] : sums[k]) + other;
    }
    if (upper) first += count / 2;
    hcp_add_threads<count / 2, step / 2>(sums, lane, first);
  } else if constexpr (step > 0) {
#pragma unroll
    for (int k = 0; k < count; ++k) sums[k] += __shfl_xor_sync(whole_warp, sums[k], step);
    hcp_add_threads<count, step / 2>(sums, lane, first);
  }
}

/// The same, 24 or 32 of them, and then added to those at `to`.
template <int count>
__device__ __forceinline__ void hcp_add_threads_to(float* to, float (&sums)[count]) {
  static_assert(count == 24 || count == 32);
  constexpr int left = count == 24 ? 3 : 1;
  const unsigned lane = threadIdx.x % warp;
  int first = 0;
  hcp_add_threads<count>(sums, lane, first);
  if (count == 24 && lane % 4 != 0) return;
#pragma unroll
  for (int k = 0; k < left; ++k) to[first + k] += sums[k];
}

}  // namespace isolume
