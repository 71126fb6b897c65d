// A vector of charges acting on one atom: field and potential in a constant or the sigmoidal dielectric. For Highway's
// foreach_target, once for each target.
// NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_HCP_PAIR_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_HCP_PAIR_LANES
#undef ISOLUME_HCP_PAIR_LANES
#else
#define ISOLUME_HCP_PAIR_LANES
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstring>

#include "compute/electrostatics/charges/direct_math.h"
#include "compute/electrostatics/hcp/hcp_field_tile_cpu.h"

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

/// 2^(a b) for a b <= 0, relative error 2e-7; next to nothing where it would be less than 2^-126.
class PowerOfTwo {
 public:
#if HWY_TARGET <= HWY_AVX3
  PowerOfTwo() {
    static const PowerTable table;
    low_ = hn::Load(di_, table.bits);
    high_ = hn::Load(di_, table.bits + 16);
  }
  /// Of a b / 32: a table of 32 values between 1 and 2, and a parabola.
  HWY_INLINE V operator()(V a, V b) const {
    const auto magic = hn::Set(d_, 12582912.0f);  // 1.5 2^23: what is added to it is rounded to a whole number
    const auto sum = hn::Max(hn::MulAdd(a, b, magic), hn::Set(d_, 12582912.0f - 126 * 32));
    const auto f = hn::MulSub(a, b, hn::Sub(sum, magic));
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
  HWY_INLINE V operator()(V a, V b) const {
    const hn::RebindToSigned<D> di;
    const V t = hn::Max(hn::Mul(a, b), hn::Set(d_, -126.0f));
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
  ChargePointers(const float* of_x, const float* of_y, const float* of_z, const float* of_q)
      : x(of_x), y(of_y), z(of_z), q(of_q) {}
  const float *x, *y, *z, *q;
};

/// Sums for one atom, in vectors. What is multiplied by a root's Newton step is 2/r and 2r: the twos are taken out of
/// the law's constants and of the sums.
template <bool sigmoidal>
class AtomSums {
 public:
  AtomSums(const HcpFieldSystem& system, float x, float y, float z)
      : px_(hn::Set(d_, x)),
        py_(hn::Set(d_, y)),
        pz_(hn::Set(d_, z)),
        decay_(hn::Set(d_, 0.5f * system.decay * PowerOfTwo::unit)),
        square_(hn::Set(d_, 0.125f * system.square)),
        linear_(hn::Set(d_, 0.25f * system.linear)),
        constant_(hn::Set(d_, 0.5f * system.constant)),
        bulk_(hn::Set(d_, 0.5f * system.bulk)) {}

  /// Adds the charges [begin, end), in whole vectors: beyond the last must be charges of 0. `careful`: one may be where
  /// the atom is. A charge takes a chain of some hundred cycles, of which a processor cannot look at enough at once:
  /// some vectors go together through one part of it after the other.
  template <bool careful>
  HWY_INLINE void add(const ChargePointers& c, std::size_t begin, std::size_t end) {
    const std::size_t lanes = hn::Lanes(d_);
    for (std::size_t k = begin; k < end; k += together * lanes) {
      const std::size_t here = HWY_MIN(end - k, together * lanes);
      Part part;
      distances<careful>(c, k, here, part);
      if constexpr (sigmoidal) screening(here, part);
      sum(c, k, here, part);
    }
  }
  HWY_INLINE V distance2(V x, V y, V z) const {
    const auto dx = hn::Sub(px_, x), dy = hn::Sub(py_, y), dz = hn::Sub(pz_, z);
    return hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
  }
  HWY_INLINE void store(float (&sums)[4]) const {
    const float field = sigmoidal ? 0.0625f : 0.125f, potential = sigmoidal ? 0.25f : 0.5f;
    sums[0] = field * hn::GetLane(hn::SumOfLanes(d_, ex_));
    sums[1] = field * hn::GetLane(hn::SumOfLanes(d_, ey_));
    sums[2] = field * hn::GetLane(hn::SumOfLanes(d_, ez_));
    sums[3] = potential * hn::GetLane(hn::SumOfLanes(d_, v_));
  }

 private:
  static constexpr std::size_t together = 8;
  struct Part {
    alignas(64) float x[together * 16], y[together * 16], z[together * 16];  ///< from the charges to the atom
    alignas(64) float r2[together * 16], inverse[together * 16];             ///< r^2 and 2/r
    alignas(64) float fall[together * 16], eps[together * 16];
  };

  template <bool careful>
  HWY_INLINE void distances(const ChargePointers& c, std::size_t k, std::size_t here, Part& part) const {
    const auto least = hn::Set(d_, static_cast<float>(coincidence * coincidence));
    for (std::size_t n = 0; n < here; n += hn::Lanes(d_)) {
      const auto dx = hn::Sub(px_, hn::LoadU(d_, c.x + k + n));
      const auto dy = hn::Sub(py_, hn::LoadU(d_, c.y + k + n));
      const auto dz = hn::Sub(pz_, hn::LoadU(d_, c.z + k + n));
      const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
      auto inverse = hn::Div(hn::Set(d_, 2.0f), hn::Sqrt(r2));
#else
      // 2/r is y (3 - r^2 y^2), from some 12 bits of 1/r.
      auto inverse = hn::ApproximateReciprocalSqrt(r2);
      inverse = hn::Mul(inverse, hn::NegMulAdd(hn::Mul(r2, inverse), inverse, hn::Set(d_, 3.0f)));
#endif
      if constexpr (careful) inverse = hn::IfThenElseZero(hn::Ge(r2, least), inverse);
      hn::Store(dx, d_, part.x + n);
      hn::Store(dy, d_, part.y + n);
      hn::Store(dz, d_, part.z + n);
      hn::Store(r2, d_, part.r2 + n);
      hn::Store(inverse, d_, part.inverse + n);
    }
  }

  HWY_INLINE void screening(std::size_t here, Part& part) const {
    for (std::size_t n = 0; n < here; n += hn::Lanes(d_)) {
      const auto r = hn::Mul(hn::Load(d_, part.r2 + n), hn::Load(d_, part.inverse + n));
      const auto fall = power_(r, decay_);
      const auto eps = hn::NegMulAdd(hn::MulAdd(r, hn::MulAdd(r, square_, linear_), constant_), fall, bulk_);
      hn::Store(fall, d_, part.fall + n);
      hn::Store(eps, d_, part.eps + n);
    }
  }

  HWY_INLINE void sum(const ChargePointers& c, std::size_t k, std::size_t here, const Part& part) {
    for (std::size_t n = 0; n < here; n += hn::Lanes(d_)) {
      const auto q = hn::LoadU(d_, c.q + k + n);
      const auto inverse = hn::Load(d_, part.inverse + n);
      V value, along;
      if constexpr (sigmoidal) {
        const auto eps = hn::Load(d_, part.eps + n);
        auto u = hn::ApproximateReciprocal(eps);
        u = hn::Mul(u, hn::NegMulAdd(eps, u, hn::Set(d_, 2.0f)));
        // With eps in units of k its slope is r^2 exp(-S r): E = V (1/r + eps'/eps) r/|r|.
        const auto slope = hn::Mul(hn::Load(d_, part.r2 + n), hn::Load(d_, part.fall + n));
        value = hn::Mul(q, hn::Mul(u, inverse));
        along = hn::Mul(hn::Mul(value, inverse), hn::MulAdd(slope, u, inverse));
      } else {
        value = hn::Mul(q, inverse);
        along = hn::Mul(hn::Mul(value, inverse), inverse);
      }
      v_ = hn::Add(v_, value);
      ex_ = hn::MulAdd(along, hn::Load(d_, part.x + n), ex_);
      ey_ = hn::MulAdd(along, hn::Load(d_, part.y + n), ey_);
      ez_ = hn::MulAdd(along, hn::Load(d_, part.z + n), ez_);
    }
  }

  const D d_{};
  const V px_, py_, pz_, decay_, square_, linear_, constant_, bulk_;
  const PowerOfTwo power_{};
  V v_ = hn::Zero(d_), ex_ = v_, ey_ = v_, ez_ = v_;
};

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#endif  // ISOLUME_HCP_PAIR_LANES
