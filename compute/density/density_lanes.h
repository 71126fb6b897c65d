// The vectors of the Gaussian density's tiles. For each target.

// Highway's way to have a header once a target.
#if defined(ISOLUME_DENSITY_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef ISOLUME_DENSITY_LANES
#undef ISOLUME_DENSITY_LANES
#else
#define ISOLUME_DENSITY_LANES
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();
#endif
