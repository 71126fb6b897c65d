// What one charge adds at a point, in the dielectric of hierarchical charge partitioning, on the device.
#pragma once

#include <type_traits>

#include "compute/potential/direct_math.h"
#include "compute/potential/fast_math.cuh"
#include "compute/potential/hcp_device.h"

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

/// What a thread sums: its point and the sums there.
template <bool field>
struct HcpPointSums {
  float x, y, z;
  float v = 0, ex = 0, ey = 0, ez = 0;
};

/// Sums are in units of 1/(k A) and 1/(k A^2), k = S^3 (D - 1)/2 where the dielectric is sigmoidal (HcpDeviceLaw), 1
/// where it is constant.
template <bool sigmoidal, bool field, bool careful>
__device__ __forceinline__ void hcp_add_charge(const HcpCharge& c, float q, const HcpDeviceLaw& law,
                                               HcpPointSums<field>& sums) {
  const float dx = sums.x - c.x, dy = sums.y - c.y, dz = sums.z - c.z;
  const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
  float inverse = fast_rsqrt(r2);
  if (careful && r2 < static_cast<float>(coincidence * coincidence)) inverse = 0;
  if constexpr (sigmoidal) {
    const float r = r2 * inverse;
    const float fall = fast_exp2(r * law.decay);
    // 1/eps with eps in units of k, so that eps' = r^2 exp(-S r): E = V (1/r + eps'/eps) r/|r|.
    const float u = fast_reciprocal(fmaf(-fmaf(r, fmaf(r, law.square, law.linear), law.constant), fall, law.bulk));
    const float value = q * (u * inverse);
    sums.v += value;
    if constexpr (field) {
      const float along = value * inverse * fmaf(r2 * fall, u, inverse);
      sums.ex = fmaf(along, dx, sums.ex);
      sums.ey = fmaf(along, dy, sums.ey);
      sums.ez = fmaf(along, dz, sums.ez);
    }
  } else {
    const float value = q * inverse;
    sums.v += value;
    if constexpr (field) {
      const float along = value * inverse * inverse;
      sums.ex = fmaf(along, dx, sums.ex);
      sums.ey = fmaf(along, dy, sums.ey);
      sums.ez = fmaf(along, dz, sums.ez);
    }
  }
}

}  // namespace isolume
