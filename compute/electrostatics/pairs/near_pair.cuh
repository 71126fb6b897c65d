// What a pair within the cutoff adds to the near sum on CUDA.
#pragma once

#include "compute/electrostatics/charges/fast_math.cuh"
#include "compute/electrostatics/pairs/near_geometry.h"

namespace isolume {

namespace near_cuda {

/// The function at s = (r / cutoff)^2, of the Taylor kind without its constant term, times the charge and added.
template <PairFunction::Kind kind, int order, bool sigmoidal, bool checked>
__device__ __forceinline__ void add_pair(float z, float d2, float charge, const NearConstants& f, float coincident2,
                                         float& sum) {
  using Kind = PairFunction::Kind;
  const float s = kind == Kind::plain ? fmaf(z, z, d2) : __saturatef(fmaf(z, z, d2));
  float e = fast_rsqrt(s);
  if (checked && s < coincident2) e = 0;
  if constexpr (kind == Kind::taylor) {
    float p = f.coefficient[order];
#pragma unroll
    for (int k = order - 1; k >= 1; --k) p = fmaf(p, s, f.coefficient[k]);
    sum = fmaf(charge, fmaf(-p, s, e), sum);
  } else {
    float v = e;
    if constexpr (kind == Kind::plain) {
      v = s < 1.0f ? e : 0.0f;
    } else if constexpr (kind == Kind::shifted) {
      const float t = 1.0f - s;
      v = e * t * t;
    } else {
      const float t = 1.0f - s;
      const float w = t * t * fmaf(2.0f, s, 1.0f - 3 * f.switching2) * f.switch_scale;
      v = s < f.switching2 ? e : e * w;
    }
    if constexpr (sigmoidal) {
      const float x = s * e * f.slope;
      const float g = fmaf(x, x + 2.0f, 2.0f) * expf(-x);
      v = v / fmaf(-0.5f * (f.bulk - 1), g, f.bulk);
    }
    sum = fmaf(charge, v, sum);
  }
}

}  // namespace near_cuda

}  // namespace isolume
