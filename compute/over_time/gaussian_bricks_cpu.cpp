// Products of the factors of atoms added to the bricks of a grid, by explicit SIMD: the sums of a brick stay in
// registers.
#include "compute/over_time/gaussian_bricks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/over_time/gaussian_bricks_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "compute/base/packed_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DW = hn::CappedTag<float, widest>;  // of atoms, and of points of tables
using DI = hn::RebindToSigned<DW>;
using W = hn::Vec<DW>;

/// Points of a brick in a plane of the same z.
constexpr int plane_size = brick_side * brick_side;

// Of a brick: where its last point is.
constexpr float last_point = static_cast<float>(brick_side - 1) / brick_side;

/// Atoms whose distance from a layer of bricks of the same y leaves a rest of the squared reach.
struct InLayer {
  alignas(64) float x[GaussianBatch::room], z[GaussianBatch::room], per_width[GaussianBatch::room];
  alignas(64) float rest[GaussianBatch::room];
  alignas(64) std::int32_t atom[GaussianBatch::room];
};
/// Of them those that reach a column of bricks of the same x and y.
struct InColumn {
  alignas(64) float low[GaussianBatch::room], high[GaussianBatch::room];  ///< from where to where in z, in bricks
  alignas(64) std::int32_t atom[GaussianBatch::room];
  alignas(64) std::int32_t table[GaussianBatch::room];  ///< along z
  /// The products of the factors along x and y.
  alignas(64) float planes[GaussianBatch::room * plane_size];
};
/// Memory of a batch.
struct Room {
  InLayer layer;
  InColumn column;
  alignas(64) std::int32_t list[GaussianBatch::room];
};

#if HWY_TARGET == HWY_SCALAR

/// The products along x and y of the atoms in a column; the tables of its bricks begin at `along` and `across`.
void make_planes(const GaussianBatch& atoms, InColumn& column, std::size_t count, const float* along,
                 const float* across) {
  for (std::size_t i = 0; i < count; ++i) {
    const AtomTables& table = atoms.table[column.atom[i]];
    for (int p = 0; p < plane_size; ++p)
      column.planes[i * plane_size + static_cast<std::size_t>(p)] =
          along[table.x + p % brick_side] * across[table.y + p / brick_side];
    column.table[i] = table.z;
  }
}

/// Adds `count` atoms of a column, which `list` names, to a brick; their tables along z begin at `up`.
void add_products(const InColumn& column, const std::int32_t* list, std::size_t count, const float* up, float* brick) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* const plane = column.planes + plane_size * list[i];
    const float* const z = up + column.table[list[i]];
    for (int p = 0; p < brick_size; ++p) brick[p] += plane[p % plane_size] * z[p / plane_size];
  }
}

#else

// A vector of points has whole rows of a brick: one, two or four.
constexpr int wide = HWY_TARGET == HWY_AVX2 ? 8 : HWY_TARGET <= HWY_AVX3 ? 16 : 4;
constexpr int parts = plane_size / wide;                          // vectors of a plane
constexpr int layers = parts == 4 ? brick_side / 2 : brick_side;  // whose sums fit into the registers together
using D = hn::FixedTag<float, wide>;
using V = hn::Vec<D>;

/// The factors along y of the rows in a vector.
HWY_ATTR HWY_INLINE V of_rows(const float* y) {
  const D d;
#if HWY_TARGET == HWY_AVX2
  return hn::ConcatUpperLower(d, hn::Set(d, y[1]), hn::Set(d, y[0]));
#elif HWY_TARGET <= HWY_AVX3
  const hn::RebindToSigned<D> whole;
  return hn::TableLookupLanes(hn::LoadDup128(d, y), hn::IndicesFromVec(d, hn::ShiftRight<2>(hn::Iota(whole, 0))));
#else
  return hn::Set(d, y[0]);
#endif
}

/// The products along x and y of the atoms in a column; the tables of its bricks begin at `along` and `across`.
HWY_ATTR HWY_INLINE void make_planes(const GaussianBatch& atoms, InColumn& column, std::size_t count,
                                     const float* along, const float* across) {
  const D d;
  for (std::size_t i = 0; i < count; ++i) {
    const AtomTables& table = atoms.table[column.atom[i]];
    const auto row = hn::LoadDup128(d, along + table.x);
    const float* const y = across + table.y;
    float* const plane = column.planes + plane_size * i;
    for (int p = 0; p < parts; ++p) hn::Store(hn::Mul(row, of_rows(y + p * (wide / brick_side))), d, plane + p * wide);
    column.table[i] = table.z;
  }
}

/// Adds `count` atoms of a column, which `list` names, to a brick; their tables along z begin at `up`.
HWY_ATTR HWY_INLINE void add_products(const InColumn& column, const std::int32_t* list, std::size_t count,
                                      const float* up, float* brick) {
  const D d;
  for (int first = 0; first < brick_side; first += layers) {
    V sums[layers][parts];
    float* const planes = brick + first * plane_size;
    for (int k = 0; k < layers; ++k)
      for (int p = 0; p < parts; ++p) sums[k][p] = hn::LoadU(d, planes + k * plane_size + p * wide);
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(list[i]);
      const float* const plane = column.planes + plane_size * at;
      const float* const z = up + column.table[at] + first;
      for (int k = 0; k < layers; ++k) {
        const auto factor = hn::Set(d, z[k]);
        for (int p = 0; p < parts; ++p) sums[k][p] = hn::MulAdd(hn::Load(d, plane + p * wide), factor, sums[k][p]);
      }
    }
    for (int k = 0; k < layers; ++k)
      for (int p = 0; p < parts; ++p) hn::StoreU(sums[k][p], d, planes + k * plane_size + p * wide);
  }
}

#endif

/// The squared distance along an axis from places to the points of a brick, over the squared reach. `scale`: the side
/// of a brick over the reach.
HWY_ATTR HWY_INLINE W gap2(W place, W scale, int brick) {
  const DW d;
  const auto below = hn::Sub(hn::Set(d, static_cast<float>(brick)), place);
  const auto above = hn::Sub(place, hn::Set(d, static_cast<float>(brick) + last_point));
  const auto gap = hn::Mul(hn::Max(hn::Max(below, above), hn::Zero(d)), scale);
  return hn::Mul(gap, gap);
}

HWY_ATTR void multiply_batch(const GaussianBatch& atoms, const BrickGrid& grid, const int (&first)[3],
                             const int (&last)[3], float* sums) {
  const DW d;
  const DI di;
  const std::size_t lanes = hn::Lanes(d);
  const auto numbers = hn::Iota(di, 0);
  const auto side = [&](std::size_t axis) { return static_cast<float>(grid.side[axis]); };
  const auto scale_x = hn::Set(d, side(0) / static_cast<float>(gaussian_reach));
  const auto scale_y = hn::Set(d, side(1) / static_cast<float>(gaussian_reach));
  const auto reach_z = hn::Set(d, static_cast<float>(gaussian_reach) / side(2));
  Room room;
  InLayer& layer = room.layer;
  InColumn& column = room.column;
  for (int y = first[1]; y <= last[1]; ++y) {
    std::size_t in_layer = 0;
    for (std::size_t i = 0; i < atoms.size; i += lanes) {
      const auto width = hn::Load(d, atoms.per_width + i);
      const auto rest =
          hn::Sub(hn::Set(d, atoms.most_squared), gap2(hn::Load(d, atoms.place[1] + i), hn::Mul(width, scale_y), y));
      const auto reaches = hn::Ge(rest, hn::Zero(d));
      hn::StoreU(packed(hn::Load(d, atoms.place[0] + i), reaches), d, layer.x + in_layer);
      hn::StoreU(packed(hn::Load(d, atoms.place[2] + i), reaches), d, layer.z + in_layer);
      hn::StoreU(packed(width, reaches), d, layer.per_width + in_layer);
      hn::StoreU(packed(rest, reaches), d, layer.rest + in_layer);
      hn::StoreU(packed(hn::Add(numbers, hn::Set(di, static_cast<std::int32_t>(i))), hn::RebindMask(di, reaches)), di,
                 layer.atom + in_layer);
      in_layer += hn::CountTrue(d, reaches);
    }
    if (in_layer == 0) continue;
    hn::StoreU(hn::Set(d, -1.0f), d, layer.rest + in_layer);  // of nobody
    for (int x = first[0]; x <= last[0]; ++x) {
      std::size_t in_column = 0;
      auto lowest = hn::Set(d, 1e30f), highest = hn::Set(d, -1e30f);
      for (std::size_t i = 0; i < in_layer; i += lanes) {
        const auto width = hn::Load(d, layer.per_width + i);
        const auto rest =
            hn::Sub(hn::Load(d, layer.rest + i), gap2(hn::Load(d, layer.x + i), hn::Mul(width, scale_x), x));
        const auto reaches = hn::Ge(rest, hn::Zero(d));
        const auto place = hn::Load(d, layer.z + i);
        const auto reach = hn::Mul(hn::Sqrt(hn::Max(rest, hn::Zero(d))), hn::Div(reach_z, width));
        const auto low = hn::Sub(place, reach), high = hn::Add(place, reach);
        lowest = hn::Min(lowest, hn::IfThenElse(reaches, low, lowest));
        highest = hn::Max(highest, hn::IfThenElse(reaches, high, highest));
        hn::StoreU(packed(low, reaches), d, column.low + in_column);
        hn::StoreU(packed(high, reaches), d, column.high + in_column);
        hn::StoreU(packed(hn::Load(di, layer.atom + i), hn::RebindMask(di, reaches)), di, column.atom + in_column);
        in_column += hn::CountTrue(d, reaches);
      }
      if (in_column == 0) continue;
      hn::StoreU(hn::Set(d, -1e30f), d, column.high + in_column);
      make_planes(atoms, column, in_column, atoms.tables.data() + x * brick_side, atoms.tables.data() + y * brick_side);
      float* const bricks = sums + grid.index(x, y, 0) * brick_size;
      const float from = hn::GetLane(hn::MinOfLanes(d, lowest)), to = hn::GetLane(hn::MaxOfLanes(d, highest));
      for (int z = std::max(first[2], static_cast<int>(std::max(from, 0.0f)));
           z <= last[2] && static_cast<float>(z) <= to; ++z) {
        const auto begin = hn::Set(d, static_cast<float>(z)), end = hn::Set(d, static_cast<float>(z) + last_point);
        float* const brick = bricks + static_cast<std::size_t>(z) * brick_size;
        std::size_t count = 0;
        for (std::size_t i = 0; i < in_column; i += lanes) {
          const auto reaches =
              hn::And(hn::Le(hn::Load(d, column.low + i), end), hn::Ge(hn::Load(d, column.high + i), begin));
          const auto number = hn::Add(numbers, hn::Set(di, static_cast<std::int32_t>(i)));
          hn::StoreU(packed(number, hn::RebindMask(di, reaches)), di, room.list + count);
          count += hn::CountTrue(d, reaches);
        }
        if (count > 0) add_products(column, room.list, count, atoms.tables.data() + z * brick_side, brick);
      }
    }
  }
}

/// 2^x of x from -30 to 0, to 2e-7 of itself.
HWY_ATTR HWY_INLINE W power_of_two(W x) {
  const DW d;
  const DI di;
  // Added to 3 2^22 a number is rounded to a whole one, which is in the last bits.
  const auto magic = hn::Set(d, 12582912.0f), moved = hn::Add(x, magic);
  const auto rest = hn::Sub(x, hn::Sub(moved, magic));
  // Of the polynomials of degree 5 that which is off by least from -1/2 to 1/2, 2e-7.
  auto sum = hn::Set(d, 0.0013276471f);
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.009675541f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.05550713f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.2402212f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.69314694f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 1.0000001f));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, sum), hn::ShiftLeft<23>(hn::BitCast(di, moved))));
}

/// 2^-d^2 with d = step (first + i) - within, for whole vectors of i up to `count`; 1e-9 where it would be less. Times
/// the factor where it is `scaled`. Where d is small it is exact: `first` is a whole number, and `within` small.
template <bool scaled>
HWY_ATTR HWY_INLINE void fill_table(int first, float within, float step, float factor, int count, float* table) {
  const DW d;
  const auto least = hn::Set(d, -30.0f);  // so that products are no denormal numbers
  const auto apart = hn::Set(d, step), left = hn::Set(d, within);
  auto at = hn::Iota(d, static_cast<float>(first));
  for (int i = 0; i < count; i += static_cast<int>(hn::Lanes(d))) {
    const auto away = hn::MulSub(at, apart, left);
    const auto power = power_of_two(hn::Max(hn::Neg(hn::Mul(away, away)), least));
    if constexpr (scaled) {
      hn::StoreU(hn::Mul(power, hn::Set(d, factor)), d, table + i);
    } else {
      hn::StoreU(power, d, table + i);
    }
    at = hn::Add(at, hn::Set(d, static_cast<float>(hn::Lanes(d))));
  }
}

/// The bricks that atoms may reach along an axis; the first and the last of all. Returns how far the farthest of the
/// places is, over its reach.
HWY_ATTR float find_bricks(GaussianBatch& atoms, const BrickGrid& grid, int axis, int& first, int& last) {
  const DW d;
  const DI di;
  const auto a = static_cast<std::size_t>(axis);
  const auto reach = hn::Set(d, static_cast<float>(gaussian_reach / grid.side[a]));
  const auto end = hn::Set(di, grid.bricks[a] - 1);
  const auto end_place = hn::Set(d, static_cast<float>(grid.bricks[a]));
  auto lowest = end, highest = hn::Zero(di);
  auto farthest = hn::Zero(d);
  for (std::size_t i = 0; i < atoms.size; i += hn::Lanes(d)) {
    const auto place = hn::Load(d, atoms.place[axis] + i), far = hn::Div(reach, hn::Load(d, atoms.per_width + i));
    const auto low = hn::Max(hn::Ceil(hn::Sub(hn::Sub(place, far), hn::Set(d, last_point))), hn::Zero(d));
    const auto from = hn::Min(hn::ConvertTo(di, hn::Min(low, end_place)), end);
    const auto high = hn::Min(hn::Add(place, far), end_place);  // is cut, which is down where it is above 0
    const auto to = hn::Min(hn::Max(hn::ConvertTo(di, hn::Max(high, hn::Zero(d))), from), end);
    hn::Store(from, di, atoms.first[axis] + i);
    hn::Store(to, di, atoms.last[axis] + i);
    lowest = hn::Min(lowest, from);
    highest = hn::Max(highest, to);
    farthest = hn::Max(farthest, hn::Div(hn::Abs(place), far));
  }
  first = hn::GetLane(hn::MinOfLanes(di, lowest));
  last = hn::GetLane(hn::MaxOfLanes(di, highest));
  return hn::GetLane(hn::MaxOfLanes(d, farthest));
}

HWY_ATTR void add_batch(std::span<const BrickAtom> which, const BrickGrid& grid, GaussianBatch& atoms, float* sums) {
  atoms.size = which.size();
  for (std::size_t i = 0; i < which.size(); ++i) {
    const BrickAtom& atom = which[i];
    for (int axis = 0; axis < 3; ++axis)
      atoms.place[axis][i] = static_cast<float>(atom.brick[axis]) + atom.within[axis];
    atoms.per_width[i] = static_cast<float>(atom.per_width);
  }
  // What fills up the last vector is where the last atom is.
  for (std::size_t i = which.size(); i < which.size() + widest; ++i) {
    for (auto& place : atoms.place) place[i] = place[which.size() - 1];
    atoms.per_width[i] = atoms.per_width[which.size() - 1];
  }
  int first[3], last[3];
  float farthest = 0;
  for (int axis = 0; axis < 3; ++axis)
    farthest = std::max(farthest, find_bricks(atoms, grid, axis, first[axis], last[axis]));
  atoms.most_squared = 1 - std::min(1e-5f + 1e-6f * farthest, 0.1f);
  // And reaches nothing.
  for (std::size_t i = which.size(); i < which.size() + widest; ++i) atoms.place[2][i] = -1e6f;
  std::size_t used = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto take = [&](int axis) {
      const std::int32_t at = static_cast<std::int32_t>(used) - brick_side * atoms.first[axis][i];
      used += static_cast<std::size_t>(brick_side * (atoms.last[axis][i] - atoms.first[axis][i] + 1));
      return at;
    };
    atoms.table[i].x = take(0);
    atoms.table[i].y = take(1);
    atoms.table[i].z = take(2);
  }
  if (atoms.tables.size() < used + widest) atoms.tables.resize(used + widest);
  const double exponent = std::sqrt(0.5 * std::numbers::log2e);  // exp(-d^2 / 2) = 2^-(exponent d)^2
  float* const tables = atoms.tables.data();
  for (std::size_t i = 0; i < which.size(); ++i) {
    const BrickAtom& atom = which[i];
    const auto fill = [&]<bool scaled>(int axis, std::int32_t table) HWY_ATTR {
      const int begin = atoms.first[axis][i];
      const double scale = exponent * grid.side[static_cast<std::size_t>(axis)] * atom.per_width;
      fill_table<scaled>(brick_side * (begin - atom.brick[axis]), static_cast<float>(atom.within[axis] * scale),
                         static_cast<float>(scale / brick_side), atom.height,
                         brick_side * (atoms.last[axis][i] - begin + 1), tables + (table + brick_side * begin));
    };
    fill.template operator()<false>(0, atoms.table[i].x);
    fill.template operator()<false>(1, atoms.table[i].y);
    fill.template operator()<true>(2, atoms.table[i].z);
  }
  multiply_batch(atoms, grid, first, last, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {
namespace {
HWY_EXPORT(add_batch);
}  // namespace

void add_to_bricks(std::span<const BrickAtom> atoms, const BrickGrid& grid, GaussianBatch& batch, float* sums) {
  if (!atoms.empty()) HWY_DYNAMIC_DISPATCH(add_batch)(atoms, grid, batch, sums);
}

}  // namespace isolume
#endif
