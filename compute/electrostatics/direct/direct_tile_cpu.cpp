// One tile of the direct Coulomb sum on the CPU: eight rows, explicit SIMD, double-precision totals.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "compute/base/float_lanes.h"
#include "compute/electrostatics/direct/direct_tile_cpu.h"
#include "molecule/base/units.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/direct/direct_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#ifndef ISOLUME_DIRECT_TILE
#define ISOLUME_DIRECT_TILE
namespace isolume {

constexpr int block_size = SignedCharges::block_size;
constexpr float nowhere = 1e9f;      // where what fills a vector stands
constexpr float near_reach = 0.25f;  // angstrom; nearer to a point than this, single precision is not enough
constexpr float faintest = 1e-9f;    // half a charge; the inverse square of a fainter one might not be finite

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

/// Adds a block of charges to a tile, except those near a point and very faint ones, which are listed. Squared
/// distances are divided by the square of half the charge, so that 1/sqrt of them has the charge in it: q/r takes three
/// multiplications, and its sign is an addition or a subtraction.
template <bool upright>
void sum_block(const SignedCharges& charges, const SignedCharges::Block& block, DirectTile& tile) {
  const std::size_t begin = block.begin;
  const int count = block.count;
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<double> dd;
  const hn::Rebind<float, decltype(dd)> half;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int double_lanes = static_cast<int>(hn::Lanes(dd));
  HWY_ALIGN float x[block_size];
  HWY_ALIGN float y[block_size];
  HWY_ALIGN float z[block_size];
  HWY_ALIGN float unit[block_size];  // 4/q^2
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
  const float* half_charge = charges.half.data() + begin;
  for (int i = 0; i < count; ++i) unit[i] = 1.0f / (half_charge[i] * half_charge[i]);
  const int padded = (count + lanes - 1) / lanes * lanes;
  for (int i = count; i < padded; ++i) {
    x[i] = y[i] = z[i] = nowhere;
    unit[i] = 1;
  }

  tile.near_count = 0;
  for (int i = 0; i < count; ++i) {
    if (HWY_UNLIKELY(std::abs(half_charge[i]) < faintest)) {
      tile.near[tile.near_count++] = static_cast<std::uint32_t>(i);
      x[i] = y[i] = z[i] = nowhere;
      unit[i] = 1;
    }
  }
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
    const auto scale = hn::Load(d, unit + i);
    for (int r = 0; r < tile_rows; ++r) {
      const auto dy = hn::Sub(vy, hn::Set(d, tile.row_y[r]));
      const auto dz = hn::Sub(vz, hn::Set(d, tile.row_z[r]));
      hn::Store(hn::Mul(scale, hn::MulAdd(dy, dy, hn::Mul(dz, dz))), d, d2[r] + i);
    }
  }
  // These leave: the last of their sign takes their place.
  int positive = block.positive;
  int negative = count - block.positive;
  std::sort(tile.near, tile.near + tile.near_count, std::greater<>());
  for (int n = 0; n < tile.near_count; ++n) {
    const auto at = static_cast<int>(tile.near[n]);
    const int last = at < block.positive ? --positive : block.positive + --negative;
    x[at] = x[last];
    unit[at] = unit[last];
    for (auto& row : d2) row[at] = row[last];
  }

  const auto three = hn::Set(d, 3.0f);
  const int steps = std::max(1, std::min(positive, negative));
  for (int v = 0; v < tile.length; v += lanes) {
    const auto along = hn::Mul(hn::Iota(d, static_cast<float>(v)), hn::Set(d, tile.step));
    auto a0 = hn::Zero(d), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
    const auto start = hn::Add(along, hn::Set(d, tile.row_x[0]));
    const auto one = [&](int c, auto added) HWY_ATTR __attribute__((always_inline)) {
      const auto cx = hn::Set(d, x[c]);
      const auto scale = hn::Set(d, unit[c]);
      const auto dx = hn::Sub(start, cx);
      const auto dx2 = hn::Mul(hn::Mul(dx, dx), scale);
      // The estimate of 1/sqrt and one Newton step.
      const auto add = [&](int r, auto& sum) HWY_ATTR {
        auto r2 = hn::Add(dx2, hn::Set(d, d2[r][c]));
        if constexpr (!upright) {
          const auto own = hn::Sub(hn::Add(along, hn::Set(d, tile.row_x[r])), cx);
          r2 = hn::MulAdd(hn::Mul(own, own), scale, hn::Set(d, d2[r][c]));
        }
        const auto e = hn::ApproximateReciprocalSqrt(r2);
        const auto twice = hn::NegMulAdd(hn::Mul(r2, e), e, three);
        sum = decltype(added)::value ? hn::MulAdd(e, twice, sum) : hn::NegMulAdd(e, twice, sum);
      };
      add(0, a0);
      add(1, a1);
      add(2, a2);
      add(3, a3);
      add(4, a4);
      add(5, a5);
      add(6, a6);
      add(7, a7);
    };
    // Both signs alternately, as many of each as there are: sums then stay as small as they are.
    for (int step = 0, p = 0, n = 0, to_p = 0, to_n = 0; step < steps; ++step) {
      for (to_p += positive; to_p >= steps; to_p -= steps) one(p++, std::true_type());
      for (to_n += negative; to_n >= steps; to_n -= steps) one(block.positive + n++, std::false_type());
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

void sum_upright(const SignedCharges& charges, const SignedCharges::Block& block, DirectTile& tile) {
  sum_block<true>(charges, block, tile);
}

void sum_skewed(const SignedCharges& charges, const SignedCharges::Block& block, DirectTile& tile) {
  sum_block<false>(charges, block, tile);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(sum_upright);
HWY_EXPORT(sum_skewed);

void sum_direct_tile(const SignedCharges& charges, const RowFrame& frame, const TileRows& part, double* sums,
                     const Job& job) {
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
  for (const SignedCharges::Block& block : charges.blocks) {
    job.check();
    if (frame.upright()) {
      HWY_DYNAMIC_DISPATCH(sum_upright)(charges, block, tile);
    } else {
      HWY_DYNAMIC_DISPATCH(sum_skewed)(charges, block, tile);
    }
    // The few that are inside the tile, in double precision.
    for (int n = 0; n < tile.near_count; ++n) {
      const std::size_t c = block.begin + tile.near[n];
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
