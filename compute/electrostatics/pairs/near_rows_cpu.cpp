// The near sum on the CPU by explicit SIMD: each charge is added to the stretches of grid rows that it reaches.
#include "compute/electrostatics/pairs/near_rows_cpu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/pairs/near_rows_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The estimate of 1/sqrt has 14 bits with AVX-512 and 12 bits before it: too few without a Newton step.
constexpr bool good_estimate = HWY_TARGET <= HWY_AVX3;

/// Adds charges to a tile. `kind`, `order` and `sigmoidal` as in PairFunction; `newton` refines 1/sqrt.
template <PairFunction::Kind kind, int order, bool sigmoidal, bool newton>
void add_charges(const PairFunction& f, const NearWork& work) {
  using Kind = PairFunction::Kind;
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const double reach2 = f.cutoff * f.cutoff;
  const int windows = windows_for(f.cutoff, work.ax, lanes);
  const int half = windows * lanes / 2;
  // A row needs more than m windows where reach^2 - c is more than this.
  HWY_ALIGN float wider[most_windows + 1];
  for (int m = 0; m < windows; ++m) {
    const double chord = 0.5 * m * lanes * work.ax;
    wider[m] = static_cast<float>((reach2 - chord * chord) * (1 + 1e-6));
  }

  // Constants stay in registers; the compiler cannot know that the sums do not overlap them in memory. A Newton step
  // without its factor 1/2 makes values twice too large, which half of the charge undoes.
  constexpr float twice = newton ? 2.0f : 1.0f;
  const auto cutoff2 = hn::Set(d, f.cutoff2);
  const auto c0 = hn::Set(d, twice * f.coefficient[0]);
  const auto c1 = hn::Set(d, twice * f.coefficient[1]);
  const auto c2 = hn::Set(d, twice * f.coefficient[2]);
  const auto c3 = hn::Set(d, twice * f.coefficient[3]);
  const auto c4 = hn::Set(d, twice * f.coefficient[4]);
  const auto three = hn::Set(d, 3.0f);
  const auto value = [&](V r2, auto checked) HWY_ATTR {
    const auto s = kind == Kind::plain ? r2 : hn::Min(r2, cutoff2);
    auto e = hn::ApproximateReciprocalSqrt(s);
    if constexpr (newton) e = hn::Mul(e, hn::NegMulAdd(hn::Mul(s, e), e, three));
    if constexpr (decltype(checked)::value) {
      e = hn::IfThenZeroElse(hn::Lt(r2, hn::Set(d, static_cast<float>(coincidence * coincidence))), e);
    }
    if constexpr (kind == Kind::taylor) {
      // 1/r - (c0 + s (c1 + s (c2 + ...)))
      auto p = order == 2 ? c2 : order == 3 ? c3 : c4;
      if constexpr (order >= 4) p = hn::MulAdd(p, s, c3);
      if constexpr (order >= 3) p = hn::MulAdd(p, s, c2);
      p = hn::MulAdd(p, s, c1);
      return hn::NegMulAdd(p, s, hn::Sub(e, c0));
    } else {
      auto v = e;
      if constexpr (kind == Kind::plain) {
        v = hn::IfThenElseZero(hn::Lt(r2, cutoff2), e);
      } else if constexpr (kind == Kind::shifted) {
        const auto t = hn::NegMulAdd(s, hn::Set(d, f.inverse_cutoff2), hn::Set(d, 1.0f));
        v = hn::Mul(e, hn::Mul(t, t));
      } else {
        const auto t = hn::Sub(cutoff2, s);
        const auto u = hn::MulAdd(hn::Set(d, 2.0f), s, hn::Set(d, f.cutoff2 - 3 * f.switching2));
        const auto w = hn::Mul(hn::Mul(hn::Mul(t, t), u), hn::Set(d, f.switch_scale));
        v = hn::Mul(e, hn::IfThenElse(hn::Lt(s, hn::Set(d, f.switching2)), hn::Set(d, 1.0f), w));
      }
      if constexpr (sigmoidal) {
        const auto x = hn::Mul(hn::Mul(s, e), hn::Set(d, f.slope / twice));
        const auto two = hn::Set(d, 2.0f);
        const auto g = hn::Mul(hn::MulAdd(x, hn::Add(x, two), two), hn::Exp(d, hn::Neg(x)));
        v = hn::Div(v, hn::NegMulAdd(g, hn::Set(d, 0.5f * (f.bulk - 1)), hn::Set(d, f.bulk)));
      }
      return v;
    }
  };

  HWY_ALIGN float dx2[most_windows * most_lanes + most_lanes];
  HWY_ALIGN std::int32_t first_row[NearTile::rows + most_lanes];
  HWY_ALIGN std::int32_t last_row[NearTile::rows + most_lanes];
  const hn::RebindToSigned<decltype(d)> di;
  const NearTile& tile = work.tile;
  const auto fill = [&](double u, int start) HWY_ATTR {
    const auto step = hn::Set(d, static_cast<float>(work.ax));
    const auto offset = hn::Set(d, static_cast<float>((start - u) * work.ax));
    for (int v = 0; v < windows; ++v) {
      const auto dx = hn::MulAdd(hn::Iota(d, static_cast<float>(v * lanes)), step, offset);
      hn::StoreU(hn::Mul(dx, dx), d, dx2 + v * lanes);
    }
  };
  const bool upright = work.bx == 0 && work.cx == 0;
  const double per_by = 1 / work.by;
  const double per_ax = 1 / work.ax;
  constexpr float near2 = static_cast<float>(4 * coincidence * coincidence);

  for (std::size_t n = work.first; n < work.last; ++n) {
    const double px = work.bins->x[n];
    const double py = work.bins->y[n];
    const double pz = work.bins->z[n];
    const double ex = std::max(std::max(work.lower[0] - px, px - work.upper[0]), 0.0);
    const double ey = std::max(std::max(work.lower[1] - py, py - work.upper[1]), 0.0);
    const double ez = std::max(std::max(work.lower[2] - pz, pz - work.upper[2]), 0.0);
    if (ex * ex + ey * ey + ez * ez >= reach2) continue;
    const auto q = hn::Set(d, work.bins->charge[n] / twice);
    double u = (px - work.x0) * per_ax;
    int start = static_cast<int>(std::ceil(u)) - half;
    if (upright) fill(u, start);
    const auto first_dx2 = hn::LoadU(d, dx2);
    // Rows in reach, for all layers at once; a little more than that rather than less, as the function ends in zero.
    const auto vz = hn::Set(d, static_cast<float>(work.z0 - pz));
    const auto vy = hn::Set(d, static_cast<float>(py - work.y0));
    for (int k = 0; k < tile.rows_k; k += lanes) {
      const auto layer = hn::Iota(d, static_cast<float>(k));
      const auto dz = hn::MulAdd(layer, hn::Set(d, static_cast<float>(work.cz)), vz);
      const auto w2 = hn::NegMulAdd(dz, dz, hn::Set(d, static_cast<float>(reach2 * (1 + 1e-6))));
      const auto w = hn::Sqrt(hn::Max(w2, hn::Zero(d)));
      const auto yk = hn::NegMulAdd(layer, hn::Set(d, static_cast<float>(work.cy)), vy);
      const auto per = hn::Set(d, static_cast<float>(per_by));
      // Without any row where the layer is out of reach.
      const auto least = hn::IfThenElse(hn::Gt(w2, hn::Zero(d)), hn::Mul(hn::Sub(yk, w), per), hn::Set(d, 1e6f));
      const auto most = hn::Mul(hn::Add(yk, w), per);
      const auto bounded = [&](auto v) HWY_ATTR { return hn::Min(hn::Max(v, hn::Set(d, -1e6f)), hn::Set(d, 1e6f)); };
      hn::StoreU(hn::ConvertTo(di, hn::Ceil(bounded(least))), di, first_row + k);
      hn::StoreU(hn::ConvertTo(di, hn::Floor(bounded(most))), di, last_row + k);
    }
    for (int k = 0; k < tile.rows_k; ++k) {
      const int j_first = std::max(0, static_cast<int>(first_row[k]));
      const int j_last = std::min(tile.rows_j - 1, static_cast<int>(last_row[k]));
      if (j_first > j_last) continue;
      const double dz = pz - work.z0 - k * work.cz;
      const double yk = py - work.y0 - k * work.cy;
      const double dz2 = dz * dz;
      for (int j = j_first; j <= j_last; ++j) {
        const double dy = yk - j * work.by;
        const auto c = static_cast<float>(dz2 + dy * dy);
        if (!upright) {
          u = (px - work.x0 - j * work.bx - k * work.cx) * per_ax;
          start = static_cast<int>(std::ceil(u)) - half;
          // The row may begin or end beyond the charge's reach.
          if (start < -work.margin || start + 2 * half > tile.count + work.margin) continue;
          fill(u, start);
        }
        const auto vc = hn::Set(d, c);
        float* out = tile.row(j, k) + start;
        if (HWY_LIKELY(upright && windows == 1 && c >= near2)) {
          hn::StoreU(hn::MulAdd(q, value(hn::Add(first_dx2, vc), std::false_type()), hn::LoadU(d, out)), d, out);
          continue;
        }
        int m = 1;
        while (m < windows && (c < wider[m] || m * lanes % 2 != 0)) ++m;
        const int skip = (windows - m) * lanes / 2;
        const float* from = dx2 + skip;
        out += skip;
        if (HWY_UNLIKELY(c < near2)) {
          for (int v = 0; v < m; ++v, out += lanes, from += lanes) {
            const auto r2 = hn::Add(hn::LoadU(d, from), vc);
            hn::StoreU(hn::MulAdd(q, value(r2, std::true_type()), hn::LoadU(d, out)), d, out);
          }
        } else {
          for (int v = 0; v < m; ++v, out += lanes, from += lanes) {
            const auto r2 = hn::Add(hn::LoadU(d, from), vc);
            hn::StoreU(hn::MulAdd(q, value(r2, std::false_type()), hn::LoadU(d, out)), d, out);
          }
        }
      }
    }
  }
}

void add_near(const PairFunction& f, const NearWork& work) {
  using Kind = PairFunction::Kind;
  constexpr bool optional = good_estimate;  // elsewhere the step is always taken
  switch (f.kind) {
    case Kind::taylor:
      if (f.refine || !optional) {
        if (f.order == 2) return add_charges<Kind::taylor, 2, false, true>(f, work);
        if (f.order == 3) return add_charges<Kind::taylor, 3, false, true>(f, work);
        return add_charges<Kind::taylor, 4, false, true>(f, work);
      }
      if (f.order == 2) return add_charges<Kind::taylor, 2, false, !optional>(f, work);
      if (f.order == 3) return add_charges<Kind::taylor, 3, false, !optional>(f, work);
      return add_charges<Kind::taylor, 4, false, !optional>(f, work);
    case Kind::plain:
      return f.sigmoidal ? add_charges<Kind::plain, 0, true, true>(f, work)
                         : add_charges<Kind::plain, 0, false, true>(f, work);
    case Kind::shifted:
      return f.sigmoidal ? add_charges<Kind::shifted, 0, true, true>(f, work)
                         : add_charges<Kind::shifted, 0, false, true>(f, work);
    case Kind::switched:
      return f.sigmoidal ? add_charges<Kind::switched, 0, true, true>(f, work)
                         : add_charges<Kind::switched, 0, false, true>(f, work);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(add_near);

void near_rows_cpu(const PairFunction& function, const NearWork& work) {
  HWY_DYNAMIC_DISPATCH(add_near)(function, work);
}

}  // namespace isolume
#endif  // HWY_ONCE
