// The series of what is remote from a tile (hcp_expansion.h), a vector of charges at a time. For Highway's
// foreach_target, once for each target.
// NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_HCP_SERIES_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_HCP_SERIES_LANES
#undef ISOLUME_HCP_SERIES_LANES
#else
#define ISOLUME_HCP_SERIES_LANES
#endif

#include "compute/electrostatics/hcp/hcp_expansion.h"
#include "compute/electrostatics/hcp/hcp_pair_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// f_k = (1/r d/dr)^k of q/(eps r) in the units of HcpDeviceLaw, k = 0 to 3.
template <bool sigmoidal>
class LawDerivatives {
 public:
  explicit LawDerivatives(const HcpFieldSystem& system)
      : decay_(hn::Set(d_, system.decay * PowerOfTwo::unit)),
        square_(hn::Set(d_, system.square)),
        linear_(hn::Set(d_, system.linear)),
        constant_(hn::Set(d_, system.constant)),
        bulk_(hn::Set(d_, system.bulk)),
        slope_(hn::Set(d_, system.slope)) {}

  HWY_INLINE void operator()(V r2, V q, V (&f)[4]) const {
    const auto two = hn::Set(d_, 2.0f), three = hn::Set(d_, 3.0f);
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
    const auto y = hn::Div(hn::Set(d_, 1.0f), hn::Sqrt(r2));
#else
    auto y = hn::ApproximateReciprocalSqrt(r2);
    y = hn::Mul(hn::Mul(hn::Set(d_, 0.5f), y), hn::NegMulAdd(hn::Mul(r2, y), y, three));
#endif
    const auto y2 = hn::Mul(y, y);
    const auto h0 = hn::Mul(q, y), h1 = hn::Neg(hn::Mul(h0, y2));
    const auto h2 = hn::Mul(hn::Mul(h1, y2), hn::Set(d_, -3.0f));
    const auto h3 = hn::Mul(hn::Mul(h2, y2), hn::Set(d_, -5.0f));
    if constexpr (!sigmoidal) {
      f[0] = h0, f[1] = h1, f[2] = h2, f[3] = h3;
      return;
    }
    const auto r = hn::Mul(r2, y);
    const auto fall = power_(r, decay_);
    const auto eps = hn::NegMulAdd(hn::MulAdd(r, hn::MulAdd(r, square_, linear_), constant_), fall, bulk_);
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
    const auto w = hn::Div(hn::Set(d_, 1.0f), eps);
#else
    auto w = hn::ApproximateReciprocal(eps);
    w = hn::Mul(w, hn::NegMulAdd(eps, w, two));
#endif
    // Of eps, then of w = 1/eps by Leibniz' rule for eps w = 1, then for the product of w and q/r.
    const auto e1 = hn::Mul(r, fall), e2 = hn::Mul(fall, hn::Sub(y, slope_));
    const auto e3 = hn::Mul(hn::Mul(fall, y), hn::NegMulAdd(y, hn::Add(y, slope_), hn::Mul(slope_, slope_)));
    const auto minus = hn::Neg(w);
    const auto w1 = hn::Mul(hn::Mul(minus, w), e1);
    const auto w2 = hn::Mul(minus, hn::MulAdd(w, e2, hn::Mul(hn::Mul(two, w1), e1)));
    const auto w3 = hn::Mul(minus, hn::MulAdd(w, e3, hn::Mul(three, hn::MulAdd(w1, e2, hn::Mul(w2, e1)))));
    f[0] = hn::Mul(h0, w);
    f[1] = hn::MulAdd(h1, w, hn::Mul(h0, w1));
    f[2] = hn::MulAdd(h2, w, hn::MulAdd(hn::Mul(two, h1), w1, hn::Mul(h0, w2)));
    f[3] = hn::MulAdd(h3, w, hn::MulAdd(three, hn::MulAdd(h2, w1, hn::Mul(h1, w2)), hn::Mul(h0, w3)));
  }

 private:
  const D d_{};
  const V decay_, square_, linear_, constant_, bulk_, slope_;
  const PowerOfTwo power_{};
};

/// The sums of hcp_add_terms, in vectors.
class SeriesSums {
 public:
  HWY_INLINE SeriesSums() {
    for (V& sum : a_) sum = hn::Zero(d_);
  }
  HWY_INLINE void add(V x, V y, V z, const V (&f)[4]) {
    a_[0] = hn::Add(a_[0], f[0]);
    add(1, f[1], x), add(2, f[1], y), add(3, f[1], z);
    a_[4] = hn::Add(a_[4], f[1]);
    const auto fx = hn::Mul(f[2], x), fy = hn::Mul(f[2], y), fz = hn::Mul(f[2], z);
    a_[5] = hn::Add(a_[5], fx), a_[6] = hn::Add(a_[6], fy), a_[7] = hn::Add(a_[7], fz);
    add(8, fx, x), add(9, fy, y), add(10, fz, z), add(11, fx, y), add(12, fx, z), add(13, fy, z);
    const auto gx = hn::Mul(f[3], x), gy = hn::Mul(f[3], y), gz = hn::Mul(f[3], z);
    const auto xx = hn::Mul(gx, x), yy = hn::Mul(gy, y), zz = hn::Mul(gz, z);
    add(14, xx, x), add(15, yy, y), add(16, zz, z);
    add(17, xx, y), add(18, xx, z), add(19, yy, x), add(20, yy, z), add(21, zz, x), add(22, zz, y);
    add(23, hn::Mul(gx, y), z);
  }
  HWY_INLINE void store(float (&series)[hcp_terms]) const {
    for (int i = 0; i < hcp_terms; ++i) series[i] = hn::GetLane(hn::SumOfLanes(d_, a_[i]));
  }

 private:
  HWY_INLINE void add(int i, V a, V b) { a_[i] = hn::MulAdd(a, b, a_[i]); }
  const D d_{};
  V a_[hcp_terms];
};

/// The series of the charges [begin, end), whole vectors, about a centre, added at the atoms of a tile in `mask`.
template <bool sigmoidal>
HWY_INLINE void add_series_by(const HcpFieldSystem& system, const HcpChargeColumns& charges, std::size_t begin,
                              std::size_t end, const float (&centre)[3], const HcpTile& tile, std::uint32_t mask,
                              float (&sums)[4][tile_size]) {
  const D d;
  const LawDerivatives<sigmoidal> law(system);
  const auto cx = hn::Set(d, centre[0]), cy = hn::Set(d, centre[1]), cz = hn::Set(d, centre[2]);
  SeriesSums all;
  for (std::size_t k = begin; k < end; k += hn::Lanes(d)) {
    const auto x = hn::Sub(cx, hn::LoadU(d, &charges.x[k]));
    const auto y = hn::Sub(cy, hn::LoadU(d, &charges.y[k]));
    const auto z = hn::Sub(cz, hn::LoadU(d, &charges.z[k]));
    V f[4];
    law(hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z))), hn::LoadU(d, &charges.q[k]), f);
    all.add(x, y, z, f);
  }
  float series[hcp_terms];
  all.store(series);
  float at[4][tile_size];
  for (int i = 0; i < tile_size; ++i) {
    float e[3] = {0, 0, 0}, v = 0;
    hcp_evaluate(series, tile.x[i] - centre[0], tile.y[i] - centre[1], tile.z[i] - centre[2], e, v);
    at[0][i] = e[0], at[1][i] = e[1], at[2][i] = e[2], at[3][i] = v;
  }
  for (int i = 0; i < tile_size; ++i) {
    if ((mask >> i & 1u) == 0) continue;
    for (int k = 0; k < 4; ++k) sums[k][i] += at[k][i];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#endif  // ISOLUME_HCP_SERIES_LANES
