// One warp's walk through the hierarchy for 32 points: what acts on them, decided point by point.
#pragma once

#include "compute/electrostatics/hcp/hcp_pair.cuh"

namespace isolume {

/// `taking_part` says for each thread whether what is visited acts on its point by its parts.
template <int levels, int each, bool sigmoidal>
struct HcpWalk {
  const HcpDeviceSystem& s;
  HcpPointSums<false>& sums;
  HcpCharge* staged;  ///< 32 * each, the warp's own
  float cx, cy, cz, radius;
  unsigned lane;

  template <bool careful>
  __device__ __forceinline__ void add_staged(int count, bool taking_part) {
    __syncwarp();
    if (__all_sync(whole_warp, taking_part)) {
#pragma unroll 4
      for (int n = 0; n < count; ++n) {
        const HcpCharge c = staged[n];
        hcp_add_charge<sigmoidal, false, careful>(c, c.q, s.law, sums);
      }
    } else {
#pragma unroll 2
      for (int n = 0; n < count; ++n) {
        const HcpCharge c = staged[n];
        hcp_add_charge<sigmoidal, false, careful>(c, taking_part ? c.q : 0.0f, s.law, sums);
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
        bool far = false, acts = false, here = mine < end;
        HcpCentre centre{};
        if (here) {
          centre = own.centres[mine];
          acts = centre.reach > 0;
          centre.reach = fabsf(centre.reach);
          const float dx = cx - centre.x, dy = cy - centre.y, dz = cz - centre.z;
          far = sqrtf(fmaf(dx, dx, fmaf(dy, dy, dz * dz))) > centre.reach + radius;
        }
        // Far from all points of the warp: their charges side by side in shared memory.
        const unsigned far_bits = __ballot_sync(whole_warp, far && acts);
        if (far && acts) {
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
#pragma unroll
            for (int n = 0; n < each; ++n) {
              const HcpCharge charge = own.charges[c * each + static_cast<std::uint32_t>(n)];
              hcp_add_charge<sigmoidal, false, true>(charge, taking_part && is_far ? charge.q : 0.0f, s.law, sums);
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
