// The promolecule at a batch of points: atoms one after the other, in SIMD over points.
#include <algorithm>
#include <cmath>

#include "compute/electron_density/promolecule_body.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electron_density/promolecule_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 16>;

/// 2^x to about the last bit, for x of 100 at most; of smaller ones than -126 about 0.
template <class V>
HWY_ATTR V exp2_of(Lanes d, V x) {
  const hn::RebindToSigned<Lanes> di;
  // A number whose last bits are the integer next to x.
  const auto big = hn::Set(d, 12582912.0f);
  const auto held = hn::Max(x, hn::Set(d, -126.0f));
  const auto shifted = hn::Add(held, big);
  const auto part = hn::Sub(held, hn::Sub(shifted, big));
  // exp(part log 2) by its series, part within 0.5 of 0.
  auto value = hn::Set(d, 1.5403530e-4f);
  for (const float c : {1.3333558e-3f, 9.6181291e-3f, 5.5504109e-2f, 0.24022651f, 0.69314718f, 1.0f})
    value = hn::MulAdd(value, part, hn::Set(d, c));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, value), hn::ShiftLeft<23>(hn::BitCast(di, shifted))));
}

template <class V>
HWY_ATTR void add_to(Lanes d, float* to, V value) {
  hn::Store(hn::Add(hn::Load(d, to), value), d, to);
}

HWY_ATTR void add_atom(const PromoleculeKind& kind, std::size_t terms, const float (&centre)[3], bool in_first,
                       PromoleculeTile& tile) {
  const Lanes d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int n = 0; n < promolecule_points; n += lanes) {
    const auto x = hn::Sub(hn::Load(d, tile.points[0] + n), hn::Set(d, centre[0]));
    const auto y = hn::Sub(hn::Load(d, tile.points[1] + n), hn::Set(d, centre[1]));
    const auto z = hn::Sub(hn::Load(d, tile.points[2] + n), hn::Set(d, centre[2]));
    const auto r2 = hn::Max(hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z))), hn::Set(d, 1e-8f));
    const auto half = hn::Set(d, 0.5f);
    // Newton's iteration; the first guess has 8 bits on some processors.
    auto inverse = hn::ApproximateReciprocalSqrt(r2);
    for (int step = 0; step < 2; ++step) {
      inverse = hn::Mul(inverse, hn::NegMulAdd(hn::Mul(half, r2), hn::Mul(inverse, inverse), hn::Set(d, 1.5f)));
    }
    const auto inverse2 = hn::Mul(inverse, inverse);
    auto r = hn::Mul(r2, inverse);
    r = hn::MulAdd(hn::NegMulAdd(r, r, r2), hn::Mul(half, inverse), r);  // to the last bit: large exponents multiply it
    auto rho = hn::Zero(d), slope = hn::Zero(d), second = hn::Zero(d);
    for (std::size_t t = 0; t < terms; ++t) {
      const PromoleculeKind::Term& term = kind.terms[t];
      constexpr float per_exponent = -1.44269504f;  // exp(-z r) = 2^(-z r / log 2)
      auto value = hn::Mul(exp2_of(d, hn::Mul(r, hn::Set(d, per_exponent * term.exponent))), hn::Set(d, term.factor));
      for (float n = 1; n < term.power; n += 2) value = hn::Mul(value, r2);  // powers are even
      // f' = (n / r - z) f, f'' = ((n / r - z)^2 - n / r^2) f
      const auto power = hn::Set(d, term.power);
      const auto along = hn::MulSub(power, inverse, hn::Set(d, term.exponent));
      rho = hn::Add(rho, value);
      slope = hn::MulAdd(along, value, slope);
      second = hn::MulAdd(hn::NegMulAdd(power, inverse2, hn::Mul(along, along)), value, second);
    }
    const auto u = hn::Mul(slope, inverse);
    const auto gx = hn::Mul(u, x), gy = hn::Mul(u, y), gz = hn::Mul(u, z);
    const auto a = hn::Mul(hn::Sub(second, u), inverse2);
    const auto ax = hn::Mul(a, x), ay = hn::Mul(a, y);
    add_to(d, tile.density + n, rho);
    add_to(d, tile.gradient[0] + n, gx);
    add_to(d, tile.gradient[1] + n, gy);
    add_to(d, tile.gradient[2] + n, gz);
    add_to(d, tile.hessian[0] + n, hn::MulAdd(ax, x, u));
    add_to(d, tile.hessian[1] + n, hn::Mul(ax, y));
    add_to(d, tile.hessian[2] + n, hn::Mul(ax, z));
    add_to(d, tile.hessian[3] + n, hn::MulAdd(ay, y, u));
    add_to(d, tile.hessian[4] + n, hn::Mul(ay, z));
    add_to(d, tile.hessian[5] + n, hn::MulAdd(hn::Mul(a, z), z, u));
    if (!tile.wants_lengths) continue;
    add_to(d, tile.lengths[0] + n, hn::Abs(gx));
    add_to(d, tile.lengths[1] + n, hn::Abs(gy));
    add_to(d, tile.lengths[2] + n, hn::Abs(gz));
    if (!in_first) continue;
    add_to(d, tile.first[0] + n, gx);
    add_to(d, tile.first[1] + n, gy);
    add_to(d, tile.first[2] + n, gz);
  }
}

HWY_ATTR void evaluate(const Promolecule::Atoms& atoms, PromoleculeTile& tile) {
  std::fill_n(tile.density, promolecule_points, 0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    std::fill_n(tile.gradient[axis], promolecule_points, 0.0f);
    std::fill_n(tile.lengths[axis], promolecule_points, 0.0f);
    std::fill_n(tile.first[axis], promolecule_points, 0.0f);
  }
  for (auto& row : tile.hessian) std::fill_n(row, promolecule_points, 0.0f);
  for (const std::uint32_t i : tile.atoms) {
    const PromoleculeKind& kind = atoms.of_kind[atoms.kinds[i]];
    const glm::dvec3 relative = atoms.positions[i] - tile.centre;
    float centre[3], distance2 = 0;
    for (int axis = 0; axis < 3; ++axis) {
      centre[axis] = static_cast<float>(relative[axis]);
      const float away = std::max(std::abs(centre[axis]) - tile.half[axis], 0.0f);
      distance2 += away * away;
    }
    const float distance = std::sqrt(distance2);
    std::size_t terms = 0;
    while (terms < kind.terms.size() && kind.terms[terms].reach >= distance) ++terms;
    if (terms == 0 || static_cast<double>(distance) > kind.reach) continue;
    add_atom(kind, terms, centre, !atoms.parts.empty() && atoms.parts[i] == 1, tile);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(evaluate);

void sum_promolecule(const Promolecule::Atoms& atoms, PromoleculeTile& tile) {
  HWY_DYNAMIC_DISPATCH(evaluate)(atoms, tile);
}

}  // namespace isolume
#endif  // HWY_ONCE
