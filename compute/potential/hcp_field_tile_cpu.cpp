// The innermost loops of hierarchical charge partitioning on atoms on the CPU, in vectors over charges.
#include "compute/potential/hcp_field_tile_cpu.h"

#include <cmath>
#include <cstring>
#include <type_traits>

#include "compute/potential/direct_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/potential/hcp_field_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;

#if HWY_TARGET <= HWY_AVX3
/// 2^(j/32) as bits, less j in the place where the exponent's bits and j will be added.
struct PowerTable {
  alignas(64) std::int32_t bits[32];
  PowerTable() {
    for (int j = 0; j < 32; ++j) {
      const auto value = static_cast<float>(std::exp2(j / 32.0));
      std::memcpy(&bits[j], &value, sizeof value);
      bits[j] -= j << 18;
    }
  }
};
#endif

/// 2^t for t <= 0, relative error 2e-7; 2^-126 where it would be less.
class PowerOfTwo {
 public:
#if HWY_TARGET <= HWY_AVX3
  PowerOfTwo() {
    static const PowerTable table;
    low_ = hn::Load(di_, table.bits);
    high_ = hn::Load(di_, table.bits + 16);
  }
  /// Of t / 32: a table of 32 values between 1 and 2, and a parabola.
  HWY_INLINE V operator()(V t) const {
    const auto magic = hn::Set(d_, 12582912.0f);  // 1.5 2^23: what is added to it is rounded to a whole number
    t = hn::Max(t, hn::Set(d_, -126.0f * 32));
    const auto sum = hn::Add(t, magic);
    const auto f = hn::Sub(t, hn::Sub(sum, magic));
    const auto k = hn::BitCast(di_, sum);
    // The last five bits choose; Highway has no look-up in two vectors.
    const hn::Vec<hn::RebindToSigned<D>> power{_mm512_permutex2var_epi32(low_.raw, k.raw, high_.raw)};
    const auto bits = hn::Add(power, hn::ShiftLeft<18>(k));
    const auto p =
        hn::MulAdd(f, hn::MulAdd(f, hn::Set(d_, 2.3459620e-4f), hn::Set(d_, 2.1661167e-2f)), hn::Set(d_, 1.0f));
    return hn::Mul(p, hn::BitCast(d_, bits));
  }
  static constexpr float unit = 32;

 private:
  const D d_{};
  const hn::RebindToSigned<D> di_{};
  hn::Vec<hn::RebindToSigned<D>> low_, high_;
#else
  HWY_INLINE V operator()(V t) const {
    const hn::RebindToSigned<D> di;
    t = hn::Max(t, hn::Set(d_, -126.0f));
    const auto n = hn::NearestInt(t);
    const V f = hn::Sub(t, hn::ConvertTo(d_, n));
    V p = hn::Set(d_, 1.5403530393e-4f);
    for (const float c :
         {1.3333558146e-3f, 9.6181291076e-3f, 5.5504108665e-2f, 2.4022650696e-1f, 6.9314718056e-1f, 1.0f})
      p = hn::MulAdd(p, f, hn::Set(d_, c));
    return hn::Mul(p, hn::BitCast(d_, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127)))));
  }
  static constexpr float unit = 1;

 private:
  const D d_{};
#endif
};

/// Columns as plain pointers.
struct ChargePointers {
  explicit ChargePointers(const HcpChargeColumns& c) : x(c.x.data()), y(c.y.data()), z(c.z.data()), q(c.q.data()) {}
  const float *x, *y, *z, *q;
};

constexpr int side_by_side = 2;

/// Sums for one atom, in vectors.
template <bool sigmoidal>
class AtomSums {
 public:
  AtomSums(const HcpFieldSystem& system, float x, float y, float z)
      : px_(hn::Set(d_, x)),
        py_(hn::Set(d_, y)),
        pz_(hn::Set(d_, z)),
        decay_(hn::Set(d_, system.decay * PowerOfTwo::unit)),
        square_(hn::Set(d_, system.square)),
        linear_(hn::Set(d_, system.linear)),
        constant_(hn::Set(d_, system.constant)),
        bulk_(hn::Set(d_, system.bulk)) {}

  /// Adds `vectors` vectors of charges at k, side by side: each waits for itself some hundred cycles.
  template <bool careful, int vectors>
  HWY_INLINE void add(const ChargePointers& c, std::size_t k) {
    const std::size_t lanes = hn::Lanes(d_);
    V x[vectors], y[vectors], z[vectors], q[vectors];
    for (int n = 0; n < vectors; ++n) {
      const std::size_t at = k + static_cast<std::size_t>(n) * lanes;
      x[n] = hn::LoadU(d_, c.x + at), y[n] = hn::LoadU(d_, c.y + at), z[n] = hn::LoadU(d_, c.z + at);
      q[n] = hn::LoadU(d_, c.q + at);
    }
    add_any<careful>(x, y, z, q);
  }
  /// One vector, with other charges than those there.
  HWY_INLINE void add_one(const ChargePointers& c, std::size_t k, V charges) {
    const V x[1] = {hn::LoadU(d_, c.x + k)}, y[1] = {hn::LoadU(d_, c.y + k)}, z[1] = {hn::LoadU(d_, c.z + k)};
    const V q[1] = {charges};
    add_any<true>(x, y, z, q);
  }
  HWY_INLINE V distance2(V x, V y, V z) const {
    const auto dx = hn::Sub(px_, x), dy = hn::Sub(py_, y), dz = hn::Sub(pz_, z);
    return hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
  }
  HWY_INLINE void store(float (&sums)[4]) const {
    sums[0] = hn::GetLane(hn::SumOfLanes(d_, ex_));
    sums[1] = hn::GetLane(hn::SumOfLanes(d_, ey_));
    sums[2] = hn::GetLane(hn::SumOfLanes(d_, ez_));
    sums[3] = hn::GetLane(hn::SumOfLanes(d_, v_));
  }

 private:
  template <bool careful, int vectors>
  HWY_INLINE void add_any(const V (&x)[vectors], const V (&y)[vectors], const V (&z)[vectors], const V (&q)[vectors]) {
    const auto one = hn::Set(d_, 1.0f);
    V dx[vectors], dy[vectors], dz[vectors], r2[vectors], inverse[vectors], value[vectors], along[vectors];
    const auto each = [](const auto& step) HWY_ATTR {
      for (int n = 0; n < vectors; ++n) step(n);
    };
    each([&](int n) HWY_ATTR {
      dx[n] = hn::Sub(px_, x[n]), dy[n] = hn::Sub(py_, y[n]), dz[n] = hn::Sub(pz_, z[n]);
      r2[n] = hn::MulAdd(dx[n], dx[n], hn::MulAdd(dy[n], dy[n], hn::Mul(dz[n], dz[n])));
    });
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
    each([&](int n) HWY_ATTR { inverse[n] = hn::Div(one, hn::Sqrt(r2[n])); });
#else
    each([&](int n) HWY_ATTR { inverse[n] = hn::ApproximateReciprocalSqrt(r2[n]); });
    each([&](int n) HWY_ATTR {
      inverse[n] = hn::MulAdd(hn::Mul(inverse[n], hn::Set(d_, 0.5f)),
                              hn::NegMulAdd(hn::Mul(r2[n], inverse[n]), inverse[n], one), inverse[n]);
    });
#endif
    if constexpr (careful) {
      const auto least = hn::Set(d_, static_cast<float>(coincidence * coincidence));
      each([&](int n) HWY_ATTR { inverse[n] = hn::IfThenElseZero(hn::Ge(r2[n], least), inverse[n]); });
    }
    if constexpr (sigmoidal) {
      V r[vectors], fall[vectors], eps[vectors], u[vectors];
      each([&](int n) HWY_ATTR { r[n] = hn::Mul(r2[n], inverse[n]); });
      each([&](int n) HWY_ATTR { fall[n] = power_(hn::Mul(r[n], decay_)); });
      each([&](int n) HWY_ATTR {
        eps[n] = hn::NegMulAdd(hn::MulAdd(r[n], hn::MulAdd(r[n], square_, linear_), constant_), fall[n], bulk_);
      });
      each([&](int n) HWY_ATTR { u[n] = hn::ApproximateReciprocal(eps[n]); });
      each([&](int n) HWY_ATTR { u[n] = hn::Mul(u[n], hn::NegMulAdd(eps[n], u[n], hn::Set(d_, 2.0f))); });
      // With eps in units of k its slope is r^2 exp(-S r): E = V (1/r + eps'/eps) r/|r|.
      each([&](int n) HWY_ATTR {
        value[n] = hn::Mul(q[n], hn::Mul(u[n], inverse[n]));
        along[n] = hn::Mul(hn::Mul(value[n], inverse[n]), hn::MulAdd(hn::Mul(r2[n], fall[n]), u[n], inverse[n]));
      });
    } else {
      each([&](int n) HWY_ATTR {
        value[n] = hn::Mul(q[n], inverse[n]);
        along[n] = hn::Mul(hn::Mul(value[n], inverse[n]), inverse[n]);
      });
    }
    each([&](int n) HWY_ATTR {
      v_ = hn::Add(v_, value[n]);
      ex_ = hn::MulAdd(along[n], dx[n], ex_);
      ey_ = hn::MulAdd(along[n], dy[n], ey_);
      ez_ = hn::MulAdd(along[n], dz[n], ez_);
    });
  }

  const D d_{};
  const V px_, py_, pz_, decay_, square_, linear_, constant_, bulk_;
  const PowerOfTwo power_{};
  V v_ = hn::Zero(d_), ex_ = v_, ey_ = v_, ez_ = v_;
};

/// Decides for the tile's waiting groups whether they are far from the atom: then their charges act, else their atoms
/// go to the runs. Groups that stand one behind the other make one run.
template <bool sigmoidal>
HWY_INLINE void decide(const HcpFieldSystem& system, HcpFieldLists& lists, std::int32_t bit, AtomSums<sigmoidal>& sums,
                       std::size_t& runs) {
  const D d;
  const hn::RebindToSigned<D> di;
  const std::size_t lanes = hn::Lanes(d);
  const ChargePointers c(lists.centres);
  const std::int32_t* masks = lists.masks.data();
  for (std::size_t k = 0; k < lists.group_count; k += lanes) {
    const auto r2 = sums.distance2(hn::LoadU(d, c.x + k), hn::LoadU(d, c.y + k), hn::LoadU(d, c.z + k));
    const auto reach = hn::LoadU(d, c.q + k);
    const auto part = hn::Ne(hn::And(hn::LoadU(di, masks + k), hn::Set(di, bit)), hn::Zero(di));
    const auto part_f = hn::RebindMask(d, part);
    const auto is_far = hn::Gt(r2, hn::Mul(reach, reach));
    const auto far = hn::And(part_f, is_far);
    if (!hn::AllFalse(d, far)) {
      for (std::size_t n = 0; n < system.charges_each; ++n) {
        const ChargePointers a(lists.charges[n]);
        sums.add_one(a, k, hn::IfThenElseZero(far, hn::LoadU(d, a.q + k)));
      }
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::AndNot(is_far, part_f), bytes);
    unsigned bits = bytes[0] | static_cast<unsigned>(bytes[1]) << 8;
    if (lanes < 16) bits &= (1u << lanes) - 1u;
    for (; bits != 0; bits &= bits - 1) {
      const std::uint32_t group = lists.groups[k + static_cast<std::size_t>(__builtin_ctz(bits))];
      const std::uint32_t begin = system.first_atom[group], end = system.first_atom[group + 1];
      if (runs > 0 && lists.runs[runs - 1].end == begin) {
        lists.runs[runs - 1].end = end;
      } else {
        lists.runs[runs++] = {begin, end};
      }
    }
  }
}

template <bool sigmoidal>
void sum_atom_by(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&out)[4]) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  AtomSums<sigmoidal> sums(system, tile.x[i], tile.y[i], tile.z[i]);
  const auto add_all = [&](auto careful, const ChargePointers& c, std::size_t k, std::size_t end) HWY_ATTR {
    for (; k + side_by_side * lanes <= end; k += side_by_side * lanes)
      sums.template add<careful.value, side_by_side>(c, k);
    for (; k + lanes <= end; k += lanes) sums.template add<careful.value, 1>(c, k);
    return k;
  };
  const ChargePointers far(lists.far);
  for (const HcpFieldLists::Segment& s : lists.segments)
    if ((s.mask >> i & 1u) != 0) add_all(std::false_type(), far, s.begin, s.end);
  std::size_t runs = 0;
  const ChargePointers a(system.atoms);
  if (lists.everything) {
    lists.runs[runs++] = {0, static_cast<std::uint32_t>(system.atoms.size() - hcp_charge_padding)};
  } else {
    decide(system, lists, 1 << i, sums, runs);
  }
  for (std::size_t n = 0; n < runs; ++n) {
    const std::size_t end = lists.runs[n].end;
    const std::size_t k = add_all(std::true_type(), a, lists.runs[n].begin, end);
    if (k < end) sums.add_one(a, k, hn::IfThenElseZero(hn::FirstN(d, end - k), hn::LoadU(d, a.q + k)));
  }
  sums.store(out);
}

void sum_atom(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&out)[4]) {
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
  const auto compress = [&](const HcpChargeColumns& from, std::size_t k, auto which, HcpChargeColumns& to,
                            std::size_t place) HWY_ATTR {
    hn::StoreU(hn::Compress(hn::LoadU(d, &from.x[k]), which), d, &to.x[place]);
    hn::StoreU(hn::Compress(hn::LoadU(d, &from.y[k]), which), d, &to.y[place]);
    hn::StoreU(hn::Compress(hn::LoadU(d, &from.z[k]), which), d, &to.z[place]);
    hn::StoreU(hn::Compress(hn::LoadU(d, &from.q[k]), which), d, &to.q[place]);
  };
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
      compress(system.charges[n], k, far, lists.far, lists.far_size);
      lists.far_size += hn::CountTrue(d, far);
    }
    if (hn::AllFalse(d, rest)) continue;
    const std::size_t place = lists.group_count;
    compress(c, k, rest, lists.centres, place);
    for (std::size_t n = 0; n < system.charges_each; ++n) compress(system.charges[n], k, rest, lists.charges[n], place);
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

void HcpFieldLists::reserve_far(std::size_t more) {
  const std::size_t needed = far_size + more + 2 * hcp_charge_padding;
  if (far.size() < needed) far.resize(needed + needed / 2);
}

void HcpFieldLists::reserve_groups(std::size_t more) {
  const std::size_t needed = group_count + more + 2 * hcp_charge_padding;
  if (centres.size() >= needed) return;
  const std::size_t size = needed + needed / 2;
  groups.resize(size), masks.resize(size), runs.resize(size), centres.resize(size);
  for (HcpChargeColumns& c : charges) c.resize(size);
}

void HcpFieldLists::close_segment(std::size_t begin, std::uint32_t mask) {
  if (far_size == begin) return;
  // A charge that is far anyway, without its charge.
  while (far_size % hcp_charge_padding != 0) {
    far.set(far_size, {far.x[begin], far.y[begin], far.z[begin], 0});
    ++far_size;
  }
  segments.push_back({begin, far_size, mask});
}

void hcp_split_groups(const HcpFieldSystem& system, std::uint32_t begin, std::uint32_t end, const float (&centre)[3],
                      float radius, std::int32_t mask, HcpFieldLists& lists) {
  lists.reserve_far((end - begin) * system.charges_each);
  lists.reserve_groups(end - begin);
  HWY_DYNAMIC_DISPATCH(split_groups)(system, begin, end, centre, radius, mask, lists);
}

void hcp_sum_atom(const HcpFieldSystem& system, HcpFieldLists& lists, const HcpTile& tile, int i, float (&sums)[4]) {
  HWY_DYNAMIC_DISPATCH(sum_atom)(system, lists, tile, i, sums);
}

}  // namespace isolume
#endif  // HWY_ONCE
