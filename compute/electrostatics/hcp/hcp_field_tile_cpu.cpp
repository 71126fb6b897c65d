// The innermost loops of hierarchical charge partitioning on atoms on the CPU, in vectors over charges.
#include "compute/electrostatics/hcp/hcp_field_tile_cpu.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/hcp/hcp_field_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/base/packed_lanes.h"
#include "compute/electrostatics/hcp/hcp_decide_lanes.h"
#include "compute/electrostatics/hcp/hcp_pair_lanes.h"
#include "compute/electrostatics/hcp/hcp_series_lanes.h"
#include "compute/electrostatics/hcp/hcp_table_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

template <bool sigmoidal>
void sum_atom_by(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&out)[4]) {
  AtomSums<sigmoidal> sums(system, tile.x[i], tile.y[i], tile.z[i]);
  for (const HcpFarCharges* const far : {&lists.far, &lists.larger})
    for (const HcpFarCharges::Segment& s : far->segments)
      if ((s.mask >> i & 1u) != 0) sums.template add<false>(ChargePointers(far->charges), s.begin, s.end);
  if (lists.everything) {
    sums.template add<true>(ChargePointers(system.atoms), 0, system.atoms.size() - hcp_charge_padding);
  } else {
    const ChargePointers atoms(system.atoms);
    decide(system, lists, 1 << i, sums, [&](std::uint32_t group) {
      append_atoms(atoms, system.first_atom[group], system.first_atom[group + 1], lists);
    });
    sums.template add<true>(ChargePointers(lists.own), 0, lists.own_size);
  }
  sums.store(out);
}

#if HWY_TARGET <= HWY_AVX3
/// The same by tables of the law.
template <bool potential>
void sum_atom_by_table(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i,
                       float (&out)[4]) {
  WaitingCharges waiting(system, tile.x[i], tile.y[i], tile.z[i]);
  TableSums<potential> sums(waiting, tile.x[i], tile.y[i], tile.z[i]);
  {
    const typename TableSums<potential>::template Law<hcp_near_degree> near(system.near);
    if (!system.first_vector.empty()) {
      const float* const vectors = system.vectors.data();
      decide_vectors(system, lists, 1 << i, sums);
      for (std::size_t n = 0; n < lists.near_size; ++n) {
        const float* const at = vectors + std::size_t{64} * lists.near[n];
        sums.template add<false>(near, at, at + 16, at + 32, at + 48);
      }
      for (std::size_t n = 0; n < lists.close_size; ++n) {
        const float* const at = vectors + std::size_t{64} * lists.close[n];
        sums.template add<true>(near, at, at + 16, at + 32, at + 48);
      }
    } else {
      const ChargePointers atoms(system.atoms);
      decide(system, lists, 1 << i, sums, [&](std::uint32_t group) {
        append_atoms(atoms, system.first_atom[group], system.first_atom[group + 1], lists);
      });
    }
    sums.template add<true>(near, ChargePointers(lists.own), 0, lists.own_size);
  }
  const typename TableSums<potential>::template Law<hcp_far_degree> law(system.far);
  for (const HcpFarCharges* const far : {&lists.far, &lists.larger}) {
    const ChargePointers charges(far->charges);
    for (const HcpFarCharges::Segment& s : far->segments) {
      if ((s.mask >> i & 1u) == 0) continue;
      far->in_reach ? sums.template add<false>(law, charges, s.begin, s.end)
                    : sums.template add<true>(law, charges, s.begin, s.end);
    }
  }
  sums.store(out);
  waiting.finish(out);
}
#endif

void look_at_reach(const HcpFieldSystem& system, const float (&centre)[3], float radius, HcpFieldLists& lists) {
  const D d;
  const ChargePointers c(lists.far.charges);
  const auto x = hn::Set(d, centre[0]), y = hn::Set(d, centre[1]), z = hn::Set(d, centre[2]);
  auto least = hn::Set(d, 1e30f), most = hn::Zero(d);
  for (std::size_t k = 0; k < lists.far.size; k += hn::Lanes(d)) {
    const auto dx = hn::Sub(x, hn::LoadU(d, c.x + k)), dy = hn::Sub(y, hn::LoadU(d, c.y + k));
    const auto dz = hn::Sub(z, hn::LoadU(d, c.z + k));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    least = hn::Min(least, r2);
    most = hn::Max(most, r2);
  }
  const float nearest = std::sqrt(hn::GetLane(hn::MinOfLanes(d, least))) - radius;
  const float farthest = std::sqrt(hn::GetLane(hn::MaxOfLanes(d, most))) + radius;
  lists.far.in_reach = nearest > system.far.nearest() && farthest < system.far.farthest();
}

void add_series(const HcpFieldSystem& system, const HcpFarCharges::Segment& segment, const float (&centre)[3],
                const HcpTile& tile, HcpFieldLists& lists) {
  const HcpChargeColumns& charges = lists.remote.charges;
  const auto add = system.sigmoidal ? add_series_by<true> : add_series_by<false>;
  add(system, charges, segment.begin, segment.end, centre, tile, segment.mask, lists.series);
}

bool has_table_lanes() {
  return HWY_TARGET <= HWY_AVX3;
}

void sum_atom(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&out)[4]) {
#if HWY_TARGET <= HWY_AVX3
  if (system.by_table && !lists.everything) {
    return system.potential ? sum_atom_by_table<true>(system, lists, tile, i, out)
                            : sum_atom_by_table<false>(system, lists, tile, i, out);
  }
#endif
  system.sigmoidal ? sum_atom_by<true>(system, lists, tile, i, out) : sum_atom_by<false>(system, lists, tile, i, out);
}

void split_groups(const HcpFieldSystem& system, std::uint32_t begin, std::uint32_t end, const float (&centre)[3],
                  float radius, std::int32_t mask, HcpFieldLists& lists) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const std::size_t lanes = hn::Lanes(d);
  const auto cx = hn::Set(d, centre[0]), cy = hn::Set(d, centre[1]), cz = hn::Set(d, centre[2]);
  const HcpChargeColumns& c = system.centres;
  for (std::size_t k = begin; k < end; k += lanes) {
    const auto dx = hn::Sub(cx, hn::LoadU(d, &c.x[k]));
    const auto dy = hn::Sub(cy, hn::LoadU(d, &c.y[k]));
    const auto dz = hn::Sub(cz, hn::LoadU(d, &c.z[k]));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    const auto beyond = hn::Add(hn::LoadU(d, &c.q[k]), hn::Set(d, radius));
    const auto here = hn::FirstN(d, end - k);
    const auto is_far = hn::Gt(r2, hn::Mul(beyond, beyond));
    const auto far = hn::And(here, is_far), rest = hn::AndNot(is_far, here);
    for (std::size_t n = 0; n < system.charges_each; ++n) {
      const HcpChargeColumns& from = system.charges[n];
      const auto acting = hn::And(far, hn::Ne(hn::LoadU(d, from.q.data() + k), hn::Zero(d)));
      const auto qx = hn::Sub(cx, hn::LoadU(d, &from.x[k])), qy = hn::Sub(cy, hn::LoadU(d, &from.y[k]));
      const auto qz = hn::Sub(cz, hn::LoadU(d, &from.z[k]));
      const auto distance2 = hn::MulAdd(qx, qx, hn::MulAdd(qy, qy, hn::Mul(qz, qz)));
      const auto is_remote = hn::Gt(distance2, hn::Set(d, lists.remote2));
      const auto remote = hn::And(acting, is_remote), direct = hn::AndNot(is_remote, acting);
      append(from, k, remote, lists.remote.charges, lists.remote.size);
      lists.remote.size += hn::CountTrue(d, remote);
      append(from, k, direct, lists.far.charges, lists.far.size);
      lists.far.size += hn::CountTrue(d, direct);
    }
    if (hn::AllFalse(d, rest)) continue;
    const std::size_t place = lists.group_count;
    append(c, k, rest, lists.centres, place);
    for (std::size_t n = 0; n < system.charges_each; ++n) append(system.charges[n], k, rest, lists.charges[n], place);
    hn::StoreU(packed(hn::Iota(du, static_cast<std::uint32_t>(k)), hn::RebindMask(du, rest)), du, &lists.groups[place]);
    hn::StoreU(hn::Set(di, mask), di, &lists.masks[place]);
    if (!system.clear2.empty()) hn::StoreU(packed(hn::LoadU(d, &system.clear2[k]), rest), d, &lists.clear2[place]);
    lists.group_count += hn::CountTrue(d, rest);
  }
  // Beyond the last nobody takes part, and everything is finite.
  const std::size_t last = lists.group_count;
  const auto zero = hn::Zero(d);
  hn::StoreU(hn::Zero(di), di, &lists.masks[last]);
  for (HcpChargeColumns* to : {&lists.centres, &lists.charges[0], &lists.charges[1]})
    for (LargeVector<float>* column : {&to->x, &to->y, &to->z, &to->q}) hn::StoreU(zero, d, column->data() + last);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(split_groups);
HWY_EXPORT(sum_atom);
HWY_EXPORT(has_table_lanes);
HWY_EXPORT(look_at_reach);
HWY_EXPORT(add_series);

bool hcp_has_table_lanes() {
  return HWY_DYNAMIC_DISPATCH(has_table_lanes)();
}

void hcp_add_series(const HcpFieldSystem& system, const float (&centre)[3], const HcpTile& tile, HcpFieldLists& lists) {
  // What the sum of a series and its evaluation take, in charges.
  constexpr std::size_t few = 32;
  for (const HcpFarCharges::Segment& s : lists.remote.segments) {
    if (s.end - s.begin > few) {
      HWY_DYNAMIC_DISPATCH(add_series)(system, s, centre, tile, lists);
      continue;
    }
    lists.larger.reserve(few);
    const HcpChargeColumns& from = lists.remote.charges;
    for (std::size_t i = s.begin; i < s.end; ++i)
      lists.larger.charges.set(lists.larger.size + i - s.begin, {from.x[i], from.y[i], from.z[i], from.q[i]});
    lists.larger.segments.push_back({lists.larger.size, lists.larger.size + s.end - s.begin, s.mask});
    lists.larger.size += s.end - s.begin;
  }
}

void hcp_look_at_reach(const HcpFieldSystem& system, const float (&centre)[3], float radius, HcpFieldLists& lists) {
  HWY_DYNAMIC_DISPATCH(look_at_reach)(system, centre, radius, lists);
}

void hcp_split_groups(const HcpFieldSystem& system, std::uint32_t begin, std::uint32_t end, const float (&centre)[3],
                      float radius, std::int32_t mask, HcpFieldLists& lists) {
  lists.far.reserve((end - begin) * system.charges_each);
  lists.remote.reserve((end - begin) * system.charges_each);
  lists.reserve_groups(end - begin);
  HWY_DYNAMIC_DISPATCH(split_groups)(system, begin, end, centre, radius, mask, lists);
}

void hcp_sum_atom(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&sums)[4]) {
  HWY_DYNAMIC_DISPATCH(sum_atom)(system, lists, tile, i, sums);
  for (int k = 0; k < 4; ++k) sums[k] += lists.series[k][i];
}

}  // namespace isolume
#endif  // HWY_ONCE
