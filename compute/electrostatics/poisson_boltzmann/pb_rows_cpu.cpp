// Rows of the Poisson-Boltzmann grid on the CPU: plain loops, compiled for each of the processor's levels.
#include "compute/electrostatics/poisson_boltzmann/pb_rows_cpu.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/electrostatics/poisson_boltzmann/pb_rows_cpu.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace isolume {
namespace HWY_NAMESPACE {

// Nodes of the other colour are written as they are, so vectors may be as wide as they like.
void smooth_row(const PbRowView& v, int first, const float* HWY_RESTRICT source, const float* HWY_RESTRICT inverse,
                float* u) {
  const float* HWY_RESTRICT cx = v.cx;
  const float* HWY_RESTRICT cy = v.cy;
  const float* HWY_RESTRICT cz = v.cz;
  const std::ptrdiff_t y = v.y, z = v.z;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (int i = 1; i < v.nx - 1; ++i) {
    const float sum = source[i] + cx[i] * u[i + 1] + cx[i - 1] * u[i - 1] + cy[i] * u[i + y] + cy[i - y] * u[i - y] +
                      cz[i] * u[i + z] + cz[i - z] * u[i - z];
    u[i] = ((i ^ first) & 1) == 0 ? sum * inverse[i] : u[i];
  }
}

void first_row(const PbRowView& v, int first, const float* HWY_RESTRICT source, const float* HWY_RESTRICT inverse,
               float* HWY_RESTRICT u) {
  for (int i = 1; i < v.nx - 1; ++i) u[i] = ((i ^ first) & 1) == 0 ? source[i] * inverse[i] : 0.0f;
}

template <bool has_source>
void residual_row(const PbRowView& v, const float* HWY_RESTRICT source, const float* HWY_RESTRICT u,
                  float* HWY_RESTRICT out) {
  const float* HWY_RESTRICT cx = v.cx;
  const float* HWY_RESTRICT cy = v.cy;
  const float* HWY_RESTRICT cz = v.cz;
  const std::ptrdiff_t y = v.y, z = v.z;
  for (int i = 1; i < v.nx - 1; ++i) {
    const float here = u[i];
    float sum = has_source ? source[i] : 0.0f;
    sum += cx[i] * (u[i + 1] - here) + cx[i - 1] * (u[i - 1] - here) + cy[i] * (u[i + y] - here) +
           cy[i - y] * (u[i - y] - here) + cz[i] * (u[i + z] - here) + cz[i - z] * (u[i - z] - here);
    out[i] = sum - v.kappa[i] * here;
  }
}

void residual_row_double(const PbRowView& v, bool ions, const float* HWY_RESTRICT source, const double* HWY_RESTRICT u,
                         float* HWY_RESTRICT out) {
  const float* HWY_RESTRICT cx = v.cx;
  const float* HWY_RESTRICT cy = v.cy;
  const float* HWY_RESTRICT cz = v.cz;
  const std::ptrdiff_t y = v.y, z = v.z;
  const double with = ions ? 1 : 0;
  const auto wide = [](float value) { return static_cast<double>(value); };
  for (int i = 1; i < v.nx - 1; ++i) {
    const double here = u[i];
    const double sum = wide(source[i]) + wide(cx[i]) * (u[i + 1] - here) + wide(cx[i - 1]) * (u[i - 1] - here) +
                       wide(cy[i]) * (u[i + y] - here) + wide(cy[i - y]) * (u[i - y] - here) +
                       wide(cz[i]) * (u[i + z] - here) + wide(cz[i - z]) * (u[i - z] - here);
    out[i] = static_cast<float>(sum - with * wide(v.kappa[i]) * here);
  }
}

void residual_row_float(const PbRowView& v, const float* source, const float* u, float* out) {
  source ? residual_row<true>(v, source, u, out) : residual_row<false>(v, u, u, out);
}

void inverse_row(const PbRowView& v, float* HWY_RESTRICT inverse) {
  const std::ptrdiff_t y = v.y, z = v.z;
  for (int i = 1; i < v.nx - 1; ++i)
    inverse[i] = 1.0f / (v.cx[i] + v.cx[i - 1] + v.cy[i] + v.cy[i - y] + v.cz[i] + v.cz[i - z] + v.kappa[i]);
}

double dot(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, std::size_t count) {
  constexpr std::size_t lanes = 16;
  double sums[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sums[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
  double total = 0;
  for (; i < count; ++i) total += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (const double sum : sums) total += sum;
  return total;
}

void add(float* HWY_RESTRICT a, float scale, const float* HWY_RESTRICT b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) a[i] += scale * b[i];
}

void turn(float* HWY_RESTRICT a, float scale, const float* HWY_RESTRICT b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + scale * a[i];
}

void add_series(float* HWY_RESTRICT sums, float weight, const float* one, const float* two, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += weight * 2 * one[i] * two[i] / (one[i] + two[i]);
}

void mean_row(const float* const* rows, float* HWY_RESTRICT sums, std::size_t count) {
  const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3], *e = rows[4], *f = rows[5], *g = rows[6],
              *h = rows[7], *i = rows[8];
  for (std::size_t m = 0; m < count; ++m)
    sums[m] = (a[m] + c[m] + g[m] + i[m] + 2 * (b[m] + d[m] + f[m] + h[m]) + 4 * e[m]) * 0.0625f;
}

}  // namespace HWY_NAMESPACE
}  // namespace isolume
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace isolume {

HWY_EXPORT(smooth_row);
HWY_EXPORT(first_row);
HWY_EXPORT(residual_row_float);
HWY_EXPORT(residual_row_double);
HWY_EXPORT(inverse_row);
HWY_EXPORT(dot);
HWY_EXPORT(add);
HWY_EXPORT(turn);
HWY_EXPORT(add_series);
HWY_EXPORT(mean_row);

void pb_smooth_row(const PbRowView& row, int first, const float* source, const float* inverse, float* u) {
  HWY_DYNAMIC_DISPATCH(smooth_row)(row, first, source, inverse, u);
}
void pb_first_row(const PbRowView& row, int first, const float* source, const float* inverse, float* u) {
  HWY_DYNAMIC_DISPATCH(first_row)(row, first, source, inverse, u);
}
void pb_residual_row(const PbRowView& row, const float* source, const float* u, float* out) {
  HWY_DYNAMIC_DISPATCH(residual_row_float)(row, source, u, out);
}
void pb_residual_row(const PbRowView& row, bool ions, const float* source, const double* u, float* out) {
  HWY_DYNAMIC_DISPATCH(residual_row_double)(row, ions, source, u, out);
}
void pb_inverse_row(const PbRowView& row, float* inverse) {
  HWY_DYNAMIC_DISPATCH(inverse_row)(row, inverse);
}
double pb_dot(const float* a, const float* b, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(dot)(a, b, count);
}
void pb_add(float* a, float scale, const float* b, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add)(a, scale, b, count);
}
void pb_turn(float* a, float scale, const float* b, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(turn)(a, scale, b, count);
}
void pb_add_series(float* sums, float weight, const float* one, const float* two, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(add_series)(sums, weight, one, two, count);
}
void pb_mean_row(const float* const* rows, float* sums, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(mean_row)(rows, sums, count);
}

}  // namespace isolume
#endif  // HWY_ONCE
