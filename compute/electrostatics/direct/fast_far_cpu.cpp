// The far charges of the fast direct sum on the CPU: at the Chebyshev nodes of a tile, by explicit SIMD.
#include <algorithm>
#include <cmath>

#include "compute/electrostatics/direct/fast_far_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/direct/fast_far_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_FAST_FAR
#define ISOLUME_FAST_FAR
namespace isolume {

constexpr int far_block = 512;  // charges whose tables stay in the cache
constexpr int most_nodes = 10;  // per axis

/// Nodes of a tile in rows along x: node a of row r is at (x[r] + along[a], y[r], z[r]).
struct NodeRows {
  int p = 0;
  float along[most_nodes];
  float x[most_nodes * most_nodes], y[most_nodes * most_nodes], z[most_nodes * most_nodes];
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// values[row * p + a] += the sum of half / r times 2 over `count` charges, which is a multiple of the vector's length.
void add_far(const NodeRows& nodes, const float* x, const float* y, const float* z, const float* half, int count,
             double* values) {
  const hn::ScalableTag<float> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  HWY_ALIGN float d2[far_block];
  const auto three = hn::Set(d, 3.0f);
  for (int row = 0; row < nodes.p * nodes.p; ++row) {
    const auto ny = hn::Set(d, nodes.y[row]);
    const auto nz = hn::Set(d, nodes.z[row]);
    for (int n = 0; n < count; n += lanes) {
      const auto dy = hn::Sub(hn::Load(d, y + n), ny);
      const auto dz = hn::Sub(hn::Load(d, z + n), nz);
      hn::Store(hn::MulAdd(dy, dy, hn::Mul(dz, dz)), d, d2 + n);
    }
    // Two nodes at a time, two vectors of charges each.
    for (int a = 0; a < nodes.p; a += 2) {
      const int b = std::min(a + 1, nodes.p - 1);
      const auto xa = hn::Set(d, nodes.x[row] + nodes.along[a]);
      const auto xb = hn::Set(d, nodes.x[row] + nodes.along[b]);
      auto sum_a = hn::Zero(d);
      auto sum_b = hn::Zero(d);
      for (int n = 0; n < count; n += lanes) {
        const auto cx = hn::Load(d, x + n);
        const auto q = hn::Load(d, half + n);
        const auto c2 = hn::Load(d, d2 + n);
        const auto da = hn::Sub(cx, xa);
        const auto db = hn::Sub(cx, xb);
        const auto ra = hn::MulAdd(da, da, c2);
        const auto rb = hn::MulAdd(db, db, c2);
        const auto ea = hn::ApproximateReciprocalSqrt(ra);
        const auto eb = hn::ApproximateReciprocalSqrt(rb);
        sum_a = hn::MulAdd(hn::Mul(q, ea), hn::NegMulAdd(hn::Mul(ra, ea), ea, three), sum_a);
        sum_b = hn::MulAdd(hn::Mul(q, eb), hn::NegMulAdd(hn::Mul(rb, eb), eb, three), sum_b);
      }
      values[row * nodes.p + a] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum_a)));
      if (b != a) values[row * nodes.p + b] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum_b)));
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "compute/base/float_lanes.h"

namespace isolume {

HWY_EXPORT(add_far);

void sum_far(const FastDirectPlan& plan, const FastTile& tile, const FrameCharges& charges, const RowFrame& frame,
             int p, double* values, const Job& job) {
  if (tile.far_count == 0) return;
  const TileAxis axes[3] = {{tile.first.x, tile.count.x}, {tile.first.y, tile.count.y}, {tile.first.z, tile.count.z}};
  const glm::dvec3 middle = frame.point(axes[0].middle, axes[1].middle, axes[2].middle);
  NodeRows nodes;
  nodes.p = p;
  for (int a = 0; a < p; ++a) nodes.along[a] = static_cast<float>(chebyshev_node(a, p) * axes[0].half * frame.ax);
  for (int c = 0; c < p; ++c) {
    for (int b = 0; b < p; ++b) {
      const glm::dvec3 at = frame.point(0, chebyshev_node(b, p) * axes[1].half, chebyshev_node(c, p) * axes[2].half);
      nodes.x[c * p + b] = static_cast<float>(at.x);
      nodes.y[c * p + b] = static_cast<float>(at.y);
      nodes.z[c * p + b] = static_cast<float>(at.z);
    }
  }
  alignas(64) float x[far_block];
  alignas(64) float y[far_block];
  alignas(64) float z[far_block];
  alignas(64) float half[far_block];
  int filled = 0;
  const int lanes = float_lanes();
  const auto work_off = [&] {
    for (; filled % lanes != 0; ++filled) {
      x[filled] = 1e9f;
      y[filled] = z[filled] = half[filled] = 0;
    }
    HWY_DYNAMIC_DISPATCH(add_far)(nodes, x, y, z, half, filled, values);
    filled = 0;
  };
  for (std::uint32_t r = 0; r < tile.far_ranges; ++r) {
    const ChargeRange range = plan.far[tile.far_first + r];
    const std::uint32_t after = r + 1 < tile.far_ranges ? plan.far[tile.far_first + r + 1].before : tile.far_count;
    for (std::uint32_t n = range.begin; n < range.begin + (after - range.before); ++n) {
      x[filled] = static_cast<float>(charges.x[n] - middle.x);
      y[filled] = static_cast<float>(charges.y[n] - middle.y);
      z[filled] = static_cast<float>(charges.z[n] - middle.z);
      half[filled] = charges.half[n];
      if (++filled == far_block) {
        work_off();
        job.check();
      }
    }
  }
  if (filled > 0) work_off();
}

}  // namespace isolume
#endif  // HWY_ONCE
