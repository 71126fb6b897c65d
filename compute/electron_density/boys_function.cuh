// The Boys function on CUDA, from a copy of the table.
#pragma once

#include <cstddef>

#include "compute/electron_density/boys_function.h"

namespace isolume {

/// (-2p)^n F_n(t) for n <= order: Taylor series about the table's entries, or the asymptotic form.
template <int most>
__device__ __forceinline__ void scaled_boys(const double* table, double t, double exponent, int order,
                                            double (&to)[most + 1]) {
  if (t >= 30 + 2.5 * order) {
    const double inverse = 1 / t;
    double value = 0.5 * sqrt(3.14159265358979323846 * inverse);
#pragma unroll
    for (int n = 0; n <= most; ++n) {
      if (n <= order) to[n] = value;
      value *= -exponent * (2 * n + 1) * inverse;
    }
    return;
  }
  const int row = static_cast<int>(t * boys_steps + 0.5);
  const double d = static_cast<double>(row) / boys_steps - t;
  const double* f = table + static_cast<std::size_t>(row) * boys_width + order;
  // The highest by its series, the lower ones by the downward recursion, which is stable.
  const double f6 = f[6], f5 = f[5], f4 = f[4], f3 = f[3], f2 = f[2], f1 = f[1], f0 = f[0];
  double value = fma(d, fma(d / 2, fma(d / 3, fma(d / 4, fma(d / 5, fma(d / 6, f6, f5), f4), f3), f2), f1), f0);
  const double e = order > 0 ? exp(-t) : 0.0;
#pragma unroll
  for (int n = most; n >= 0; --n) {
    if (n > order) continue;
    to[n] = value;
    if (n > 0) value = fma(2 * t, value, e) * (1.0 / (2 * n - 1));
  }
  double power = 1;
#pragma unroll
  for (int n = 1; n <= most; ++n) {
    power *= -2 * exponent;
    if (n <= order) to[n] *= power;
  }
}

}  // namespace isolume
