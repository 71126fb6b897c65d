// A tile of points of a molecular surface on the CPU, in vectors.
#include "compute/molecular_surface/depth_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/molecular_surface/depth_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Balls relative to the tile's first point.
HWY_ATTR void add_balls_here(DepthTile& tile, const Ball* balls, std::size_t count, float reach) {
  const hn::CappedTag<float, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (std::size_t n = 0; n < count; ++n) {
    const Ball ball = balls[n];
    const float limit = (ball.radius + reach) * (ball.radius + reach);
    const auto radius = hn::Set(d, ball.radius);
    const auto number = hn::Set(di, static_cast<std::int32_t>(n));
    for (int k = 0; k < tile.counts.z; ++k) {
      const float dz = static_cast<float>(k) * tile.step[2] - ball.z;
      for (int j = 0; j < tile.counts.y; ++j) {
        const float dy = static_cast<float>(j) * tile.step[1] - ball.y;
        const float yz = dy * dy + dz * dz;
        if (yz > limit) continue;
        const int row = (k * depth_tile_yz + j) * depth_tile_x;
        for (int i = 0; i < depth_tile_x; i += lanes) {
          const auto x = hn::Mul(hn::Iota(d, static_cast<float>(i)), hn::Set(d, tile.step[0]));
          const auto dx = hn::Sub(x, hn::Set(d, ball.x));
          const auto depth = hn::Sub(radius, hn::Sqrt(hn::MulAdd(dx, dx, hn::Set(d, yz))));
          const auto before = hn::Load(d, tile.deepest + row + i);
          const auto deeper = hn::Gt(depth, before);
          hn::Store(hn::IfThenElse(deeper, depth, before), d, tile.deepest + row + i);
          const auto old = hn::Load(di, tile.which + row + i);
          hn::Store(hn::IfThenElse(hn::RebindMask(di, deeper), number, old), di, tile.which + row + i);
        }
      }
    }
  }
}

HWY_ATTR void add_samples_here(DepthTile& tile, const Ball* samples, std::size_t count, float reach) {
  const hn::CappedTag<float, 16> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const float limit = reach * reach;
  for (std::size_t n = 0; n < count; ++n) {
    const Ball sample = samples[n];
    for (int k = 0; k < tile.counts.z; ++k) {
      const float dz = static_cast<float>(k) * tile.step[2] - sample.z;
      for (int j = 0; j < tile.counts.y; ++j) {
        const float dy = static_cast<float>(j) * tile.step[1] - sample.y;
        const float yz = dy * dy + dz * dz;
        if (yz > limit) continue;
        const int row = (k * depth_tile_yz + j) * depth_tile_x;
        for (int i = 0; i < depth_tile_x; i += lanes) {
          const auto x = hn::Mul(hn::Iota(d, static_cast<float>(i)), hn::Set(d, tile.step[0]));
          const auto dx = hn::Sub(x, hn::Set(d, sample.x));
          const auto square = hn::MulAdd(dx, dx, hn::Set(d, yz));
          hn::Store(hn::Min(square, hn::Load(d, tile.nearest + row + i)), d, tile.nearest + row + i);
        }
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(add_balls_here);
HWY_EXPORT(add_samples_here);

void add_balls(DepthTile& tile, const Ball* balls, std::size_t count, float reach) {
  HWY_DYNAMIC_DISPATCH(add_balls_here)(tile, balls, count, reach);
}

void add_samples(DepthTile& tile, const Ball* samples, std::size_t count, float reach) {
  HWY_DYNAMIC_DISPATCH(add_samples_here)(tile, samples, count, reach);
}

}  // namespace isolume
#endif  // HWY_ONCE
