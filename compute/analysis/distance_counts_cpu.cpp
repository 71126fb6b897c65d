// Counts of distances on the CPU: tiles of points against tiles, in vectors; counters of each thread.
#include <cstddef>
#include <cstdint>

#include "compute/analysis/distance_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/analysis/distance_counts_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/base/packed_lanes.h"

#ifndef ISOLUME_DISTANCE_TILES
#define ISOLUME_DISTANCE_TILES
namespace isolume {

/// Boxes as three pairs of rows; the end is filled up with boxes that nothing is near.
struct DistanceBoxes {
  std::vector<float> lower[3], upper[3];
};

/// Points in order, rows filled up to whole tiles with NaN, which is near nothing.
struct DistanceSorted {
  std::vector<float> x, y, z;
  std::vector<std::int32_t> group;  ///< empty where there are none
  DistanceBoxes tiles, blocks;      ///< of 32 points, and of 32 tiles
  std::size_t tile_count = 0;
  float lower[3], upper[3];  ///< of all
};

/// Bins, several rows of them so that equal neighbours do not wait for each other, and what they were before.
struct DistanceCounters {
  static constexpr std::size_t rows = 4;
  std::vector<std::uint32_t> now;  ///< rows * stride
  std::vector<std::uint64_t> sum;
  std::vector<std::int32_t> found;  ///< bins of the pairs of a tile and another
  std::uint64_t since = 0;          ///< pairs in `now`

  void flush() {
    const std::size_t stride = sum.size() + 1;
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += now[row * stride + k];
    for (std::uint32_t& count : now) count = 0;
    since = 0;
  }
};

}  // namespace isolume
#endif

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The bits of 32 boxes from `first` on of which a point may be nearer than sqrt(reach2) to the box.
HWY_ATTR std::uint32_t near_boxes(const DistanceBoxes& boxes, std::size_t first, const float* lower, const float* upper,
                                  float reach2) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 32; i += lanes) {
    auto sum = zero;
    for (int axis = 0; axis < 3; ++axis) {
      const auto below = hn::Sub(hn::LoadU(d, boxes.lower[axis].data() + first + i), hn::Set(d, upper[axis]));
      const auto above = hn::Sub(hn::Set(d, lower[axis]), hn::LoadU(d, boxes.upper[axis].data() + first + i));
      const auto gap = hn::Max(zero, hn::Max(below, above));
      sum = hn::MulAdd(gap, gap, sum);
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Lt(sum, hn::Set(d, reach2)), bytes);
    bits |= (static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8) << i;
  }
  return bits;
}

/// Bins of the pairs of a tile of `a` and one of `b`, `a` moved by -shift. With `diagonal`, a point pairs with those
/// behind it. Returns how many were written to `found`.
template <bool diagonal, bool groups>
HWY_ATTR std::size_t tile_pairs(const DistanceSorted& a, std::size_t ta, const DistanceSorted& b, std::size_t tb,
                                const float* shift, float bins, std::int32_t* found) {
  const hn::CappedTag<float, 16> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  const float reach2 = bins * bins;
  const auto limit = hn::Set(d, reach2);
  const auto zero = hn::Zero(d);
  const std::size_t first_a = ta * distance_tile, first_b = tb * distance_tile;
  // Which points of `a` are near the box of `b` at all; a little wider, for the rounding of the sums.
  std::uint32_t near = 0;
  for (std::size_t i = 0; i < distance_tile; i += lanes) {
    auto sum = zero;
    const float* const rows[3] = {a.x.data(), a.y.data(), a.z.data()};
    for (int axis = 0; axis < 3; ++axis) {
      const auto p = hn::Sub(hn::LoadU(d, rows[axis] + first_a + i), hn::Set(d, shift[axis]));
      const auto gap = hn::Max(zero, hn::Max(hn::Sub(hn::Set(d, b.tiles.lower[axis][tb]), p),
                                             hn::Sub(p, hn::Set(d, b.tiles.upper[axis][tb]))));
      sum = hn::MulAdd(gap, gap, sum);
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Lt(sum, hn::Set(d, reach2 * 1.0001f)), bytes);
    near |= (static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8) << i;
  }
  std::size_t count = 0;
  for (; near != 0; near &= near - 1) {
    const auto i = static_cast<std::size_t>(__builtin_ctz(near));
    const auto x = hn::Set(d, a.x[first_a + i] - shift[0]);
    const auto y = hn::Set(d, a.y[first_a + i] - shift[1]);
    const auto z = hn::Set(d, a.z[first_a + i] - shift[2]);
    for (std::size_t j = diagonal ? i / lanes * lanes : 0; j < distance_tile; j += lanes) {
      const auto dx = hn::Sub(hn::LoadU(d, b.x.data() + first_b + j), x);
      const auto dy = hn::Sub(hn::LoadU(d, b.y.data() + first_b + j), y);
      const auto dz = hn::Sub(hn::LoadU(d, b.z.data() + first_b + j), z);
      const auto r2 = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::Mul(dx, dx)));
      auto in = hn::Lt(r2, limit);
      if constexpr (groups) {
        const auto other = hn::Ne(hn::LoadU(di, b.group.data() + first_b + j), hn::Set(di, a.group[first_a + i]));
        in = hn::And(in, hn::RebindMask(d, other));
      }
      if constexpr (diagonal) {
        // Lanes up to i itself, which are none of vectors behind it.
        if (j <= i) in = hn::AndNot(hn::FirstN(d, i + 1 - j), in);
      }
      const auto mask = hn::RebindMask(di, in);
      hn::StoreU(packed(hn::ConvertTo(di, hn::Sqrt(r2)), mask), di, found + count);
      count += hn::CountTrue(di, mask);
    }
  }
  return count;
}

/// One tile of `a` against all of `b` (`within`: from itself on), for all shifts.
HWY_ATTR void count_tile(const DistanceSorted& a, std::size_t ta, const DistanceSorted& b, bool within,
                         const DistancePlace* shifts, std::size_t shift_count, std::uint32_t bins,
                         DistanceCounters& counters) {
  const auto reach = static_cast<float>(bins);
  const float reach2 = reach * reach * 1.0001f;
  const bool groups = !a.group.empty() && !b.group.empty();
  const std::size_t stride = bins + 1;
  for (std::size_t s = 0; s < shift_count; ++s) {
    const float shift[3] = {shifts[s].x, shifts[s].y, shifts[s].z};
    float lower[3], upper[3], apart2 = 0;
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = a.tiles.lower[axis][ta] - shift[axis];
      upper[axis] = a.tiles.upper[axis][ta] - shift[axis];
      const float gap = HWY_MAX(0.0f, HWY_MAX(b.lower[axis] - upper[axis], lower[axis] - b.upper[axis]));
      apart2 += gap * gap;
    }
    if (!(apart2 < reach2)) continue;
    const std::size_t block_count = (b.tile_count + 31) / 32;
    for (std::size_t group_of_blocks = within ? ta / 1024 * 32 : 0; group_of_blocks < block_count;
         group_of_blocks += 32) {
      std::uint32_t blocks = near_boxes(b.blocks, group_of_blocks, lower, upper, reach2);
      for (; blocks != 0; blocks &= blocks - 1) {
        const std::size_t block = group_of_blocks + static_cast<std::size_t>(__builtin_ctz(blocks));
        if (within && block < ta / 32) continue;
        std::uint32_t tiles = near_boxes(b.tiles, block * 32, lower, upper, reach2);
        if (within && block == ta / 32) tiles &= ~0u << (ta % 32);
        for (; tiles != 0; tiles &= tiles - 1) {
          const std::size_t tb = block * 32 + static_cast<std::size_t>(__builtin_ctz(tiles));
          std::int32_t* const found = counters.found.data();
          std::size_t count = 0;
          if (within && tb == ta) {
            count = groups ? tile_pairs<true, true>(a, ta, b, tb, shift, reach, found)
                           : tile_pairs<true, false>(a, ta, b, tb, shift, reach, found);
          } else {
            count = groups ? tile_pairs<false, true>(a, ta, b, tb, shift, reach, found)
                           : tile_pairs<false, false>(a, ta, b, tb, shift, reach, found);
          }
          std::uint32_t* const now = counters.now.data();
          std::size_t k = 0;
          for (; k + 4 <= count; k += 4) {
            ++now[found[k]];
            ++now[stride + static_cast<std::size_t>(found[k + 1])];
            ++now[2 * stride + static_cast<std::size_t>(found[k + 2])];
            ++now[3 * stride + static_cast<std::size_t>(found[k + 3])];
          }
          for (; k < count; ++k) ++now[found[k]];
          counters.since += count;
        }
        // A block makes 32^3 pairs at most, so that 32 bits are enough whatever the number of points.
        if (counters.since > (std::uint64_t{1} << 31)) counters.flush();
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/core.h>
#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "molecule/base/error.h"

namespace isolume {

HWY_EXPORT(count_tile);

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float nowhere = 1e30f;

void fill(DistanceBoxes& boxes, std::size_t count) {
  for (int axis = 0; axis < 3; ++axis) {
    boxes.lower[axis].assign(count, nowhere);
    boxes.upper[axis].assign(count, -nowhere);
  }
}

DistanceSorted sorted(const DistancePoints& points, const Cell& cell, const DistanceBins& bins, Job& job) {
  const std::size_t n = points.positions.size;
  const glm::vec3* const positions = points.positions.data;
  glm::dvec3 lower(0), upper(0);
  for (std::size_t i = 0; i < n; ++i) {
    const glm::dvec3 p(positions[i]);
    if (!std::isfinite(p.x + p.y + p.z))
      throw Error(fmt::format("distances: the position of point {} is not finite", i + 1), Error::Kind::usage);
    lower = i == 0 ? p : glm::min(lower, p);
    upper = i == 0 ? p : glm::max(upper, p);
  }
  const DistanceOrder order = distance_order(n, cell, bins, lower, upper);
  std::vector<DistancePlace> places(n);
  std::vector<std::uint32_t> keys(n), starts(order.total() + 1, 0);
  parallel_for((n + 16383) / 16384, job, "distances: sorting", [&](std::size_t block) {
    for (std::size_t i = block * 16384; i < std::min(n, (block + 1) * 16384); ++i)
      places[i] = order.place(positions[i].x, positions[i].y, positions[i].z, keys[i]);
  });
  for (const std::uint32_t key : keys) ++starts[key + 1];
  for (std::size_t c = 1; c < starts.size(); ++c) starts[c] += starts[c - 1];

  DistanceSorted result;
  result.tile_count = (n + distance_tile - 1) / distance_tile;
  // Rows of 32 boxes are read at once, and the boxes of 32 tiles in rows of 32.
  const std::size_t blocks = (result.tile_count + 31) / 32;
  fill(result.tiles, blocks * 32);
  fill(result.blocks, (blocks + 31) / 32 * 32);
  const std::size_t rows = result.tile_count * distance_tile;
  result.x.assign(rows, nan);
  result.y.assign(rows, nan);
  result.z.assign(rows, nan);
  if (!points.groups.empty()) result.group.assign(rows, -1);
  std::fill_n(result.lower, 3, nowhere);
  std::fill_n(result.upper, 3, -nowhere);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t to = starts[keys[i]]++;
    const float at[3] = {places[i].x, places[i].y, places[i].z};
    result.x[to] = at[0];
    result.y[to] = at[1];
    result.z[to] = at[2];
    if (!points.groups.empty()) result.group[to] = static_cast<std::int32_t>(points.groups[i]);
    const std::size_t tile = to / distance_tile, block = tile / 32;
    for (int axis = 0; axis < 3; ++axis) {
      for (float* least : {&result.tiles.lower[axis][tile], &result.blocks.lower[axis][block], &result.lower[axis]})
        *least = std::min(*least, at[axis]);
      for (float* most : {&result.tiles.upper[axis][tile], &result.blocks.upper[axis][block], &result.upper[axis]})
        *most = std::max(*most, at[axis]);
    }
  }
  return result;
}

}  // namespace

void count_distances_cpu(const DistancePoints& a, const DistancePoints& b, bool within, const Cell& cell,
                         const DistanceBins& bins, Span<std::uint64_t> counts, Job& job) {
  const PhaseTimer timer("distances");
  std::fill_n(counts.data, counts.size, 0);
  if (a.positions.empty() || b.positions.empty()) return;
  const DistanceSorted first = sorted(a, cell, bins, job);
  const DistanceSorted second = within ? DistanceSorted{} : sorted(b, cell, bins, job);
  const DistanceSorted& other = within ? first : second;
  const std::vector<DistancePlace> shifts = distance_shifts(cell, bins);
  oneapi::tbb::enumerable_thread_specific<DistanceCounters> threads([&] {
    DistanceCounters made;
    made.now.assign(DistanceCounters::rows * (bins.count + 1), 0);
    made.sum.assign(bins.count, 0);
    made.found.resize(distance_tile * distance_tile + 64);
    return made;
  });
  const std::size_t each = first.tile_count < 4096 ? 1 : 4;
  parallel_for((first.tile_count + each - 1) / each, job, "distances", [&](std::size_t block) {
    DistanceCounters& counters = threads.local();
    for (std::size_t tile = block * each; tile < std::min(first.tile_count, (block + 1) * each); ++tile) {
      HWY_DYNAMIC_DISPATCH(count_tile)
      (first, tile, other, within, shifts.data(), shifts.size(), bins.count, counters);
    }
  });
  for (DistanceCounters& counters : threads) {
    counters.flush();
    for (std::size_t k = 0; k < bins.count; ++k) counts.data[k] += counters.sum[k];
  }
}

}  // namespace isolume
#endif  // HWY_ONCE
