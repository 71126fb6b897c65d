// Coulomb's sums on the CPU: explicit SIMD, compiled for each of the processor's levels.
#include "compute/electrostatics/coulomb_sum/coulomb_rows_cpu.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/coulomb_sum/coulomb_rows_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// 1 / sqrt(square) by Newton's steps from some 8 to 14 bits; 0 within 1e-4 of 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V inverse_root(D d, V square) {
  const auto least = hn::Set(d, 1e-8f);
  auto inverse = hn::ApproximateReciprocalSqrt(hn::Max(square, least));
  for (int step = 0; step < (HWY_ARCH_X86 ? 1 : 2); ++step)
    inverse =
        hn::Mul(inverse, hn::NegMulAdd(hn::Mul(hn::Set(d, 0.5f), square), hn::Mul(inverse, inverse), hn::Set(d, 1.5f)));
  return hn::IfThenElseZero(hn::Gt(square, least), inverse);
}

template <bool with_slopes>
void block_of(const float* x, const float* y, const float* z, const float* q, std::size_t charges, const float* points,
              float* sums, float* slopes) {
  const hn::CappedTag<float, 16> d;
  for (std::size_t first = 0; first < 16; first += hn::Lanes(d)) {
    const auto px = hn::LoadU(d, points + first), py = hn::LoadU(d, points + first + 16),
               pz = hn::LoadU(d, points + first + 32);
    auto v = hn::Zero(d), gx = v, gy = v, gz = v;
    for (std::size_t j = 0; j < charges; ++j) {
      const auto dx = hn::Sub(px, hn::Set(d, x[j])), dy = hn::Sub(py, hn::Set(d, y[j])),
                 dz = hn::Sub(pz, hn::Set(d, z[j]));
      const auto inverse = inverse_root(d, hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz))));
      const auto one = hn::Mul(hn::Set(d, q[j]), inverse);
      v = hn::Add(v, one);
      if (with_slopes) {
        const auto slope = hn::Mul(one, hn::Mul(inverse, inverse));
        gx = hn::NegMulAdd(slope, dx, gx);
        gy = hn::NegMulAdd(slope, dy, gy);
        gz = hn::NegMulAdd(slope, dz, gz);
      }
    }
    hn::StoreU(v, d, sums + first);
    if (!with_slopes) continue;
    hn::StoreU(gx, d, slopes + first);
    hn::StoreU(gy, d, slopes + first + 16);
    hn::StoreU(gz, d, slopes + first + 32);
  }
}

void block(const float* x, const float* y, const float* z, const float* q, std::size_t charges, const float* points,
           float* sums, float* slopes) {
  slopes ? block_of<true>(x, y, z, q, charges, points, sums, slopes)
         : block_of<false>(x, y, z, q, charges, points, sums, slopes);
}

/// Adds the charges within the cutoff of a point.
void near_of(const CoulombCells& c, const double* point, double* result) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  const std::size_t lanes = hn::Lanes(d);
  static_assert(hn::MaxLanes(d) <= CoulombCells::spare);
  const auto scale = hn::Set(d, static_cast<float>(1 / c.per_angstrom));
  const auto fixed = [&](double x) { return static_cast<std::int32_t>(std::lrint(x * c.per_angstrom)); };
  const auto px = hn::Set(di, fixed(point[0])), py = hn::Set(di, fixed(point[1])), pz = hn::Set(di, fixed(point[2]));
  const auto cutoff2 = hn::Set(d, c.cutoff2);
  const auto c0 = hn::Set(d, c.coefficient[0]), c1 = hn::Set(d, c.coefficient[1]), c2 = hn::Set(d, c.coefficient[2]),
             c3 = hn::Set(d, c.coefficient[3]), c4 = hn::Set(d, c.coefficient[4]);
  const auto d2 = hn::Set(d, 2 * c.coefficient[2]), d3 = hn::Set(d, 3 * c.coefficient[3]),
             d4 = hn::Set(d, 4 * c.coefficient[4]), two = hn::Set(d, 2.0f);
  auto v = hn::Zero(d), gx = v, gy = v, gz = v;
  const double reach2 = static_cast<double>(c.cutoff2), reach = std::sqrt(reach2);
  const auto cell = [&](int axis, double at) {
    return std::clamp(static_cast<int>(std::floor((at - c.lower[axis]) / c.side)), 0, c.counts[axis] - 1);
  };
  // From the point to the nearest of a cell along an axis.
  const auto apart = [&](int axis, int index) {
    const double from = c.lower[axis] + index * c.side;
    return std::max({from - point[axis], point[axis] - from - c.side, 0.0});
  };
  for (int k = cell(2, point[2] - reach), k_end = cell(2, point[2] + reach); k <= k_end; ++k) {
    const double dz = apart(2, k);
    for (int j = cell(1, point[1] - reach), j_end = cell(1, point[1] + reach); j <= j_end; ++j) {
      const double dy = apart(1, j), rest = reach2 - dy * dy - dz * dz;
      if (rest < 0) continue;
      const double half = std::sqrt(rest);
      const std::size_t row =
          (static_cast<std::size_t>(k) * static_cast<std::size_t>(c.counts.y) + static_cast<std::size_t>(j)) *
          static_cast<std::size_t>(c.counts.x);
      const std::size_t end = c.first[row + static_cast<std::size_t>(cell(0, point[0] + half)) + 1];
      for (std::size_t n = c.first[row + static_cast<std::size_t>(cell(0, point[0] - half))]; n < end; n += lanes) {
        const auto dx = hn::Mul(scale, hn::ConvertTo(d, hn::Sub(px, hn::LoadU(di, &c.x[n]))));
        const auto dy_ = hn::Mul(scale, hn::ConvertTo(d, hn::Sub(py, hn::LoadU(di, &c.y[n]))));
        const auto dz_ = hn::Mul(scale, hn::ConvertTo(d, hn::Sub(pz, hn::LoadU(di, &c.z[n]))));
        const auto s = hn::MulAdd(dx, dx, hn::MulAdd(dy_, dy_, hn::Mul(dz_, dz_)));
        const auto counts = hn::And(hn::Lt(s, cutoff2), hn::FirstN(d, end - n));
        const auto q = hn::IfThenElseZero(counts, hn::LoadU(d, &c.charge[n]));
        const auto inverse = inverse_root(d, s);
        const auto smooth = hn::MulAdd(hn::MulAdd(hn::MulAdd(hn::MulAdd(c4, s, c3), s, c2), s, c1), s, c0);
        v = hn::MulAdd(q, hn::Sub(inverse, smooth), v);
        const auto change = hn::MulAdd(hn::MulAdd(hn::MulAdd(d4, s, d3), s, d2), s, c1);
        const auto slope = hn::Mul(q, hn::MulAdd(two, change, hn::Mul(inverse, hn::Mul(inverse, inverse))));
        gx = hn::NegMulAdd(slope, dx, gx);
        gy = hn::NegMulAdd(slope, dy_, gy);
        gz = hn::NegMulAdd(slope, dz_, gz);
      }
    }
  }
  result[0] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, v)));
  result[1] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, gx)));
  result[2] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, gy)));
  result[3] += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, gz)));
}

/// Adds what the lattice interpolates.
void smooth_of(const CoulombNodes& nodes, const CoulombTaps& table, const double* point, double* result) {
  constexpr int taps = CoulombLatticePlan::taps;
  float w[3][taps], slope[3][taps];
  std::size_t first[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double u = (point[axis] - nodes.origin[axis]) * nodes.inverse_spacing;
    const double base = std::floor(u);
    const int low = std::clamp(static_cast<int>(base) - CoulombLatticePlan::below, 0, nodes.counts[axis] - taps);
    first[axis] = static_cast<std::size_t>(low);
    const float t = static_cast<float>(u - base);
    for (int m = 0; m < taps; ++m) {
      float value = 0, derivative = 0;
      for (int power = taps - 1; power >= 0; --power) {
        derivative = derivative * t + value;
        value = value * t + table.weight[m][power];
      }
      w[axis][m] = value;
      slope[axis][m] = derivative;
    }
  }
  const auto nx = static_cast<std::size_t>(nodes.padded.x), ny = static_cast<std::size_t>(nodes.padded.y);
  float whole[taps] = {}, along_y[taps] = {}, along_z[taps] = {};
  for (std::size_t c = 0; c < taps; ++c) {
    for (std::size_t b = 0; b < taps; ++b) {
      const float* HWY_RESTRICT row = nodes.values + ((first[2] + c) * ny + first[1] + b) * nx + first[0];
      const float both = w[1][b] * w[2][c], y = slope[1][b] * w[2][c], z = w[1][b] * slope[2][c];
      for (std::size_t a = 0; a < taps; ++a) {
        whole[a] += both * row[a];
        along_y[a] += y * row[a];
        along_z[a] += z * row[a];
      }
    }
  }
  double sums[4] = {};
  for (std::size_t a = 0; a < taps; ++a) {
    sums[0] += static_cast<double>(w[0][a] * whole[a]);
    sums[1] += static_cast<double>(slope[0][a] * whole[a]);
    sums[2] += static_cast<double>(w[0][a] * along_y[a]);
    sums[3] += static_cast<double>(w[0][a] * along_z[a]);
  }
  const double unit = static_cast<double>(nodes.unit);
  result[0] += unit * sums[0];
  for (int axis = 0; axis < 3; ++axis) result[1 + axis] += unit * nodes.inverse_spacing * sums[1 + axis];
}

void at_point(const CoulombCells& cells, const CoulombNodes& nodes, const CoulombTaps& taps, const double* point,
              double* result) {
  for (int i = 0; i < 4; ++i) result[i] = 0;
  near_of(cells, point, result);
  smooth_of(nodes, taps, point, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(block);
HWY_EXPORT(at_point);

void coulomb_block(const float* x, const float* y, const float* z, const float* q, std::size_t charges,
                   const float* points, float* sums, float* slopes) {
  HWY_DYNAMIC_DISPATCH(block)(x, y, z, q, charges, points, sums, slopes);
}
void coulomb_at_point(const CoulombCells& cells, const CoulombNodes& nodes, const CoulombTaps& taps,
                      const double* point, double* result) {
  HWY_DYNAMIC_DISPATCH(at_point)(cells, nodes, taps, point, result);
}

}  // namespace isolume
#endif  // HWY_ONCE
