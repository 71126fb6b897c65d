// Products of the factors of atoms added to a brick of a grid, by explicit SIMD: the sums stay in registers.
#include "compute/over_time/gaussian_bricks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/over_time/gaussian_bricks_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, brick_x>;
using V = hn::Vec<D>;

/// Layers whose sums fit into the registers together: 16 sums where there are 32 registers, else 8.
constexpr int layers = HWY_TARGET <= HWY_AVX3 ? brick_z : brick_z / 2;

HWY_ATTR void add_products(std::span<const BrickFactors> atoms, const float* tables, float* brick) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int first = 0; first < brick_z; first += layers)
    for (int x = 0; x < brick_x; x += lanes) {
      V sums[layers][brick_y];
      float* const rows = brick + first * brick_y * brick_x + x;
      for (int k = 0; k < layers; ++k)
        for (int j = 0; j < brick_y; ++j) sums[k][j] = hn::LoadU(d, rows + (k * brick_y + j) * brick_x);
      for (const BrickFactors& atom : atoms) {
        const auto along = hn::LoadU(d, tables + atom.x + x);
        const float* const y = tables + atom.y;
        const float* const z = tables + atom.z + first;
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

HWY_ATTR void fill_table(float from, float step, float scale, float factor, int count, float* table) {
  const D d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto least = hn::Set(d, -15.6f);  // so that products are no denormal numbers
  for (int i = 0; i < count; i += lanes) {
    const auto away = hn::MulAdd(hn::Iota(d, static_cast<float>(i)), hn::Set(d, step), hn::Set(d, from));
    const auto power = hn::Mul(hn::Mul(away, away), hn::Set(d, scale));
    const auto value = hn::Mul(hn::Exp(d, hn::Max(power, least)), hn::Set(d, factor));
    hn::StoreU(hn::IfThenElseZero(hn::Gt(power, least), value), d, table + i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {
namespace {
HWY_EXPORT(add_products);
HWY_EXPORT(fill_table);
}  // namespace

void fill_factors(float from, float step, float scale, float factor, int count, float* table) {
  HWY_DYNAMIC_DISPATCH(fill_table)(from, step, scale, factor, count, table);
}

void add_to_brick(std::span<const BrickFactors> atoms, const float* tables, float* brick) {
  HWY_DYNAMIC_DISPATCH(add_products)(atoms, tables, brick);
}

}  // namespace isolume
#endif
