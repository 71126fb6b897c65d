// Vertices of marching cubes a vector at a time: their values, places and colours. For each target.

// Highway's way to have a header once a target.
#if defined(ISOLUME_MARCHING_CUBES_VERTEX_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_MARCHING_CUBES_VERTEX_LANES
#undef ISOLUME_MARCHING_CUBES_VERTEX_LANES
#else
#define ISOLUME_MARCHING_CUBES_VERTEX_LANES
#endif

#include <type_traits>

#include "compute/isosurface/marching_cubes_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<D>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));

/// The values at places of a volume.
template <class T>
HWY_INLINE V gather(const T* from, VI at) {
  const D d;
  if constexpr (std::is_same_v<T, float>) {
    return hn::GatherIndex(d, from, at);
  } else {
    alignas(64) std::int32_t index[lanes];
    T values[16];
    hn::Store(at, DI(), index);
    for (int l = 0; l < lanes; ++l) values[l] = from[index[l]];
    return load_values(d, values);
  }
}

/// Where vertices are: along axis a at the point at[a] and, of a step, part[a] further; in double, as floats.
HWY_INLINE void place(const IsoGrid& g, const VI at[3], const V part[3], V position[3]) {
  const hn::CappedTag<double, 8> dd;
  const hn::Rebind<float, decltype(dd)> df;
  const hn::Rebind<std::int32_t, decltype(dd)> di;
  constexpr int some = static_cast<int>(hn::MaxLanes(dd));
  alignas(64) std::int32_t from[3][16];
  alignas(64) float further[3][16];
  alignas(64) float to[3][16];
  for (int axis = 0; axis < 3; ++axis) {
    hn::Store(at[axis], DI(), from[axis]);
    hn::Store(part[axis], D(), further[axis]);
  }
  for (int l = 0; l < lanes; l += some) {
    hn::Vec<decltype(dd)> sum[3] = {hn::Set(dd, g.origin[0]), hn::Set(dd, g.origin[1]), hn::Set(dd, g.origin[2])};
    for (int axis = 0; axis < 3; ++axis) {
      const auto along =
          hn::Add(hn::PromoteTo(dd, hn::Load(di, from[axis] + l)), hn::PromoteTo(dd, hn::Load(df, further[axis] + l)));
      for (int c = 0; c < 3; ++c) sum[c] = hn::MulAdd(along, hn::Set(dd, g.step[axis][c]), sum[c]);
    }
    for (int c = 0; c < 3; ++c) hn::Store(hn::DemoteTo(df, sum[c]), df, to[c] + l);
  }
  for (int c = 0; c < 3; ++c) position[c] = hn::Load(D(), to[c]);
}

/// Colours between two of 8 bits a part, part `t` of the way from the first; alpha 255.
HWY_INLINE VI mix(VI a, VI b, V t) {
  const D d;
  const DI di;
  VI packed = hn::Set(di, static_cast<std::int32_t>(0xff000000u));
  const VI low = hn::Set(di, 255);
  const V unit = hn::Set(d, 1.0f / 255.0f);
  for (int c = 0; c < 3; ++c) {
    const V from = hn::Mul(hn::ConvertTo(d, hn::And(hn::ShiftRightSame(a, 8 * c), low)), unit);
    const V to = hn::Mul(hn::ConvertTo(d, hn::And(hn::ShiftRightSame(b, 8 * c), low)), unit);
    const V value = hn::Min(hn::MulAdd(t, hn::Sub(to, from), from), hn::Set(d, 1.0f));
    const VI byte = hn::ConvertTo(di, hn::MulAdd(hn::Max(value, hn::Zero(d)), hn::Set(d, 255.0f), hn::Set(d, 0.5f)));
    packed = hn::Or(packed, hn::ShiftLeftSame(byte, 8 * c));
  }
  return packed;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();
#endif
