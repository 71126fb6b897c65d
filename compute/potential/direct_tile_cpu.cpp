// One tile of the direct Coulomb sum on the CPU: eight rows, explicit SIMD, double-precision totals.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "compute/potential/direct_tile_cpu.h"
#include "compute/potential/float_lanes.h"
#include "molecule/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/potential/direct_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_DIRECT_TILE
#define ISOLUME_DIRECT_TILE
namespace isolume {

constexpr int block_size = 256;      // charges whose tables stay in the first-level cache
constexpr float nowhere = 1e9f;      // where charges go that do not take part in the fast sum
constexpr float near_reach = 0.25f;  // angstrom; nearer to a point than this, single precision is not enough

/// One tile: its points, with coordinates relative to `centre`, and its sums.
struct DirectTile {
  double centre[3];
  int length;              ///< points along a row, a multiple of the vector length
  float step;              ///< along a row
  float row_x[tile_rows];  ///< of the first point
  float row_y[tile_rows];
  float row_z[tile_rows];
  float reach[3];                  ///< half-sides of the tile's box, with some room
  double* sums;                    ///< tile_rows x tile_length
  std::uint32_t near[block_size];  ///< charges of this block that lie too close to a point for the fast sum
  int near_count;

  /// A charge within near_reach of one of the tile's points.
  bool is_near(float x, float y, float z) const {
    if (!(std::abs(x) <= reach[0] && std::abs(y) <= reach[1] && std::abs(z) <= reach[2])) return false;
    for (int r = 0; r < tile_rows; ++r) {
      const float along = x - row_x[r];
      const float point = step > 0 ? std::clamp(std::round(along / step), 0.0f, static_cast<float>(length)) : 0.0f;
      const float dx = along - point * step;
      const float dy = y - row_y[r];
      const float dz = z - row_z[r];
      if (dx * dx + dy * dy + dz * dz <= near_reach * near_reach) return true;
    }
    return false;
  }
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Adds the charges [begin, begin + count) of a block to a tile, except those in the tile's box, which are listed.
template <bool upright>
void sum_block(const FrameCharges& charges, std::size_t begin, int count, DirectTile& tile) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> half;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int double_lanes = static_cast<int>(hn::Lanes(dd));
  HWY_ALIGN float x[block_size];
  HWY_ALIGN float y[block_size];
  HWY_ALIGN float z[block_size];
  HWY_ALIGN float q[block_size];
  HWY_ALIGN float d2[tile_rows][block_size];

  // Relative to the tile's centre, subtracted in double precision: what is near is then exact.
  const auto relative = [&](const std::vector<double>& from, double centre, float* to) {
    const auto c = hn::Set(dd, centre);
    int i = 0;
    for (; i + double_lanes <= count; i += double_lanes) {
      hn::StoreU(hn::DemoteTo(half, hn::Sub(hn::LoadU(dd, from.data() + begin + i), c)), half, to + i);
    }
    for (; i < count; ++i) to[i] = static_cast<float>(from[begin + static_cast<std::size_t>(i)] - centre);
  };
  relative(charges.x, tile.centre[0], x);
  relative(charges.y, tile.centre[1], y);
  relative(charges.z, tile.centre[2], z);
  for (int i = 0; i < count; ++i) q[i] = charges.half[begin + static_cast<std::size_t>(i)];
  const int padded = (count + lanes - 1) / lanes * lanes;
  for (int i = count; i < padded; ++i) {
    x[i] = y[i] = z[i] = nowhere;
    q[i] = 0;
  }

  tile.near_count = 0;
  const auto reach_x = hn::Set(d, tile.reach[0]);
  const auto reach_y = hn::Set(d, tile.reach[1]);
  const auto reach_z = hn::Set(d, tile.reach[2]);
  for (int i = 0; i < padded; i += lanes) {
    const auto vy = hn::Load(d, y + i);
    const auto vz = hn::Load(d, z + i);
    const auto inside = hn::And(hn::And(hn::Le(hn::Abs(hn::Load(d, x + i)), reach_x), hn::Le(hn::Abs(vy), reach_y)),
                                hn::Le(hn::Abs(vz), reach_z));
    if (HWY_UNLIKELY(!hn::AllFalse(d, inside))) {
      for (int k = i; k < i + lanes; ++k) {
        if (tile.is_near(x[k], y[k], z[k])) tile.near[tile.near_count++] = static_cast<std::uint32_t>(k);
      }
    }
    for (int r = 0; r < tile_rows; ++r) {
      const auto dy = hn::Sub(vy, hn::Set(d, tile.row_y[r]));
      const auto dz = hn::Sub(vz, hn::Set(d, tile.row_z[r]));
      hn::Store(hn::MulAdd(dy, dy, hn::Mul(dz, dz)), d, d2[r] + i);
    }
  }
  for (int n = 0; n < tile.near_count; ++n) {
    x[tile.near[n]] = nowhere;
    q[tile.near[n]] = 0;
  }

  const auto three = hn::Set(d, 3.0f);
  for (int v = 0; v < tile.length; v += lanes) {
    const auto along = hn::Mul(hn::Iota(d, static_cast<float>(v)), hn::Set(d, tile.step));
    auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    const auto start = hn::Add(along, hn::Set(d, tile.row_x[0]));
    for (int c = 0; c < count; ++c) {
      const auto cx = hn::Set(d, x[c]);
      const auto cq = hn::Set(d, q[c]);
      const auto dx = hn::Sub(start, cx);
      const auto dx2 = hn::Mul(dx, dx);
      // q/r by the estimate of 1/sqrt and one Newton step, the factor 1/2 being in the charge.
      const auto add = [&](int r, auto& sum) HWY_ATTR {
        auto r2 = hn::Add(dx2, hn::Set(d, d2[r][c]));
        if constexpr (!upright) {
          const auto own = hn::Sub(hn::Add(along, hn::Set(d, tile.row_x[r])), cx);
          r2 = hn::MulAdd(own, own, hn::Set(d, d2[r][c]));
        }
        const auto e = hn::ApproximateReciprocalSqrt(r2);
        sum = hn::MulAdd(hn::Mul(cq, e), hn::NegMulAdd(hn::Mul(r2, e), e, three), sum);
      };
      add(0, a0);
      add(1, a1);
      add(2, a2);
      add(3, a3);
      add(4, a4);
      add(5, a5);
      add(6, a6);
      add(7, a7);
    }
    HWY_ALIGN float partial[tile_rows][HWY_MAX_BYTES / sizeof(float)];
    hn::Store(a0, d, partial[0]);
    hn::Store(a1, d, partial[1]);
    hn::Store(a2, d, partial[2]);
    hn::Store(a3, d, partial[3]);
    hn::Store(a4, d, partial[4]);
    hn::Store(a5, d, partial[5]);
    hn::Store(a6, d, partial[6]);
    hn::Store(a7, d, partial[7]);
    for (int r = 0; r < tile_rows; ++r) {
      double* sums = tile.sums + r * tile_length + v;
      for (int i = 0; i < lanes; ++i) sums[i] += static_cast<double>(partial[r][i]);
    }
  }
}

void sum_upright(const FrameCharges& charges, std::size_t begin, int count, DirectTile& tile) {
  sum_block<true>(charges, begin, count, tile);
}

void sum_skewed(const FrameCharges& charges, std::size_t begin, int count, DirectTile& tile) {
  sum_block<false>(charges, begin, count, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(sum_upright);
HWY_EXPORT(sum_skewed);

void sum_direct_tile(const FrameCharges& charges, const RowFrame& frame, const TileRows& part, std::size_t first,
                     std::size_t last, double* sums, const Job& job) {
  DirectTile tile{};
  tile.sums = sums;
  const int lanes = float_lanes();
  tile.length = (part.count + lanes - 1) / lanes * lanes;
  tile.step = static_cast<float>(frame.ax);
  constexpr std::size_t end_row = tile_rows - 1;
  const glm::dvec3 first_point = frame.point(part.i, part.rows[0].x, part.rows[0].y);
  const glm::dvec3 last_point = frame.point(part.i + part.count - 1, part.rows[end_row].x, part.rows[end_row].y);
  const glm::dvec3 centre = 0.5 * (first_point + last_point);
  glm::dvec3 reach(0);
  glm::dvec3 starts[tile_rows];
  for (int r = 0; r < tile_rows; ++r) {
    const glm::dvec3 start = starts[r] = frame.point(part.i, part.rows[r].x, part.rows[r].y) - centre;
    tile.row_x[r] = static_cast<float>(start.x);
    tile.row_y[r] = static_cast<float>(start.y);
    tile.row_z[r] = static_cast<float>(start.z);
    reach = glm::max(reach, glm::max(glm::abs(start), glm::abs(start + glm::dvec3((part.count - 1) * frame.ax, 0, 0))));
  }
  for (int axis = 0; axis < 3; ++axis) {
    tile.centre[axis] = centre[axis];
    tile.reach[axis] = static_cast<float>(reach[axis] + near_reach);
  }
  for (std::size_t begin = first; begin < last; begin += block_size) {
    job.check();
    const int count = static_cast<int>(std::min<std::size_t>(block_size, last - begin));
    if (frame.upright()) {
      HWY_DYNAMIC_DISPATCH(sum_upright)(charges, begin, count, tile);
    } else {
      HWY_DYNAMIC_DISPATCH(sum_skewed)(charges, begin, count, tile);
    }
    // The few that are inside the tile, in double precision.
    for (int n = 0; n < tile.near_count; ++n) {
      const std::size_t c = begin + tile.near[n];
      const double x = charges.x[c] - centre.x;
      const double twice = 2 * static_cast<double>(charges.half[c]);
      for (int r = 0; r < tile_rows; ++r) {
        const double dy = charges.y[c] - centre.y - starts[r].y;
        const double dz = charges.z[c] - centre.z - starts[r].z;
        const double d2 = dy * dy + dz * dz;
        for (int i = 0; i < part.count; ++i) {
          const double dx = starts[r].x + i * frame.ax - x;
          const double r2 = dx * dx + d2;
          sums[r * tile_length + i] += r2 < coincidence * coincidence ? 0 : twice / std::sqrt(r2);
        }
      }
    }
  }
}

}  // namespace isolume
#endif  // HWY_ONCE
