// The innermost loop of energies and forces on the CPU, in vectors.
#include "compute/electrostatics/pairs/pair_loop_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/pairs/pair_loop_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool all, bool plain>
void loop(const PairRow& row, float x, float y, float z, const ShortRange& f, PairSums& sums) {
  const hn::CappedTag<float, pair_lanes> d;
  using V = hn::Vec<decltype(d)>;
  const std::size_t lanes = hn::Lanes(d);
  const V xi = hn::Set(d, x);
  const V yi = hn::Set(d, y);
  const V zi = hn::Set(d, z);
  const V cutoff2 = hn::Set(d, f.cutoff2);
  const V nearest2 = hn::Set(d, 1e-8f);
  const V scale = hn::Set(d, f.scale);
  const V offset = hn::Set(d, f.offset);
  const V one = hn::Set(d, 1.0f);
  const V half = hn::Set(d, 0.5f);
  const V three = hn::Set(d, 3.0f);
  const auto reduce = [&](V v) HWY_ATTR { return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, v))); };
  // Single precision over so many vectors, then double.
  constexpr std::size_t chunk = 64;
  for (std::size_t begin = 0; begin < row.count; begin += chunk * lanes) {
    const std::size_t end = row.count < begin + chunk * lanes ? row.count : begin + chunk * lanes;
    V fx = hn::Zero(d), fy = fx, fz = fx, potential = fx;
    V xx = fx, yy = fx, zz = fx, xy = fx, xz = fx, yz = fx;
    for (std::size_t j = begin; j < end; j += lanes) {
      const V dx = hn::Sub(xi, hn::LoadU(d, row.x + j));
      const V dy = hn::Sub(yi, hn::LoadU(d, row.y + j));
      const V dz = hn::Sub(zi, hn::LoadU(d, row.z + j));
      const V r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
      const auto within = hn::Lt(r2, cutoff2);
      const auto apart = hn::Ge(r2, nearest2);
      const V q = hn::IfThenElseZero(within, hn::LoadU(d, row.q + j));
      const V s = hn::IfThenElse(within, r2, one);
      const V safe = hn::Max(s, nearest2);
      V root = hn::ApproximateReciprocalSqrt(safe);
      root = hn::Mul(hn::Mul(half, root), hn::NegMulAdd(hn::Mul(safe, root), root, three));
      root = hn::IfThenElseZero(apart, root);
      V force = hn::Mul(root, hn::Mul(root, root));
      V energy = root;
      if constexpr (!plain) {
        const V t = hn::MulAdd(s, scale, offset);
        V p = hn::Set(d, f.force[f.terms - 2]);
        for (int k = f.terms - 3; k >= 0; --k) p = hn::MulAdd(p, t, hn::Set(d, f.force[k]));
        force = hn::Sub(force, p);
        if constexpr (all) {
          p = hn::Set(d, f.energy[f.terms - 1]);
          for (int k = f.terms - 2; k >= 0; --k) p = hn::MulAdd(p, t, hn::Set(d, f.energy[k]));
          energy = hn::Sub(energy, p);
        }
      }
      force = hn::Mul(force, q);
      const V gx = hn::Mul(force, dx);
      const V gy = hn::Mul(force, dy);
      const V gz = hn::Mul(force, dz);
      fx = hn::Add(fx, gx);
      fy = hn::Add(fy, gy);
      fz = hn::Add(fz, gz);
      if constexpr (all) {
        potential = hn::MulAdd(energy, q, potential);
        xx = hn::MulAdd(gx, dx, xx);
        yy = hn::MulAdd(gy, dy, yy);
        zz = hn::MulAdd(gz, dz, zz);
        xy = hn::MulAdd(gx, dy, xy);
        xz = hn::MulAdd(gx, dz, xz);
        yz = hn::MulAdd(gy, dz, yz);
      }
    }
    sums.force[0] += reduce(fx);
    sums.force[1] += reduce(fy);
    sums.force[2] += reduce(fz);
    if constexpr (all) {
      sums.potential += reduce(potential);
      sums.virial[0] += reduce(xx);
      sums.virial[1] += reduce(yy);
      sums.virial[2] += reduce(zz);
      sums.virial[3] += reduce(xy);
      sums.virial[4] += reduce(xz);
      sums.virial[5] += reduce(yz);
    }
  }
}

void dispatch(const PairRow& row, float x, float y, float z, const ShortRange& f, bool all, PairSums& sums) {
  if (f.terms == 0) {
    all ? loop<true, true>(row, x, y, z, f, sums) : loop<false, true>(row, x, y, z, f, sums);
  } else {
    all ? loop<true, false>(row, x, y, z, f, sums) : loop<false, false>(row, x, y, z, f, sums);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(dispatch);

void pair_loop(const PairRow& row, float x, float y, float z, const ShortRange& function, bool all, PairSums& sums) {
  HWY_DYNAMIC_DISPATCH(dispatch)(row, x, y, z, function, all, sums);
}

}  // namespace isolume
#endif
