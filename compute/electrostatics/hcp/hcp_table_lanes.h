// Vectors of charges acting on one atom by HcpLawTable, where vectors hold 16 floats. For Highway's foreach_target,
// once for each target. NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_HCP_TABLE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_HCP_TABLE_LANES
#undef ISOLUME_HCP_TABLE_LANES
#else
#define ISOLUME_HCP_TABLE_LANES
#endif

#include "compute/electrostatics/hcp/hcp_pair_lanes.h"

#if HWY_TARGET <= HWY_AVX3
HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// Charges that are nearer or farther than a table reaches, to be added by the law itself. Apart from the sums, which
/// so can stay in registers.
class WaitingCharges {
 public:
  WaitingCharges(const HcpFieldSystem& system, float x, float y, float z) : system_(system), at_{x, y, z} {}

  HWY_NOINLINE void add(hn::Mask<D> which, const float* x, const float* y, const float* z, const float* q) {
    const D d;
    hn::StoreU(hn::Compress(hn::LoadU(d, x), which), d, x_ + size_);
    hn::StoreU(hn::Compress(hn::LoadU(d, y), which), d, y_ + size_);
    hn::StoreU(hn::Compress(hn::LoadU(d, z), which), d, z_ + size_);
    hn::StoreU(hn::Compress(hn::LoadU(d, q), which), d, q_ + size_);
    size_ += hn::CountTrue(d, which);
    if (size_ > room - 16) sum();
  }
  /// Adds all to `sums`.
  HWY_NOINLINE void finish(float (&sums)[4]) {
    sum();
    for (int k = 0; k < 4; ++k) sums[k] += sums_[k];
  }

 private:
  void sum() {
    if (size_ == 0) return;
    // Behind the last a vector of charges of 0, at a place that is finite.
    const D d;
    for (float* column : {x_, y_, z_, q_}) hn::StoreU(hn::Zero(d), d, column + size_);
    AtomSums<true> exact(system_, at_[0], at_[1], at_[2]);
    exact.template add<true>(ChargePointers(x_, y_, z_, q_), 0, size_);
    float sums[4];
    exact.store(sums);
    for (int k = 0; k < 4; ++k) sums_[k] += sums[k];
    size_ = 0;
  }

  static constexpr std::size_t room = 64;
  const HcpFieldSystem& system_;
  const float at_[3];
  std::size_t size_ = 0;
  float sums_[4] = {};
  alignas(64) float x_[room + 16], y_[room + 16], z_[room + 16], q_[room + 16];
};

/// Sums for one atom by tables; what these do not reach goes to `waiting`.
template <bool potential>
class TableSums {
 public:
  TableSums(WaitingCharges& waiting, float x, float y, float z)
      : waiting_(waiting), px_(hn::Set(d_, x)), py_(hn::Set(d_, y)), pz_(hn::Set(d_, z)) {}

  HWY_INLINE V distance2(V x, V y, V z) const {
    const auto dx = hn::Sub(px_, x), dy = hn::Sub(py_, y), dz = hn::Sub(pz_, z);
    return hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
  }

  /// A table's coefficients in vectors.
  template <int degree>
  class Law {
   public:
    explicit Law(const HcpLawTable& table) : base_(hn::Set(du_, table.base())) {
#pragma GCC unroll 8
      for (int p = 0; p <= degree; ++p) {
        field_[p] = {hn::Load(d_, table.field(p)), hn::Load(d_, table.field(p) + 16)};
        if constexpr (potential) {
          potential_[p] = {hn::Load(d_, table.potential(p)), hn::Load(d_, table.potential(p) + 16)};
        }
      }
    }

   private:
    friend class TableSums;
    using U = hn::Vec<hn::RebindToUnsigned<D>>;
    struct Halves {
      V low, high;
      /// The last five bits choose; Highway has no look-up in two vectors.
      HWY_INLINE V operator[](U interval) const { return V{_mm512_permutex2var_ps(low.raw, interval.raw, high.raw)}; }
    };
    static HWY_INLINE V polynomial(const Halves (&powers)[degree + 1], U interval, V t) {
      V sum = powers[degree][interval];
#pragma GCC unroll 8
      for (int p = degree - 1; p >= 0; --p) sum = hn::MulAdd(sum, t, powers[p][interval]);
      return sum;
    }
    const D d_{};
    const hn::RebindToUnsigned<D> du_{};
    // Constants that would else be made again for each group.
    const U base_, most_ = hn::Set(du_, (1u << 26) - 1);
    const U one_ = hn::Set(du_, 0x3f800000u), place_ = hn::Set(du_, (1u << HcpLawTable::interval_bits) - 1);
    const V middle_ = hn::Set(d_, HcpLawTable::middle);
    Halves field_[degree + 1], potential_[degree + 1];
  };

  /// Adds a vector of charges; `checked`: some may be out of the table's reach.
  template <bool checked, int degree>
  HWY_INLINE void add(const Law<degree>& law, const float* x, const float* y, const float* z, const float* q) {
    const hn::RebindToUnsigned<D> du;
    const auto dx = hn::Sub(px_, hn::LoadU(d_, x));
    const auto dy = hn::Sub(py_, hn::LoadU(d_, y));
    const auto dz = hn::Sub(pz_, hn::LoadU(d_, z));
    const auto r2 = hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz)));
    const auto bits = hn::BitCast(du, r2);
    auto charge = hn::LoadU(d_, q);
    if constexpr (checked) {
      const auto beyond = hn::RebindMask(d_, hn::Gt(hn::Sub(bits, law.base_), law.most_));
      if (HWY_UNLIKELY(!hn::AllFalse(d_, beyond))) {
        waiting_.add(beyond, x, y, z, q);
        charge = hn::IfThenZeroElse(beyond, charge);
      }
    }
    const auto interval = hn::ShiftRight<HcpLawTable::interval_bits>(bits);
    const auto t = hn::Sub(hn::BitCast(d_, hn::OrAnd(law.one_, bits, law.place_)), law.middle_);
    const auto along = hn::Mul(charge, Law<degree>::polynomial(law.field_, interval, t));
    ex_ = hn::MulAdd(along, dx, ex_);
    ey_ = hn::MulAdd(along, dy, ey_);
    ez_ = hn::MulAdd(along, dz, ez_);
    if constexpr (potential) v_ = hn::MulAdd(charge, Law<degree>::polynomial(law.potential_, interval, t), v_);
  }

  /// Adds the charges [begin, end), a whole number of vectors.
  template <bool checked, int degree>
  HWY_INLINE void add(const Law<degree>& law, const ChargePointers& c, std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; k += 16) add<checked>(law, c.x + k, c.y + k, c.z + k, c.q + k);
  }

  HWY_INLINE void store(float (&sums)[4]) const {
    sums[0] = hn::GetLane(hn::SumOfLanes(d_, ex_));
    sums[1] = hn::GetLane(hn::SumOfLanes(d_, ey_));
    sums[2] = hn::GetLane(hn::SumOfLanes(d_, ez_));
    sums[3] = potential ? hn::GetLane(hn::SumOfLanes(d_, v_)) : 0.0f;
  }

 private:
  const D d_{};
  WaitingCharges& waiting_;
  const V px_, py_, pz_;
  V ex_ = hn::Zero(d_), ey_ = ex_, ez_ = ex_, v_ = ex_;
};

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();
#endif

#endif  // ISOLUME_HCP_TABLE_LANES
