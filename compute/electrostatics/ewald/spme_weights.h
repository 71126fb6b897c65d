// Weights of splines for many atoms at once, an atom in each lane of vectors. For Highway's foreach_target, once for
// each target.
// NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_SPME_WEIGHTS) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_SPME_WEIGHTS
#undef ISOLUME_SPME_WEIGHTS
#else
#define ISOLUME_SPME_WEIGHTS
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "compute/electrostatics/ewald/spme_mesh_cpu.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t weighed_atoms = 16;
using WeightD = hn::CappedTag<float, weighed_atoms>;
using WeightV = hn::Vec<WeightD>;

/// Of some atoms: along x by atom, filled up with 0 to a vector's length, along y and z by mesh point. The charge is a
/// factor of those along z.
template <int order>
struct Weights {
  static constexpr int width = order == 4 ? 4 : 8;
  alignas(64) float x[weighed_atoms * width];
  alignas(64) float dx[weighed_atoms * width];
  alignas(64) float y[order][weighed_atoms];
  alignas(64) float dy[order][weighed_atoms];
  alignas(64) float z[order][weighed_atoms];
  alignas(64) float dz[order][weighed_atoms];
};

/// As raise_bspline(): from order n - 1 to n.
template <int n>
HWY_INLINE void raise_spline(WeightV t, WeightV* m) {
  const WeightD d;
  const WeightV divide = hn::Set(d, 1.0f / static_cast<float>(n - 1));
  m[n - 1] = hn::Mul(hn::Mul(divide, t), m[n - 2]);
#pragma GCC unroll 8
  for (int j = 1; j < n - 1; ++j) {
    const WeightV up = hn::Add(t, hn::Set(d, static_cast<float>(j)));
    const WeightV down = hn::Sub(hn::Set(d, static_cast<float>(n - j)), t);
    m[n - 1 - j] = hn::Mul(divide, hn::MulAdd(up, m[n - 2 - j], hn::Mul(down, m[n - 1 - j])));
  }
  m[0] = hn::Mul(hn::Mul(divide, hn::Sub(hn::Set(d, 1.0f), t)), m[0]);
}
template <int from, int to>
HWY_INLINE void raise_splines(WeightV t, WeightV* m) {
  if constexpr (from <= to) {
    raise_spline<from>(t, m);
    raise_splines<from + 1, to>(t, m);
  }
}
/// As bspline().
template <int order>
HWY_INLINE void spline(WeightV t, WeightV (&m)[order], WeightV (&slope)[order]) {
  m[0] = hn::Sub(hn::Set(WeightD(), 1.0f), t);
  m[1] = t;
  raise_splines<3, order - 1>(t, m);
  slope[0] = hn::Neg(m[0]);
#pragma GCC unroll 8
  for (int j = 1; j < order - 1; ++j) slope[j] = hn::Sub(m[j - 1], m[j]);
  slope[order - 1] = m[order - 2];
  raise_spline<order>(t, m);
}

/// The weights of `order` points of all lanes, one atom's after the other's.
template <int order>
HWY_INLINE void store_by_atom(const WeightV (&m)[order], float* to) {
  const WeightD d;
  if constexpr (order == 4) {
    hn::StoreInterleaved4(m[0], m[1], m[2], m[3], d, to);
  } else {
    const hn::CappedTag<float, 4> quarter;
    const WeightV none = hn::Zero(d);
    alignas(64) float part[2][4 * weighed_atoms];
    hn::StoreInterleaved4(m[0], m[1], m[2], m[3], d, part[0]);
    hn::StoreInterleaved4(m[4], order > 5 ? m[order > 5 ? 5 : 4] : none, order > 6 ? m[order > 6 ? 6 : 4] : none,
                          order > 7 ? m[order > 7 ? 7 : 4] : none, d, part[1]);
    for (std::size_t i = 0; i < hn::Lanes(d); ++i) {
      for (std::size_t k = 0; k < 4; k += hn::Lanes(quarter)) {
        hn::Store(hn::Load(quarter, part[0] + 4 * i + k), quarter, to + 8 * i + k);
        hn::Store(hn::Load(quarter, part[1] + 4 * i + k), quarter, to + 8 * i + 4 + k);
      }
    }
  }
}

/// Of up to weighed_atoms atoms; `charged` has the charge in the weights along z.
template <int order, bool charged>
HWY_INLINE void weigh(const MeshAtom* atoms, std::size_t count, Weights<order>& w) {
  const WeightD d;
  alignas(64) float t[4][weighed_atoms] = {};
  for (std::size_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) t[axis][i] = atoms[i].beyond[axis];
    t[3][i] = atoms[i].charge;
  }
  for (std::size_t lane = 0; lane < weighed_atoms; lane += hn::Lanes(d)) {
    WeightV m[order], slope[order];
    spline<order>(hn::Load(d, t[0] + lane), m, slope);
    store_by_atom<order>(m, w.x + lane * w.width);
    if (!charged) store_by_atom<order>(slope, w.dx + lane * w.width);
    spline<order>(hn::Load(d, t[1] + lane), m, slope);
    for (int k = 0; k < order; ++k) {
      hn::Store(m[k], d, w.y[k] + lane);
      if (!charged) hn::Store(slope[k], d, w.dy[k] + lane);
    }
    spline<order>(hn::Load(d, t[2] + lane), m, slope);
    const WeightV q = hn::Load(d, t[3] + lane);
    for (int k = 0; k < order; ++k) {
      hn::Store(charged ? hn::Mul(q, m[k]) : m[k], d, w.z[k] + lane);
      if (!charged) hn::Store(slope[k], d, w.dz[k] + lane);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#endif  // ISOLUME_SPME_WEIGHTS
