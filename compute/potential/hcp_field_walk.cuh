// One warp's walk through the hierarchy for 16 atoms: what is far acts on all of them at once, what is near on each by
// a list of its own.
#pragma once

#include "compute/potential/hcp_pair.cuh"

namespace isolume {

inline constexpr unsigned hcp_targets = 16;  ///< atoms of a warp

/// Shared memory of one warp.
template <int each>
struct HcpFieldStore {
  static constexpr int far_room = 64, near_room = 256;
  HcpCharge far[far_room + 1];      ///< charges that act on all atoms that take part
  HcpCharge mixed[warp * each];     ///< charges that act on some
  HcpCharge targets[hcp_targets];   ///< the atoms
  float sums[hcp_targets][4];       ///< E, V of what is near
  std::uint32_t waiting[2 * warp];  ///< groups that are not far from all atoms
  std::uint32_t near[near_room];    ///< quads of atoms that are near to some
  std::uint32_t chosen[2 * warp];   ///< those of them that are near to one
  std::uint16_t mixed_masks[warp * each];
  std::uint16_t waiting_masks[2 * warp];
  std::uint16_t near_masks[near_room];
};

/// The functions below are called, not repeated at every place that needs them: the kernel would outgrow the caches of
/// instructions. Sums go in and out in registers.
///
/// Adds `count` charges, each of the two streams every second; charge n acts where `on` holds and, with masks, the
/// thread's `bit` is in masks[n].
template <bool sigmoidal, bool masked, bool careful>
__device__ __noinline__ float4 hcp_add_staged(const HcpCharge* charges, const std::uint16_t* masks, int count,
                                              int stream, unsigned bit, bool on, float3 at, HcpDeviceLaw law,
                                              float4 before) {
  HcpPointSums<true> sums{at.x, at.y, at.z, before.w, before.x, before.y, before.z};
  const auto acts = [&](int n) { return on && (!masked || (masks[n] & bit) != 0); };
  __syncwarp();
  const int even = count & ~1;
#pragma unroll 4
  for (int n = stream; n < even; n += 2) {
    const HcpCharge c = charges[n];
    hcp_add_charge<sigmoidal, true, careful>(c, acts(n) ? c.q : 0.0f, law, sums);
  }
  if (count != even) {
    const HcpCharge c = charges[even];
    hcp_add_charge<sigmoidal, true, careful>(c, stream == 0 && acts(even) ? c.q : 0.0f, law, sums);
  }
  __syncwarp();
  return {sums.ex, sums.ey, sums.ez, sums.v};
}

/// Sums the `near_size` listed quads, atom by atom.
template <bool sigmoidal, int each>
__device__ __noinline__ void hcp_add_near(HcpFieldStore<each>& store, const HcpCharge* quads, int near_size,
                                          HcpDeviceLaw law) {
  const unsigned lane = threadIdx.x % warp;
  __syncwarp();
  for (unsigned i = 0; i < hcp_targets; ++i) {
    const HcpCharge target = store.targets[i];
    HcpPointSums<true> at{target.x, target.y, target.z};
    // Eight quads from `chosen`, a thread an atom.
    const auto add_quads = [&](int first, int count) {
      const int place = first + static_cast<int>(lane / 4);
      if (place >= count) return;
      const HcpCharge c = quads[4 * static_cast<std::size_t>(store.chosen[place]) + lane % 4];
      hcp_add_charge<sigmoidal, true, true>(c, c.q, law, at);
    };
    int size = 0;
    for (int base = 0; base < near_size; base += warp) {
      const int mine = base + static_cast<int>(lane);
      const bool mine_is = mine < near_size && (store.near_masks[mine] >> i & 1) != 0;
      const unsigned bits = __ballot_sync(whole_warp, mine_is);
      if (mine_is) store.chosen[size + __popc(bits & ((1u << lane) - 1u))] = store.near[mine];
      size += __popc(bits);
      __syncwarp();
      if (size >= warp) {
#pragma unroll
        for (int n = 0; n < 4; ++n) add_quads(8 * n, warp);
        const std::uint32_t moved = store.chosen[warp + lane];
        __syncwarp();
        size -= warp;
        if (static_cast<int>(lane) < size) store.chosen[lane] = moved;
      }
    }
    __syncwarp();
#pragma unroll 1
    for (int n = 0; n < size; n += 8) add_quads(n, size);
    __syncwarp();
    // Half of the lanes keep two of the four sums, a quarter one, which are then added up.
    const bool upper = (lane & 16u) != 0, second = (lane & 8u) != 0;
    float a = upper ? at.ez : at.ex, b = upper ? at.v : at.ey;
    a += __shfl_xor_sync(whole_warp, upper ? at.ex : at.ez, 16);
    b += __shfl_xor_sync(whole_warp, upper ? at.ey : at.v, 16);
    float sum = second ? b : a;
    sum += __shfl_xor_sync(whole_warp, second ? a : b, 8);
#pragma unroll
    for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(whole_warp, sum, step);
    if (lane % 8 == 0) store.sums[i][lane / 8] += sum;
  }
  __syncwarp();
}

/// Two threads, 16 lanes apart, share an atom and take every second of the charges that are far; what is near goes into
/// lists of quads (four atoms of a group, HcpDeviceSystem) with a mask of the atoms that it is near to, and for one
/// atom after the other all threads take the quads that are its own, a thread an atom of the quad. So nothing is summed
/// in vain but the rest of a quad, and what only some of the 16 are far from.
template <int levels, int each, bool sigmoidal>
struct HcpFieldWalk {
  const HcpDeviceSystem& s;
  HcpPointSums<true>& sums;
  HcpFieldStore<each>& store;
  float cx, cy, cz, radius;
  unsigned lane;
  int far_size = 0, waiting_size = 0, near_size = 0;

  __device__ __forceinline__ int stream() const { return static_cast<int>(lane / hcp_targets); }
  __device__ __forceinline__ unsigned below() const { return (1u << lane) - 1u; }

  template <bool masked, bool careful>
  __device__ __forceinline__ void add_staged(const HcpCharge* charges, int count, bool on) {
    const float4 after = hcp_add_staged<sigmoidal, masked, careful>(
        charges, store.mixed_masks, count, stream(), 1u << (lane % hcp_targets), on, {sums.x, sums.y, sums.z}, s.law,
        {sums.ex, sums.ey, sums.ez, sums.v});
    sums.ex = after.x, sums.ey = after.y, sums.ez = after.z, sums.v = after.w;
  }
  __device__ __forceinline__ void flush_far(bool taking_part) {
    if (far_size > 0) add_staged<false, false>(store.far, far_size, taking_part);
    far_size = 0;
  }
  __device__ __forceinline__ void flush_near() {
    hcp_add_near<sigmoidal, each>(store, s.quads, near_size, s.law);
    near_size = 0;
  }

  /// Components [begin, end) of a level, for the atoms whose threads take part.
  template <int level>
  __device__ void visit(std::uint32_t begin, std::uint32_t end, bool taking_part) {
    if constexpr (level == 0) {
      constexpr auto room = static_cast<std::uint32_t>(HcpFieldStore<each>::far_room);
      for (std::uint32_t base = begin; base < end; base += room) {
        const std::uint32_t count = min(end - base, room);
        for (std::uint32_t i = lane; i < count; i += warp) store.far[i] = s.atoms[base + i];
        add_staged<false, true>(store.far, static_cast<int>(count), taking_part);
      }
    } else {
      const HcpDeviceLevel& own = s.levels[level - 1];
      const auto part = static_cast<std::uint16_t>(__ballot_sync(whole_warp, taking_part));
      for (std::uint32_t base = begin; base < end; base += warp) {
        const std::uint32_t mine = base + lane;
        const bool here = mine < end;
        bool far = false;
        HcpCentre centre{};
        if (here) {
          centre = own.centres[mine];
          const float dx = cx - centre.x, dy = cy - centre.y, dz = cz - centre.z;
          const float beyond = centre.reach + radius;
          far = fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > beyond * beyond;
        }
        const unsigned far_bits = __ballot_sync(whole_warp, far);
        if (far) {
          const int place = far_size + __popc(far_bits & below()) * each;
#pragma unroll
          for (int n = 0; n < each; ++n) store.far[place + n] = own.charges[mine * each + n];
        }
        far_size += __popc(far_bits) * each;
        if (far_size + warp * each > HcpFieldStore<each>::far_room) flush_far(taking_part);
        const unsigned rest = __ballot_sync(whole_warp, here && !far);
        if constexpr (level == 1) {
          if (here && !far) {
            const int place = waiting_size + __popc(rest & below());
            store.waiting[place] = mine;
            store.waiting_masks[place] = part;
          }
          waiting_size += __popc(rest);
          __syncwarp();
          if (waiting_size >= warp) resolve(warp);
        } else {
          if (rest != 0) flush_far(taking_part);
          open<level>(own, centre, base, rest, taking_part);
        }
      }
      flush_far(taking_part);
    }
  }

  /// Components above groups that are not far from all: every thread for its atom.
  template <int level>
  __device__ __forceinline__ void open(const HcpDeviceLevel& own, const HcpCentre& centre, std::uint32_t base,
                                       unsigned rest, bool taking_part) {
    for (; rest != 0; rest &= rest - 1) {
      const int at = __ffs(static_cast<int>(rest)) - 1;
      const std::uint32_t c = base + static_cast<std::uint32_t>(at);
      const float dx = sums.x - __shfl_sync(whole_warp, centre.x, at);
      const float dy = sums.y - __shfl_sync(whole_warp, centre.y, at);
      const float dz = sums.z - __shfl_sync(whole_warp, centre.z, at);
      const float reach = __shfl_sync(whole_warp, centre.reach, at);
      const bool is_far = fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > reach * reach;
      if (__any_sync(whole_warp, taking_part && is_far)) {
        const bool mine_too = each > 1 || stream() == 0;
        const HcpCharge charge = own.charges[c * each + static_cast<std::uint32_t>(each == 1 ? 0 : stream())];
        hcp_add_charge<sigmoidal, true, true>(charge, taking_part && is_far && mine_too ? charge.q : 0.0f, s.law, sums);
      }
      if (__any_sync(whole_warp, taking_part && !is_far))
        visit<level - 1>(own.first[c], own.first[c + 1], taking_part && !is_far);
    }
  }

  /// Decides for the first `count` (at most 32) waiting groups, a thread a group, for every atom.
  __device__ void resolve(int count) {
    const HcpDeviceLevel& own = s.levels[0];
    std::uint32_t group = 0;
    unsigned near = 0, far = 0;
    if (static_cast<int>(lane) < count) {
      group = store.waiting[lane];
      const unsigned part = store.waiting_masks[lane];
      const HcpCentre centre = own.centres[group];
      const float reach2 = centre.reach * centre.reach;
#pragma unroll
      for (unsigned i = 0; i < hcp_targets; ++i) {
        const HcpCharge t = store.targets[i];
        const float dx = t.x - centre.x, dy = t.y - centre.y, dz = t.z - centre.z;
        if (!(fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > reach2)) near |= 1u << i;
      }
      far = part & ~near;
      near &= part;
    }
    const unsigned far_bits = __ballot_sync(whole_warp, far != 0);
    if (far != 0) {
      const int place = __popc(far_bits & below()) * each;
#pragma unroll
      for (int n = 0; n < each; ++n) {
        store.mixed[place + n] = own.charges[group * each + n];
        store.mixed_masks[place + n] = static_cast<std::uint16_t>(far);
      }
    }
    // With care: an atom that a group is near to may be where the group's charge is.
    add_staged<true, true>(store.mixed, __popc(far_bits) * each, true);

    const std::uint32_t from = near != 0 ? s.quad[group] : 0;
    const std::uint32_t own_quads = near != 0 ? s.quad[group + 1] - from : 0;
    std::uint32_t end = own_quads;
#pragma unroll
    for (int step = 1; step < warp; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(whole_warp, end, step);
      if (lane >= static_cast<unsigned>(step)) end += other;
    }
    const std::uint32_t begin = end - own_quads, total = __shfl_sync(whole_warp, end, warp - 1);
    for (std::uint32_t done = 0; done < total;) {
      const std::uint32_t room = static_cast<std::uint32_t>(HcpFieldStore<each>::near_room - near_size);
      const std::uint32_t until = min(total, done + room);
      for (std::uint32_t at = max(begin, done); at < min(end, until); ++at) {
        const auto place = static_cast<std::uint32_t>(near_size) + at - done;
        store.near[place] = from + at - begin;
        store.near_masks[place] = static_cast<std::uint16_t>(near);
      }
      near_size += static_cast<int>(until - done);
      done = until;
      if (near_size == HcpFieldStore<each>::near_room) flush_near();
    }
    // The groups that are left over move to the front.
    waiting_size -= count;
    __syncwarp();
    const std::uint32_t moved = store.waiting[warp + lane];
    const std::uint16_t moved_mask = store.waiting_masks[warp + lane];
    __syncwarp();
    store.waiting[lane] = moved;
    store.waiting_masks[lane] = moved_mask;
    __syncwarp();
  }

  __device__ void finish() {
    if constexpr (levels > 0) {
      if (waiting_size > 0) resolve(waiting_size);
      flush_near();
    }
  }
};

}  // namespace isolume
