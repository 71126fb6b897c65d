// A tile of a density map on the CPU, for each instruction set.
#include "compute/density_maps/density_map_tile.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/density_maps/density_map_tile_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using MapLanes = hn::CappedTag<float, map_tile_side>;
using MapVector = hn::Vec<MapLanes>;

/// exp(power * (i step - at)^2) for the points i of a tile along one axis.
HWY_INLINE void map_table(float at, float step, float power, float* table) {
  const MapLanes d;
  for (std::size_t i = 0; i < map_tile_side; i += hn::Lanes(d)) {
    const MapVector x = hn::Sub(hn::Mul(hn::Iota(d, static_cast<float>(i)), hn::Set(d, step)), hn::Set(d, at));
    // Below exp(-80) nothing counts, and the function stays within its range.
    const MapVector e = hn::Max(hn::Mul(hn::Mul(x, x), hn::Set(d, power)), hn::Set(d, -80.0f));
    hn::Store(hn::Exp(d, e), d, table + i);
  }
}

/// The points of a tile that a box reaches along one axis.
struct MapReach {
  int first, last;
  MapReach(float at, float reach, float step, int count) {
    const float a = (at - reach) / step, b = (at + reach) / step;
    const float low = std::min(a, b), high = std::max(a, b);
    first = low > 0 ? static_cast<int>(std::min(std::ceil(low), 99.0f)) : 0;
    last = high < 0 ? -1 : static_cast<int>(std::min(high, static_cast<float>(count - 1)));
  }
};

HWY_ATTR void add_gaussian(DensityMapTile& tile, const MapAtom& atom) {
  const float reach = map_box_sigmas * atom.sigma;
  const MapReach along_x(atom.position.x, reach, tile.step[0], tile.counts.x);
  const MapReach along_y(atom.position.y, reach, tile.step[1], tile.counts.y);
  const MapReach along_z(atom.position.z, reach, tile.step[2], tile.counts.z);
  if (along_x.first > along_x.last || along_y.first > along_y.last || along_z.first > along_z.last) return;
  alignas(64) float x[map_tile_side], y[map_tile_side], z[map_tile_side];
  const float power = -0.5f / (atom.sigma * atom.sigma);
  map_table(atom.position.x, tile.step[0], power, x);
  map_table(atom.position.y, tile.step[1], power, y);
  map_table(atom.position.z, tile.step[2], power, z);
  // Beyond the box along x nothing, so that a value does not depend on the tile that it is in.
  for (int i = 0; i < along_x.first; ++i) x[i] = 0;
  for (int i = along_x.last + 1; i < map_tile_side; ++i) x[i] = 0;
  const MapLanes d;
  const auto lanes = static_cast<int>(hn::Lanes(d));
  const int first = along_x.first / lanes * lanes;
  for (int k = along_z.first; k <= along_z.last; ++k) {
    const float high = atom.height * z[k];
    for (int j = along_y.first; j <= along_y.last; ++j) {
      const MapVector factor = hn::Set(d, high * y[j]);
      float* row = tile.values[k][j];
      for (int i = first; i <= along_x.last; i += lanes)
        hn::Store(hn::MulAdd(factor, hn::Load(d, x + i), hn::Load(d, row + i)), d, row + i);
    }
  }
}

/// Sums of a row of 16 in double precision; what is not of the grid is 0 in both.
HWY_ATTR void add_row(const float* a, const float* b, MapSums& sums) {
  const hn::CappedTag<double, 8> dd;
  const hn::Rebind<float, decltype(dd)> df;
  auto sa = hn::Zero(dd), sb = sa, saa = sa, sbb = sa, sab = sa;
  for (std::size_t i = 0; i < map_tile_side; i += hn::Lanes(dd)) {
    const auto va = hn::PromoteTo(dd, hn::Load(df, a + i)), vb = hn::PromoteTo(dd, hn::Load(df, b + i));
    sa = hn::Add(sa, va);
    sb = hn::Add(sb, vb);
    saa = hn::MulAdd(va, va, saa);
    sbb = hn::MulAdd(vb, vb, sbb);
    sab = hn::MulAdd(va, vb, sab);
  }
  sums.a += hn::GetLane(hn::SumOfLanes(dd, sa));
  sums.b += hn::GetLane(hn::SumOfLanes(dd, sb));
  sums.aa += hn::GetLane(hn::SumOfLanes(dd, saa));
  sums.bb += hn::GetLane(hn::SumOfLanes(dd, sbb));
  sums.ab += hn::GetLane(hn::SumOfLanes(dd, sab));
}

/// a and b where of > threshold, else 0; how many.
HWY_ATTR int keep_above(const float* of, float threshold, int count, const float* a, const float* b, float* ka,
                        float* kb) {
  int kept = 0;
  for (int i = 0; i < map_tile_side; ++i) {
    const bool keep = i < count && of[i] > threshold;
    ka[i] = keep ? a[i] : 0;
    kb[i] = keep ? b[i] : 0;
    kept += keep;
  }
  return kept;
}

HWY_ATTR void sum_tile_row(const float* values, int count, const float* map, const MapComparison& comparison,
                           ComparedSums& sums) {
  alignas(64) float a[map_tile_side] = {}, b[map_tile_side] = {}, ka[map_tile_side], kb[map_tile_side];
  for (int i = 0; i < count; ++i) {
    a[i] = map[i];
    b[i] = values[i];
  }
  sums.all.count += count;
  add_row(a, b, sums.all);
  if (const int kept = keep_above(a, comparison.map_threshold, count, a, b, ka, kb)) {
    sums.map_above.count += kept;
    add_row(ka, kb, sums.map_above);
  }
  if (const int kept = keep_above(b, comparison.model_threshold, count, a, b, ka, kb)) {
    sums.model_above.count += kept;
    add_row(ka, kb, sums.model_above);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(add_gaussian);
HWY_EXPORT(sum_tile_row);

void DensityMapTile::clear() {
  std::memset(values, 0, sizeof(values));
}

void DensityMapTile::add(const MapAtom& atom) {
  HWY_DYNAMIC_DISPATCH(add_gaussian)(*this, atom);
}

void DensityMapTile::sum_row(int y, int z, const float* map, const MapComparison& comparison,
                             ComparedSums& sums) const {
  HWY_DYNAMIC_DISPATCH(sum_tile_row)(values[z][y], counts.x, map, comparison, sums);
}

}  // namespace isolume
#endif  // HWY_ONCE
