// hn::Compress for numbers of four bytes, quicker with AVX2: Highway 1.0 copies a table of a kilobyte to the stack for
// every vector there. For Highway's foreach_target, once for each target. NOLINTNEXTLINE(llvm-header-guard)
#if defined(ISOLUME_PACKED_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_PACKED_LANES
#undef ISOLUME_PACKED_LANES
#else
#define ISOLUME_PACKED_LANES
#endif

#include <hwy/highway.h>

#include "compute/base/lane_order.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

/// The lanes that the mask has, in their order, at the front of the vector. What is behind them is not said.
template <class V>
HWY_ATTR HWY_INLINE V packed(V v, hwy::HWY_NAMESPACE::Mask<hwy::HWY_NAMESPACE::DFromV<V>> mask) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(V) == 32 && sizeof(hn::TFromV<V>) == 4) {
    const hn::DFromV<V> d;
    std::uint8_t bits[8];
    hn::StoreMaskBits(d, mask, bits);
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const auto order = hn::PromoteTo(hn::RebindToSigned<decltype(d)>(), hn::LoadU(bytes, lane_order[bits[0]].data()));
    return hn::TableLookupLanes(v, hn::IndicesFromVec(d, order));
  }
#endif
  return hn::Compress(v, mask);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#endif
