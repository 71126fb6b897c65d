// The innermost loops of hierarchical charge partitioning on the CPU, in vectors over the points of a tile.
#include "compute/electrostatics/hcp/hcp_tile_cpu.h"

#include "compute/electrostatics/charges/direct_math.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/hcp/hcp_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// exp(-x) for x >= 0, relative error 2e-7: 2^n by the exponent's bits, 2^f by its Taylor series on [-1/2, 1/2].
template <class D, class V>
HWY_INLINE V exp_of_minus(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V t = hn::Max(hn::Mul(x, hn::Set(d, -1.44269504089f)), hn::Set(d, -126.0f));
  const auto n = hn::NearestInt(t);
  const V f = hn::Sub(t, hn::ConvertTo(d, n));
  V p = hn::Set(d, 1.5403530393e-4f);
  p = hn::MulAdd(p, f, hn::Set(d, 1.3333558146e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 9.6181291076e-3f));
  p = hn::MulAdd(p, f, hn::Set(d, 5.5504108665e-2f));
  p = hn::MulAdd(p, f, hn::Set(d, 2.4022650696e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 6.9314718056e-1f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  return hn::Mul(p, hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(di, 127)))));
}

/// Adds `count` charges to a tile; each acts on the points in its mask (null: on all).
template <bool sigmoidal, bool masked>
void add_charges(const HcpCharge* charges, const std::uint16_t* masks, std::size_t count, const HcpLaw& law,
                 HcpTile& tile) {
  const hn::CappedTag<float, tile_size> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto near = hn::Set(d, static_cast<float>(coincidence * coincidence));
  const auto half = hn::Set(d, 0.5f), one_and_half = hn::Set(d, 1.5f), two = hn::Set(d, 2.0f);
  for (std::size_t i = 0; i < tile_size; i += lanes) {
    const auto px = hn::Load(d, tile.x + i), py = hn::Load(d, tile.y + i), pz = hn::Load(d, tile.z + i);
    auto v = hn::Zero(d);
    for (std::size_t c = 0; c < count; ++c) {
      const auto dx = hn::Sub(px, hn::Set(d, charges[c].x));
      const auto dy = hn::Sub(py, hn::Set(d, charges[c].y));
      const auto dz = hn::Sub(pz, hn::Set(d, charges[c].z));
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      auto inverse = hn::ApproximateReciprocalSqrt(r2);
      const auto h = hn::Mul(half, r2);
      inverse = hn::Mul(inverse, hn::NegMulAdd(hn::Mul(h, inverse), inverse, one_and_half));
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
      inverse = hn::Div(hn::Set(d, 1.0f), hn::Sqrt(r2));
#endif
      inverse = hn::IfThenElseZero(hn::Ge(r2, near), inverse);
      auto q = hn::Set(d, charges[c].q);
      if constexpr (masked) {
        const unsigned bits = static_cast<unsigned>(masks[c]) >> i;
        const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)};
        q = hn::IfThenElseZero(hn::LoadMaskBits(d, bytes), q);
      }
      if constexpr (sigmoidal) {
        const auto x = hn::Mul(hn::Mul(r2, inverse), hn::Set(d, law.slope));
        const auto fall = hn::Mul(hn::Set(d, law.half), exp_of_minus(d, x));
        const auto eps = hn::NegMulAdd(hn::MulAdd(x, hn::Add(x, two), two), fall, hn::Set(d, law.bulk));
        auto u = hn::ApproximateReciprocal(eps);
        u = hn::Mul(u, hn::NegMulAdd(eps, u, two));
        v = hn::MulAdd(q, hn::Mul(u, inverse), v);
      } else {
        v = hn::MulAdd(q, inverse, v);
      }
    }
    hn::Store(hn::Add(v, hn::Load(d, tile.v + i)), d, tile.v + i);
  }
}

template <bool sigmoidal>
void add_any(const HcpCharge* charges, const std::uint16_t* masks, std::size_t count, const HcpLaw& law,
             HcpTile& tile) {
  if (masks) {
    add_charges<sigmoidal, true>(charges, masks, count, law, tile);
  } else {
    add_charges<sigmoidal, false>(charges, masks, count, law, tile);
  }
}

void add_constant(const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
  add_any<false>(c, m, n, law, tile);
}
void add_sigmoidal(const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
  add_any<true>(c, m, n, law, tile);
}

/// The points of a tile for which a component is far.
std::uint32_t far_points(const HcpTile& tile, const HcpCentre& centre) {
  const hn::CappedTag<float, tile_size> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto reach2 = hn::Set(d, centre.reach * centre.reach);
  std::uint32_t far = 0;
  for (std::size_t i = 0; i < tile_size; i += lanes) {
    const auto dx = hn::Sub(hn::Load(d, tile.x + i), hn::Set(d, centre.x));
    const auto dy = hn::Sub(hn::Load(d, tile.y + i), hn::Set(d, centre.y));
    const auto dz = hn::Sub(hn::Load(d, tile.z + i), hn::Set(d, centre.z));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Gt(r2, reach2), bytes);
    const std::uint32_t bits = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
    far |= (lanes < 16 ? bits & ((1u << lanes) - 1u) : bits) << i;
  }
  return far;
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(far_points);
HWY_EXPORT(add_constant);
HWY_EXPORT(add_sigmoidal);

AddCharges hcp_add_charges(bool sigmoidal) {
  // The instruction set is looked up at each call, which is some hundred charges long.
  if (sigmoidal)
    return [](const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
      HWY_DYNAMIC_DISPATCH(add_sigmoidal)(c, m, n, law, tile);
    };
  return [](const HcpCharge* c, const std::uint16_t* m, std::size_t n, const HcpLaw& law, HcpTile& tile) {
    HWY_DYNAMIC_DISPATCH(add_constant)(c, m, n, law, tile);
  };
}

std::uint32_t hcp_far_points(const HcpTile& tile, const HcpCentre& centre) {
  return HWY_DYNAMIC_DISPATCH(far_points)(tile, centre);
}

}  // namespace isolume
#endif  // HWY_ONCE
