// One warp's walk through the hierarchy for 16 atoms: what is far acts on all of them at once, what is near on those
// that it is near to.
#pragma once

#include "compute/electrostatics/hcp/hcp_field_sums.cuh"

namespace isolume {

/// Two threads, 16 lanes apart, share an atom and take every second of the charges that are far; what is near goes into
/// lists of quads (four atoms of a group, HcpDeviceSystem) with a mask of the atoms that it is near to, and a thread
/// takes an atom of these quads. What is remote goes into a series about the tile's centre.
template <int levels, int each, bool sigmoidal, bool potential>
struct HcpFieldWalk {
  const HcpDeviceSystem& s;
  HcpPointSums<true>& sums;
  HcpFieldStore<each>& store;
  float cx, cy, cz, radius;
  unsigned lane;
  float remote2;  ///< from which distance^2 to the centre on a charge goes into the series
  int far_size = 0, remote_size = 0, waiting_size = 0, near_size = 0;
  bool expanded = false;  ///< anything in the series
  static constexpr int few = 24;

  __device__ __forceinline__ int stream() const { return static_cast<int>(lane / hcp_targets); }
  __device__ __forceinline__ unsigned below() const { return (1u << lane) - 1u; }

  template <bool masked, bool careful>
  __device__ __forceinline__ void add_staged(const HcpCharge* charges, int count, bool on) {
    const float4 after = hcp_add_staged<sigmoidal, potential, each, masked, careful>(
        charges, store.mixed_masks, count, stream(), 1u << (lane % hcp_targets), on, {sums.x, sums.y, sums.z}, s.law,
        {sums.ex, sums.ey, sums.ez, sums.v});
    sums.ex = after.x, sums.ey = after.y, sums.ez = after.z, sums.v = after.w;
  }
  __device__ __forceinline__ void flush_far(bool taking_part) {
    if (far_size > 0) add_staged<false, false>(store.far, far_size, taking_part);
    far_size = 0;
  }
  /// Whole vectors of the remote charges go into the series, the rest to the front of the list; or all.
  __device__ __forceinline__ void flush_remote(bool all) {
    const int count = all ? remote_size : remote_size & -warp;
    if (count == 0) return;
    hcp_expand<sigmoidal>(s.charges, store.remote, count, {cx, cy, cz}, s.law, store.series);
    expanded = true;
    remote_size -= count;
    if (remote_size == 0) return;
    const std::uint32_t moved = store.remote[count + static_cast<int>(lane)];
    __syncwarp();
    store.remote[lane] = moved;
    __syncwarp();
  }
  /// Adds the series at the atoms that take part and begins a new one.
  __device__ __forceinline__ void close_series(bool taking_part) {
    // A few charges are sooner added one by one.
    if (!expanded && remote_size <= few) {
      if (remote_size == 0) return;
      if (far_size + remote_size > HcpFieldStore<each>::far_room) flush_far(taking_part);
      __syncwarp();
      if (static_cast<int>(lane) < remote_size)
        store.far[far_size + static_cast<int>(lane)] = s.charges[store.remote[lane]];
      far_size += remote_size;
      remote_size = 0;
      flush_far(taking_part);
      return;
    }
    flush_remote(true);
    if (taking_part && stream() == 0) {
      const float4 after =
          hcp_add_series(store.series, {sums.x - cx, sums.y - cy, sums.z - cz}, {sums.ex, sums.ey, sums.ez, sums.v});
      sums.ex = after.x, sums.ey = after.y, sums.ez = after.z, sums.v = after.w;
    }
    __syncwarp();
    if (lane < hcp_terms) store.series[lane] = 0;
    __syncwarp();
    expanded = false;
  }
  __device__ __forceinline__ void flush_near() {
    hcp_add_near<sigmoidal, potential, each>(store, s.quads, near_size, s.law);
    near_size = 0;
  }

  /// The threads' components that are far from all and act: their charges from place `first` on.
  __device__ __forceinline__ void take_far(std::uint32_t first, bool acts, float distance2, bool taking_part) {
    HcpCharge charges[each];
    if constexpr (each > 1) {
      // Not at the centre.
      if (acts) {
#pragma unroll
        for (int n = 0; n < each; ++n) {
          const HcpCharge c = charges[n] = s.charges[first + n];
          const float dx = cx - c.x, dy = cy - c.y, dz = cz - c.z;
          distance2 = fminf(distance2, fmaf(dx, dx, fmaf(dy, dy, dz * dz)));
        }
      }
    }
    const bool is_remote = acts && distance2 > remote2, is_direct = acts && !is_remote;
    const unsigned remote_bits = __ballot_sync(whole_warp, is_remote);
    if (is_remote) {
      const int place = remote_size + __popc(remote_bits & below()) * each;
#pragma unroll
      for (int n = 0; n < each; ++n) store.remote[place + n] = first + static_cast<std::uint32_t>(n);
    }
    remote_size += __popc(remote_bits) * each;
    const unsigned direct_bits = __ballot_sync(whole_warp, is_direct);
    if (is_direct) {
      if constexpr (each == 1) charges[0] = s.charges[first];
      const int place = far_size + __popc(direct_bits & below()) * each;
#pragma unroll
      for (int n = 0; n < each; ++n) store.far[place + n] = charges[n];
    }
    far_size += __popc(direct_bits) * each;
    if (remote_size + warp * each > HcpFieldStore<each>::remote_room) flush_remote(false);
    if (far_size + warp * each > HcpFieldStore<each>::far_room) flush_far(taking_part);
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
      HcpCentre next{};
      if (begin + lane < end) next = own.centres[begin + lane];
      for (std::uint32_t base = begin; base < end; base += warp) {
        const std::uint32_t mine = base + lane;
        const bool here = mine < end;
        HcpCentre centre = next;
        if (mine + warp < end) next = own.centres[mine + warp];
        const bool acts = centre.reach > 0;
        centre.reach = fabsf(centre.reach);
        const float dx = cx - centre.x, dy = cy - centre.y, dz = cz - centre.z;
        const float distance2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz)), beyond = centre.reach + radius;
        const bool far = here && distance2 > beyond * beyond;
        take_far(own.charges - s.charges + mine * each, far && acts, distance2, taking_part);
        const unsigned rest = __ballot_sync(whole_warp, here && !far);
        if constexpr (level == 1) {
          if (rest == 0) continue;
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
        hcp_add_charge<sigmoidal, true, true, potential>(charge, taking_part && is_far && mine_too ? charge.q : 0.0f,
                                                         s.law, sums);
      }
      const bool opens = taking_part && !is_far;
      if (__any_sync(whole_warp, opens)) {
        // A series acts on those that take part: one of its own where these are fewer.
        const bool fewer = __any_sync(whole_warp, opens != taking_part);
        if (fewer) close_series(taking_part);
        visit<level - 1>(own.first[c], own.first[c + 1], opens);
        if (fewer) close_series(opens);
      }
    }
  }

  /// Decides for the first `count` (at most 32) waiting groups, a thread a group, for every atom.
  __device__ void resolve(int count) {
    const HcpDeviceLevel& own = s.levels[0];
    std::uint32_t group = 0;
    unsigned near = 0, far = 0;
    bool acts = false;
    if (static_cast<int>(lane) < count) {
      group = store.waiting[lane];
      const unsigned part = store.waiting_masks[lane];
      const HcpCentre centre = own.centres[group];
      const float reach2 = centre.reach * centre.reach;
      acts = centre.reach > 0;
#pragma unroll
      for (unsigned i = 0; i < hcp_targets; ++i) {
        const HcpCharge t = store.targets[i];
        const float dx = t.x - centre.x, dy = t.y - centre.y, dz = t.z - centre.z;
        if (!(fmaf(dx, dx, fmaf(dy, dy, dz * dz)) > reach2)) near |= 1u << i;
      }
      far = acts ? part & ~near : 0;
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
      close_series(true);
    }
  }
};

}  // namespace isolume
