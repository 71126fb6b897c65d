// Products of the factors of atoms added to the bricks of a grid, by explicit SIMD: the sums of a brick stay in
// registers.
#include "compute/over_time/gaussian_bricks.h"

#include <algorithm>

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

using D = hn::CappedTag<float, brick_x>;  // of points
using V = hn::Vec<D>;
using DW = hn::CappedTag<float, widest>;  // of atoms, and of points of tables
using DI = hn::RebindToSigned<DW>;
using W = hn::Vec<DW>;

/// Layers whose sums fit into the registers together: 16 sums where there are 32 registers, else 8.
constexpr int layers = HWY_TARGET <= HWY_AVX3 ? brick_z : brick_z / 2;

/// `list` has `count` numbers of atoms; the brick begins at the points `at` along the axes.
HWY_ATTR void add_products(const GaussianBatch& atoms, const std::int32_t* list, std::size_t count,
                           const std::int32_t (&at)[3], const float* tables, float* brick) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int first = 0; first < brick_z; first += layers)
    for (int x = 0; x < brick_x; x += lanes) {
      V sums[layers][brick_y];
      float* const rows = brick + first * brick_y * brick_x + x;
      for (int k = 0; k < layers; ++k)
        for (int j = 0; j < brick_y; ++j) sums[k][j] = hn::LoadU(d, rows + (k * brick_y + j) * brick_x);
      for (std::size_t i = 0; i < count; ++i) {
        const std::int32_t atom = list[i];
        const auto along = hn::LoadU(d, tables + (atoms.table[0][atom] + at[0] + x));
        const float* const y = tables + (atoms.table[1][atom] + at[1]);
        const float* const z = tables + (atoms.table[2][atom] + at[2] + first);
        const auto y0 = hn::Set(d, y[0]), y1 = hn::Set(d, y[1]), y2 = hn::Set(d, y[2]), y3 = hn::Set(d, y[3]);
        for (int k = 0; k < layers; ++k) {
          const auto in_layer = hn::Mul(along, hn::Set(d, z[k]));
          sums[k][0] = hn::MulAdd(in_layer, y0, sums[k][0]);
          sums[k][1] = hn::MulAdd(in_layer, y1, sums[k][1]);
          sums[k][2] = hn::MulAdd(in_layer, y2, sums[k][2]);
          sums[k][3] = hn::MulAdd(in_layer, y3, sums[k][3]);
        }
      }
      for (int k = 0; k < layers; ++k)
        for (int j = 0; j < brick_y; ++j) hn::StoreU(sums[k][j], d, rows + (k * brick_y + j) * brick_x);
    }
}

/// The squared distance along an axis from places to a brick's points, over the squared reach.
HWY_ATTR HWY_INLINE W gap2(W place, W per_reach, float low, float high) {
  const DW d;
  const auto below = hn::MulSub(per_reach, hn::Set(d, low), place);
  const auto above = hn::NegMulAdd(per_reach, hn::Set(d, high), place);
  const auto gap = hn::Max(hn::Max(below, above), hn::Zero(d));
  return hn::Mul(gap, gap);
}

HWY_ATTR void add_batch(const GaussianBatch& atoms, const BrickGrid& grid, const float* tables, float* sums) {
  const DW d;
  const DI di;
  const std::size_t lanes = hn::Lanes(d);
  const auto numbers = hn::Iota(di, 0);
  // Those that reach a layer of bricks, those of them that reach a row, and of these those that reach a brick.
  struct Near {
    alignas(64) float x[GaussianBatch::room], y[GaussianBatch::room], per_reach[GaussianBatch::room];
    alignas(64) float rest[GaussianBatch::room];  // of the squared reach
    alignas(64) std::int32_t atom[GaussianBatch::room];
  };
  Near layer, row;
  alignas(64) std::int32_t list[GaussianBatch::room];
  const auto low = [&](int axis, int brick) {
    return grid.step[static_cast<std::size_t>(axis)] *
           static_cast<float>(brick * brick_counts[static_cast<std::size_t>(axis)]);
  };
  const auto high = [&](int axis, int brick) {
    return low(axis, brick) + grid.step[static_cast<std::size_t>(axis)] *
                                  static_cast<float>(brick_counts[static_cast<std::size_t>(axis)] - 1);
  };
  for (int z = atoms.first[2]; z <= atoms.last[2]; ++z) {
    std::size_t in_layer = 0;
    for (std::size_t i = 0; i < atoms.size; i += lanes) {
      const auto scale = hn::Load(d, atoms.per_reach + i);
      const auto rest =
          hn::Sub(hn::Set(d, atoms.most_squared), gap2(hn::Load(d, atoms.place[2] + i), scale, low(2, z), high(2, z)));
      const auto reaches = hn::Ge(rest, hn::Zero(d));
      hn::StoreU(packed(hn::Load(d, atoms.place[0] + i), reaches), d, layer.x + in_layer);
      hn::StoreU(packed(hn::Load(d, atoms.place[1] + i), reaches), d, layer.y + in_layer);
      hn::StoreU(packed(scale, reaches), d, layer.per_reach + in_layer);
      hn::StoreU(packed(rest, reaches), d, layer.rest + in_layer);
      hn::StoreU(packed(hn::Add(numbers, hn::Set(di, static_cast<std::int32_t>(i))), hn::RebindMask(di, reaches)), di,
                 layer.atom + in_layer);
      in_layer += hn::CountTrue(d, reaches);
    }
    if (in_layer == 0) continue;
    hn::StoreU(hn::Set(d, -1.0f), d, layer.rest + in_layer);  // of nobody
    for (int y = atoms.first[1]; y <= atoms.last[1]; ++y) {
      std::size_t in_row = 0;
      for (std::size_t i = 0; i < in_layer; i += lanes) {
        const auto scale = hn::Load(d, layer.per_reach + i);
        const auto rest =
            hn::Sub(hn::Load(d, layer.rest + i), gap2(hn::Load(d, layer.y + i), scale, low(1, y), high(1, y)));
        const auto reaches = hn::Ge(rest, hn::Zero(d));
        hn::StoreU(packed(hn::Load(d, layer.x + i), reaches), d, row.x + in_row);
        hn::StoreU(packed(scale, reaches), d, row.per_reach + in_row);
        hn::StoreU(packed(rest, reaches), d, row.rest + in_row);
        hn::StoreU(packed(hn::Load(di, layer.atom + i), hn::RebindMask(di, reaches)), di, row.atom + in_row);
        in_row += hn::CountTrue(d, reaches);
      }
      if (in_row == 0) continue;
      hn::StoreU(hn::Set(d, -1.0f), d, row.rest + in_row);
      for (int x = atoms.first[0]; x <= atoms.last[0]; ++x) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < in_row; i += lanes) {
          const auto away = gap2(hn::Load(d, row.x + i), hn::Load(d, row.per_reach + i), low(0, x), high(0, x));
          const auto reaches = hn::Le(away, hn::Load(d, row.rest + i));
          hn::StoreU(packed(hn::Load(di, row.atom + i), hn::RebindMask(di, reaches)), di, list + count);
          count += hn::CountTrue(d, reaches);
        }
        if (count == 0) continue;
        const std::int32_t at[3] = {x * brick_x, y * brick_y, z * brick_z};
        const auto brick =
            static_cast<std::size_t>(x) +
            static_cast<std::size_t>(grid.bricks[0]) *
                (static_cast<std::size_t>(y) + static_cast<std::size_t>(grid.bricks[1]) * static_cast<std::size_t>(z));
        add_products(atoms, list, count, at, tables, sums + brick * brick_size);
      }
    }
  }
}

/// 2^x of x from -100 to 0, to 2e-7 of itself.
HWY_ATTR HWY_INLINE W power_of_two(W x) {
  const DW d;
  const DI di;
  const auto whole = hn::NearestInt(x);
  const auto rest = hn::Sub(x, hn::ConvertTo(d, whole));
  // Of the polynomials of degree 5 that which is off by least from -1/2 to 1/2, 2e-7.
  auto sum = hn::Set(d, 0.0013276471f);
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.009675541f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.05550713f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.2402212f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 0.69314694f));
  sum = hn::MulAdd(sum, rest, hn::Set(d, 1.0000001f));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, sum), hn::ShiftLeft<23>(whole)));
}

HWY_ATTR void fill_tables(std::span<const FactorTable> which, float* tables) {
  const DW d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto numbers = hn::Iota(d, 0.0f);
  const auto least = hn::Set(d, -22.5f);  // so that products are no denormal numbers
  for (const FactorTable& table : which)
    for (int i = 0; i < table.count; i += lanes) {
      const auto at = hn::Add(numbers, hn::Set(d, static_cast<float>(i)));
      const auto away = hn::MulAdd(at, hn::Set(d, table.step), hn::Set(d, table.from));
      const auto power = hn::Mul(hn::Mul(away, away), hn::Set(d, table.scale));
      const auto value = hn::Mul(power_of_two(hn::Max(power, least)), hn::Set(d, table.factor));
      hn::StoreU(hn::IfThenElseZero(hn::Gt(power, least), value), d, tables + table.at + i);
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {
namespace {
HWY_EXPORT(add_batch);
HWY_EXPORT(fill_tables);
}  // namespace

void fill_factors(std::span<const FactorTable> which, float* tables) {
  HWY_DYNAMIC_DISPATCH(fill_tables)(which, tables);
}

void add_to_bricks(const GaussianBatch& atoms, const BrickGrid& grid, const float* tables, float* sums) {
  HWY_DYNAMIC_DISPATCH(add_batch)(atoms, grid, tables, sums);
}

}  // namespace isolume
#endif
