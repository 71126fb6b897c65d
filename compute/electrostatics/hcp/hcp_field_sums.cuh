// What a warp sums for its 16 atoms: what is near to some of them, what is far from all; and where it keeps its lists.
#pragma once

#include "compute/electrostatics/hcp/hcp_expansion.cuh"

namespace isolume {

inline constexpr unsigned hcp_targets = 16;  ///< atoms of a warp

/// Shared memory of one warp.
template <int each>
struct HcpFieldStore {
  static constexpr int far_room = 64, remote_room = 256, near_room = 256;
  HcpCharge far[far_room + 1];        ///< charges that act on all atoms that take part
  std::uint32_t remote[remote_room];  ///< the same of those that go into the series, by their places
  float series[hcp_terms];            ///< about the tile's centre, of what acts on all atoms that take part
  HcpCharge mixed[warp * each];       ///< charges that act on some
  HcpCharge targets[hcp_targets];     ///< the atoms
  float sums[4 * hcp_targets];        ///< E, and V if wanted, of what is near
  std::uint32_t waiting[2 * warp];    ///< groups that are not far from all atoms
  std::uint32_t near[near_room];      ///< quads of atoms that are near to some
  std::uint16_t mixed_masks[warp * each];
  std::uint16_t waiting_masks[2 * warp];
  std::uint16_t near_masks[near_room];
};

/// The functions below are called, not repeated at every place that needs them: the kernel would outgrow the caches of
/// instructions. Sums go in and out in registers.
///
/// Adds `count` charges, of which each of the two streams takes every second, or every second two where two stand for a
/// component: its charges of both signs nearly cancel. Charge n acts where `on` holds and, with masks, the thread's
/// `bit` is in masks[n].
template <bool sigmoidal, bool potential, int each, bool masked, bool careful>
__device__ __noinline__ float4 hcp_add_staged(const HcpCharge* charges, const std::uint16_t* masks, int count,
                                              int stream, unsigned bit, bool on, float3 at, HcpDeviceLaw law,
                                              float4 before) {
  HcpPointSums<true> sums{at.x, at.y, at.z, before.w, before.x, before.y, before.z};
  const auto acts = [&](int n) { return on && (!masked || (masks[n] & bit) != 0); };
  const auto add = [&](int n, bool mine) {
    const HcpCharge c = charges[n];
    hcp_add_charge<sigmoidal, true, careful, potential>(c, mine && acts(n) ? c.q : 0.0f, law, sums);
  };
  __syncwarp();
  const int even = count / (2 * each) * (2 * each);
#pragma unroll 4
  for (int n = each * stream; n < even; n += 2 * each) {
#pragma unroll
    for (int k = 0; k < each; ++k) add(n + k, true);
  }
#pragma unroll
  for (int k = 0; k < each; ++k)
    if (count != even) add(even + k, stream == 0);
  __syncwarp();
  return {sums.ex, sums.ey, sums.ez, sums.v};
}

/// Adds a charge at a point where `near_to` has `bit` and the charge is not at the point. The sums are guarded, not
/// what goes into them, so that nothing waits for the guard.
template <bool sigmoidal, bool potential>
__device__ __forceinline__ void hcp_add_where(const HcpCharge& c, const HcpCharge& at, const HcpDeviceLaw& law,
                                              unsigned near_to, unsigned bit, float* sums) {
  const float dx = at.x - c.x, dy = at.y - c.y, dz = at.z - c.z;
  const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
  float along;
  const float value = hcp_value<sigmoidal>(r2, fast_rsqrt(r2), c.q, law, &along);
  asm("{\n\t"
      ".reg .pred p;\n\t"
      ".reg .b32 t;\n\t"
      "and.b32 t, %7, %8;\n\t"
      "setp.ne.u32 p, t, 0;\n\t"
      "setp.ge.and.f32 p, %9, %10, p;\n\t"
      "@p fma.rn.f32 %0, %3, %4, %0;\n\t"
      "@p fma.rn.f32 %1, %3, %5, %1;\n\t"
      "@p fma.rn.f32 %2, %3, %6, %2;\n\t"
      "}"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2])
      : "f"(along), "f"(dx), "f"(dy), "f"(dz), "r"(near_to), "r"(bit), "f"(r2),
        "f"(static_cast<float>(coincidence * coincidence)));
  if constexpr (potential) {
    if ((near_to & bit) != 0 && r2 >= static_cast<float>(coincidence * coincidence)) sums[3] += value;
  }
}

/// Sums the `near_size` listed quads: eight at a time, a thread an atom of them, act on eight atoms of the tile after
/// the other eight. Each thread keeps (E, V) of its charges at all eight, which are added up at the end.
template <bool sigmoidal, bool potential, int each>
__device__ __noinline__ void hcp_add_near(HcpFieldStore<each>& store, const HcpCharge* quads, int near_size,
                                          HcpDeviceLaw law) {
  constexpr unsigned half = hcp_targets / 2, parts = potential ? 4 : 3;
  const unsigned lane = threadIdx.x % warp;
  __syncwarp();
#pragma unroll 1
  for (unsigned first = 0; first < hcp_targets; first += half) {
    float sums[parts * half] = {};
    const HcpCharge* const targets = store.targets + first;
#pragma unroll 1
    for (int base = 0; base < near_size; base += 8) {
      const int mine = base + static_cast<int>(lane / 4);
      const unsigned near_to = mine < near_size ? store.near_masks[mine] >> first & 0xffu : 0;
      const unsigned to_any = warp_or(near_to);
      if (to_any == 0) continue;
      HcpCharge c{};
      if (near_to != 0) c = quads[4 * static_cast<std::size_t>(store.near[mine]) + lane % 4];
#pragma unroll
      for (unsigned i = 0; i < half; i += 2) {
        // Two together, so that one need not wait for its own results.
        if ((to_any >> i & 3u) == 0) continue;
        const HcpCharge a = targets[i], b = targets[i + 1];
        hcp_add_where<sigmoidal, potential>(c, a, law, near_to, 1u << i, sums + parts * i);
        hcp_add_where<sigmoidal, potential>(c, b, law, near_to, 2u << i, sums + parts * (i + 1));
      }
    }
    hcp_add_threads_to(store.sums + parts * first, sums);
  }
  __syncwarp();
}

}  // namespace isolume
