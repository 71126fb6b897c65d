// One warp's walk through the hierarchy: what acts on its points, decided point by point.
#pragma once

#include "compute/potential/direct_math.h"
#include "compute/potential/fast_math.cuh"
#include "compute/potential/hcp_device.h"

namespace isolume {

inline constexpr int warp = 32;
inline constexpr unsigned whole_warp = 0xffffffffu;

/// What a thread sums: its point and the sums there.
template <bool field>
struct HcpPointSums {
  float x, y, z;
  float v = 0, ex = 0, ey = 0, ez = 0;
};

template <bool sigmoidal, bool field, bool careful>
__device__ __forceinline__ void hcp_add_charge(const HcpCharge& c, float q, const HcpDeviceSystem& s,
                                               HcpPointSums<field>& sums) {
  const float dx = sums.x - c.x, dy = sums.y - c.y, dz = sums.z - c.z;
  const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
  float inverse = fast_rsqrt(r2);
  if (careful && r2 < static_cast<float>(coincidence * coincidence)) inverse = 0;
  if constexpr (sigmoidal) {
    const float r = r2 * inverse;
    const float x = r * s.slope;
    const float fall = s.half * fast_exp2(-r * s.slope_log2);
    const float eps = fmaf(-fmaf(x, x + 2.0f, 2.0f), fall, s.bulk);
    const float u = __fdividef(1.0f, eps);
    const float value = q * (u * inverse);
    sums.v += value;
    if constexpr (field) {
      // E = V (1/r + eps'/eps) r/|r|, eps' = S (D - 1)/2 x^2 exp(-x).
      const float along = value * inverse * fmaf(x * x * fall, u * s.slope, inverse);
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

/// One warp's walk for 32 / streams points: with two streams lanes 16 apart share a point and take every second charge
/// each, so that the points of a warp lie nearer to each other and less is summed that is near for some of them only.
/// `taking_part` says for each thread whether what is visited acts on its point by its parts.
template <int levels, int each, bool sigmoidal, bool field, int streams>
struct HcpWalk {
  static_assert(streams == 1 || streams == 2);
  const HcpDeviceSystem& s;
  HcpPointSums<field>& sums;
  HcpCharge* staged;  ///< 32 * each + 1, the warp's own
  float cx, cy, cz, radius;
  unsigned lane;

  /// Which of the charges are this thread's: those at stream, stream + streams, ...
  __device__ __forceinline__ int stream() const { return streams == 1 ? 0 : static_cast<int>(lane / (warp / streams)); }

  template <bool careful>
  __device__ __forceinline__ void add_staged(int count, bool taking_part) {
    // Both streams take equally many: a charge of 0 far away where the number is odd.
    if (streams == 2 && count % 2 == 1 && lane == 0) staged[count] = {1e8f, 1e8f, 1e8f, 0};
    __syncwarp();
    if (__all_sync(whole_warp, taking_part)) {
#pragma unroll 4
      for (int n = stream(); n < count + (streams == 2 ? count % 2 : 0); n += streams) {
        const HcpCharge c = staged[n];
        hcp_add_charge<sigmoidal, field, careful>(c, c.q, s, sums);
      }
    } else {
#pragma unroll 2
      for (int n = stream(); n < count + (streams == 2 ? count % 2 : 0); n += streams) {
        const HcpCharge c = staged[n];
        hcp_add_charge<sigmoidal, field, careful>(c, taking_part ? c.q : 0.0f, s, sums);
      }
    }
    __syncwarp();
  }

  template <int level>
  __device__ void visit(std::uint32_t begin, std::uint32_t end, bool taking_part) {
    if constexpr (level == 0) {
      for (std::uint32_t base = begin; base < end; base += warp) {
        const std::uint32_t mine = base + lane;
        if (mine < end) staged[lane] = s.atoms[mine];
        add_staged<true>(static_cast<int>(min(end - base, static_cast<std::uint32_t>(warp))), taking_part);
      }
    } else {
      const HcpDeviceLevel& own = s.levels[level - 1];
      for (std::uint32_t base = begin; base < end; base += warp) {
        const std::uint32_t mine = base + lane;
        bool far = false, here = mine < end;
        HcpCentre centre{};
        if (here) {
          centre = own.centres[mine];
          const float dx = cx - centre.x, dy = cy - centre.y, dz = cz - centre.z;
          far = sqrtf(fmaf(dx, dx, fmaf(dy, dy, dz * dz))) > centre.reach + radius;
        }
        // Far from all points of the warp: their charges side by side in shared memory.
        const unsigned far_bits = __ballot_sync(whole_warp, far);
        if (far) {
          const int place = __popc(far_bits & ((1u << lane) - 1u)) * each;
#pragma unroll
          for (int n = 0; n < each; ++n) staged[place + n] = own.charges[mine * each + n];
        }
        add_staged<false>(__popc(far_bits) * each, taking_part);
        // The others one by one: every thread for itself.
        for (unsigned rest = __ballot_sync(whole_warp, here && !far); rest != 0; rest &= rest - 1) {
          const int at = __ffs(static_cast<int>(rest)) - 1;
          const std::uint32_t c = base + static_cast<std::uint32_t>(at);
          const float dx = sums.x - __shfl_sync(whole_warp, centre.x, at);
          const float dy = sums.y - __shfl_sync(whole_warp, centre.y, at);
          const float dz = sums.z - __shfl_sync(whole_warp, centre.z, at);
          const float reach = __shfl_sync(whole_warp, centre.reach, at);
          const bool is_far = fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > reach * reach;
          if (__any_sync(whole_warp, taking_part && is_far)) {
            // One charge is the first stream's, of two each stream has its own.
            const int mine_from = each == 1 ? 0 : stream();
            const bool mine_too = each > 1 || stream() == 0;
#pragma unroll
            for (int n = 0; n < each; n += streams) {
              const HcpCharge charge = own.charges[c * each + static_cast<std::uint32_t>(mine_from + n)];
              hcp_add_charge<sigmoidal, field, true>(charge, taking_part && is_far && mine_too ? charge.q : 0.0f, s,
                                                     sums);
            }
          }
          if (__any_sync(whole_warp, taking_part && !is_far))
            visit<level - 1>(own.first[c], own.first[c + 1], taking_part && !is_far);
        }
      }
    }
  }
};

}  // namespace isolume
