// What is remote from a tile of atoms, as a Taylor series of its potential about the tile's centre, on the device.
#pragma once

#include "compute/electrostatics/hcp/hcp_expansion.h"
#include "compute/electrostatics/hcp/hcp_pair.cuh"

namespace isolume {

/// f_k = (1/r d/dr)^k of q/(eps r) in the units of HcpDeviceLaw, k = 0 to 3; `r2` is not 0.
template <bool sigmoidal>
__device__ __forceinline__ void hcp_derivatives(float r2, float q, const HcpDeviceLaw& law, float (&f)[4]) {
  const float y = fast_rsqrt(r2), y2 = y * y;
  const float h0 = q * y, h1 = -h0 * y2, h2 = -3 * h1 * y2, h3 = -5 * h2 * y2;
  if constexpr (sigmoidal) {
    const float r = r2 * y;
    const float fall = fast_exp2(r * law.decay);
    const float w = fast_reciprocal(fmaf(-fmaf(r, fmaf(r, law.square, law.linear), law.constant), fall, law.bulk));
    // Of eps, then of w = 1/eps by Leibniz' rule for eps w = 1, then for the product of w and q/r.
    const float e1 = r * fall, e2 = fall * (y - law.slope);
    const float e3 = fall * y * fmaf(-y, y + law.slope, law.slope * law.slope);
    const float w1 = -w * w * e1;
    const float w2 = -w * fmaf(w, e2, 2 * w1 * e1);
    const float w3 = -w * fmaf(w, e3, 3 * fmaf(w1, e2, w2 * e1));
    f[0] = h0 * w;
    f[1] = fmaf(h1, w, h0 * w1);
    f[2] = fmaf(h2, w, fmaf(2 * h1, w1, h0 * w2));
    f[3] = fmaf(h3, w, fmaf(3.0f, fmaf(h2, w1, h1 * w2), h0 * w3));
  } else {
    f[0] = h0, f[1] = h1, f[2] = h2, f[3] = h3;
  }
}

/// Adds the charges at `count` places to the series about `centre`: each thread of the warp takes every 32nd.
template <bool sigmoidal>
__device__ __noinline__ void hcp_expand(const HcpCharge* charges, const std::uint32_t* places, int count, float3 centre,
                                        HcpDeviceLaw law, float* series) {
  const unsigned lane = threadIdx.x % warp;
  float a[hcp_terms] = {};
  __syncwarp();
#pragma unroll 1
  for (int n = static_cast<int>(lane); n < count; n += warp) {
    const HcpCharge c = charges[places[n]];
    const float x = centre.x - c.x, y = centre.y - c.y, z = centre.z - c.z;
    float f[4];
    hcp_derivatives<sigmoidal>(fmaf(x, x, fmaf(y, y, z * z)), c.q, law, f);
    hcp_add_terms(x, y, z, f, a);
  }
  hcp_add_threads_to(series, a);
  __syncwarp();
}

/// The series at `u` from the centre, added to (E, V).
static __device__ __noinline__ float4 hcp_add_series(const float* series, float3 u, float4 before) {
  float e[3] = {before.x, before.y, before.z}, v = before.w;
  hcp_evaluate(series, u.x, u.y, u.z, e, v);
  return {e[0], e[1], e[2], v};
}

}  // namespace isolume
