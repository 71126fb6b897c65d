// What of a tile's waiting groups acts on one atom: near by its atoms, far by its charges. For Highway's
// foreach_target, once for each target. NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_HCP_DECIDE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_HCP_DECIDE_LANES
#undef ISOLUME_HCP_DECIDE_LANES
#else
#define ISOLUME_HCP_DECIDE_LANES
#endif

#include "compute/base/packed_lanes.h"
#include "compute/electrostatics/hcp/hcp_pair_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// Puts the charges in `which` of the vector at k behind those of the atom's own list.
template <class Mask>
HWY_INLINE void append(const HcpChargeColumns& from, std::size_t k, Mask which, HcpChargeColumns& to,
                       std::size_t place) {
  const D d;
  hn::StoreU(packed(hn::LoadU(d, from.x.data() + k), which), d, to.x.data() + place);
  hn::StoreU(packed(hn::LoadU(d, from.y.data() + k), which), d, to.y.data() + place);
  hn::StoreU(packed(hn::LoadU(d, from.z.data() + k), which), d, to.z.data() + place);
  hn::StoreU(packed(hn::LoadU(d, from.q.data() + k), which), d, to.q.data() + place);
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
      const auto acting = hn::And(far, hn::Ne(hn::LoadU(d, lists.charges[n].q.data() + k), hn::Zero(d)));
      append(lists.charges[n], k, acting, lists.own, lists.own_size);
      lists.own_size += hn::CountTrue(d, acting);
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

#if HWY_TARGET <= HWY_AVX3
/// The same where atoms stand in vectors: those that are near go to lists.
template <class Sums>
HWY_INLINE void decide_vectors(const HcpFieldSystem& system, HcpFieldLists& lists, std::int32_t bit, const Sums& sums) {
  const D d;
  const hn::RebindToSigned<D> di;
  const hn::RebindToUnsigned<D> du;
  const ChargePointers c(lists.centres);
  std::size_t own = 0, near_size = 0, close_size = 0;
  const std::int32_t* const masks = lists.masks.data();
  const std::uint32_t* const groups = lists.groups.data();
  const float* const clear2 = lists.clear2.data();
  std::uint32_t* const near = lists.near.data();
  std::uint32_t* const close = lists.close.data();
  for (std::size_t k = 0; k < lists.group_count; k += 16) {
    const auto r2 = sums.distance2(hn::LoadU(d, c.x + k), hn::LoadU(d, c.y + k), hn::LoadU(d, c.z + k));
    const auto reach = hn::LoadU(d, c.q + k);
    const auto part = hn::RebindMask(d, hn::Ne(hn::And(hn::LoadU(di, masks + k), hn::Set(di, bit)), hn::Zero(di)));
    const auto is_far = hn::Gt(r2, hn::Mul(reach, reach));
    for (std::size_t n = 0; n < system.charges_each; ++n) {
      const auto q = hn::LoadU(d, lists.charges[n].q.data() + k);
      const auto acting = hn::And(hn::And(part, is_far), hn::Ne(q, hn::Zero(d)));
      append(lists.charges[n], k, acting, lists.own, own);
      own += hn::CountTrue(d, acting);
    }
    const auto is_near = hn::AndNot(is_far, part);
    const auto is_clear = hn::Gt(r2, hn::LoadU(d, clear2 + k));
    const auto all = hn::And(is_near, is_clear), some = hn::AndNot(is_clear, is_near);
    const auto index = hn::LoadU(du, groups + k);
    hn::StoreU(packed(index, hn::RebindMask(du, all)), du, near + near_size);
    hn::StoreU(packed(index, hn::RebindMask(du, some)), du, close + close_size);
    near_size += hn::CountTrue(d, all);
    close_size += hn::CountTrue(d, some);
  }
  lists.own_size = own, lists.near_size = near_size, lists.close_size = close_size;
  const auto zero = hn::Zero(d);
  for (LargeVector<float>* column : {&lists.own.x, &lists.own.y, &lists.own.z, &lists.own.q})
    hn::StoreU(zero, d, column->data() + own);
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#endif  // ISOLUME_HCP_DECIDE_LANES
