// The innermost loops of hierarchical charge partitioning on atoms on the CPU, in vectors over charges.
#include "compute/potential/hcp_field_tile_cpu.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/potential/hcp_field_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/potential/hcp_pair_lanes.h"
#include "compute/potential/hcp_table_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// Puts the charges in `which` of the vector at k behind those of the atom's own list.
template <class Mask>
HWY_INLINE void append(const HcpChargeColumns& from, std::size_t k, Mask which, HcpChargeColumns& to,
                       std::size_t place) {
  const D d;
  hn::StoreU(hn::Compress(hn::LoadU(d, from.x.data() + k), which), d, to.x.data() + place);
  hn::StoreU(hn::Compress(hn::LoadU(d, from.y.data() + k), which), d, to.y.data() + place);
  hn::StoreU(hn::Compress(hn::LoadU(d, from.z.data() + k), which), d, to.z.data() + place);
  hn::StoreU(hn::Compress(hn::LoadU(d, from.q.data() + k), which), d, to.q.data() + place);
}

/// Puts the atoms [begin, end) there; what follows them is undefined.
HWY_INLINE void append_atoms(const ChargePointers& atoms, std::size_t begin, std::size_t end, HcpFieldLists& lists) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  float* const x = lists.own.x.data() + lists.own_size;
  float* const y = lists.own.y.data() + lists.own_size;
  float* const z = lists.own.z.data() + lists.own_size;
  float* const q = lists.own.q.data() + lists.own_size;
  for (std::size_t k = begin; k < end; k += lanes) {
    hn::StoreU(hn::LoadU(d, atoms.x + k), d, x + (k - begin));
    hn::StoreU(hn::LoadU(d, atoms.y + k), d, y + (k - begin));
    hn::StoreU(hn::LoadU(d, atoms.z + k), d, z + (k - begin));
    hn::StoreU(hn::LoadU(d, atoms.q + k), d, q + (k - begin));
  }
  lists.own_size += end - begin;
}

/// Decides for the tile's waiting groups whether they are far from the atom: then their charges go to the atom's own
/// list, and behind the last a vector of charges of 0; else add_group(group) is called.
template <class Sums, class AddGroup>
HWY_INLINE void decide(const HcpFieldSystem& system, HcpFieldLists& lists, std::int32_t bit, const Sums& sums,
                       const AddGroup& add_group) {
  const D d;
  const hn::RebindToSigned<D> di;
  const std::size_t lanes = hn::Lanes(d);
  const ChargePointers c(lists.centres);
  lists.own_size = 0;
  const std::int32_t* const masks = lists.masks.data();
  const std::uint32_t* const groups = lists.groups.data();
  for (std::size_t k = 0; k < lists.group_count; k += lanes) {
    const auto r2 = sums.distance2(hn::LoadU(d, c.x + k), hn::LoadU(d, c.y + k), hn::LoadU(d, c.z + k));
    const auto reach = hn::LoadU(d, c.q + k);
    const auto part = hn::Ne(hn::And(hn::LoadU(di, masks + k), hn::Set(di, bit)), hn::Zero(di));
    const auto part_f = hn::RebindMask(d, part);
    const auto is_far = hn::Gt(r2, hn::Mul(reach, reach));
    const auto far = hn::And(part_f, is_far);
    for (std::size_t n = 0; n < system.charges_each; ++n) {
      append(lists.charges[n], k, far, lists.own, lists.own_size);
      lists.own_size += hn::CountTrue(d, far);
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::AndNot(is_far, part_f), bytes);
    unsigned bits = bytes[0] | static_cast<unsigned>(bytes[1]) << 8;
    if (lanes < 16) bits &= (1u << lanes) - 1u;
    for (; bits != 0; bits &= bits - 1) {
      add_group(groups[k + static_cast<std::size_t>(__builtin_ctz(bits))]);
    }
  }
  const auto zero = hn::Zero(d);
  HcpChargeColumns& own = lists.own;
  for (LargeVector<float>* column : {&own.x, &own.y, &own.z, &own.q})
    hn::StoreU(zero, d, column->data() + lists.own_size);
}

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
      const std::uint32_t* const first = system.first_vector.data();
      decide(system, lists, 1 << i, sums, [&](std::uint32_t group) {
        const float* at = vectors + std::size_t{64} * first[group];
        const float* const end = vectors + std::size_t{64} * first[group + 1];
        do {
          sums.template add<true>(near, at, at + 16, at + 32, at + 48);
          at += 64;
        } while (at != end);
      });
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
      append(system.charges[n], k, far, lists.far.charges, lists.far.size);
      lists.far.size += hn::CountTrue(d, far);
    }
    if (hn::AllFalse(d, rest)) continue;
    const std::size_t place = lists.group_count;
    append(c, k, rest, lists.centres, place);
    for (std::size_t n = 0; n < system.charges_each; ++n) append(system.charges[n], k, rest, lists.charges[n], place);
    hn::StoreU(hn::Compress(hn::Iota(du, static_cast<std::uint32_t>(k)), hn::RebindMask(du, rest)), du,
               &lists.groups[place]);
    hn::StoreU(hn::Set(di, mask), di, &lists.masks[place]);
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

bool hcp_has_table_lanes() {
  return HWY_DYNAMIC_DISPATCH(has_table_lanes)();
}

void HcpFarCharges::reserve(std::size_t more) {
  const std::size_t needed = size + more + 2 * hcp_charge_padding;
  if (charges.size() < needed) charges.resize(needed + needed / 2);
}

void HcpFieldLists::reserve_groups(std::size_t more) {
  const std::size_t needed = group_count + more + 2 * hcp_charge_padding;
  if (centres.size() >= needed) return;
  const std::size_t size = needed + needed / 2;
  groups.resize(size), masks.resize(size), centres.resize(size);
  for (HcpChargeColumns& c : charges) c.resize(size);
}

void HcpFieldLists::reserve_own(const HcpFieldSystem& system) {
  std::size_t needed = group_count * system.charges_each + 2 * hcp_charge_padding;
  for (std::size_t g = 0; system.first_vector.empty() && g < group_count; ++g)
    needed += system.first_atom[groups[g] + 1] - system.first_atom[groups[g]];
  if (own.size() < needed) own.resize(needed + needed / 2);
}

void HcpFarCharges::close_segment(std::size_t begin, std::uint32_t mask) {
  if (size == begin) return;
  // A charge that is far anyway, without its charge.
  while (size % hcp_charge_padding != 0) {
    charges.set(size, {charges.x[begin], charges.y[begin], charges.z[begin], 0});
    ++size;
  }
  segments.push_back({begin, size, mask});
}

void hcp_look_at_reach(const HcpFieldSystem& system, const float (&centre)[3], float radius, HcpFieldLists& lists) {
  HWY_DYNAMIC_DISPATCH(look_at_reach)(system, centre, radius, lists);
}

void hcp_split_groups(const HcpFieldSystem& system, std::uint32_t begin, std::uint32_t end, const float (&centre)[3],
                      float radius, std::int32_t mask, HcpFieldLists& lists) {
  lists.far.reserve((end - begin) * system.charges_each);
  lists.reserve_groups(end - begin);
  HWY_DYNAMIC_DISPATCH(split_groups)(system, begin, end, centre, radius, mask, lists);
}

void hcp_sum_atom(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&sums)[4]) {
  HWY_DYNAMIC_DISPATCH(sum_atom)(system, lists, tile, i, sums);
}

}  // namespace isolume
#endif  // HWY_ONCE
