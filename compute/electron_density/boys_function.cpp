// The Boys function, by a table.
#include "compute/electron_density/boys_function.h"

#include <cmath>
#include <vector>

#include "molecule/base/units.h"

namespace isolume {
namespace {

constexpr int steps = boys_steps;
constexpr int width = boys_width;  // six terms of the series after the first
constexpr int rows = static_cast<int>((30 + 2.5 * most_boys_order + 1) * steps) + 1;

std::vector<double> make_table() {
  std::vector<double> table(static_cast<std::size_t>(rows) * width);
  for (int r = 0; r < rows; ++r) {
    const double t = static_cast<double>(r) / steps;
    double* row = table.data() + static_cast<std::size_t>(r) * width;
    // Downwards, which is stable.
    row[width - 1] = boys_series(t, width - 1);
    const double e = std::exp(-t);
    for (int n = width - 2; n >= 0; --n) row[n] = (2 * t * row[n + 1] + e) / (2 * n + 1);
  }
  return table;
}

}  // namespace

double boys_series(double t, int n) {
  double term = 1.0 / (2 * n + 1), sum = term;
  for (int i = 1; i < 2000; ++i) {
    term *= 2 * t / (2 * n + 2 * i + 1);
    sum += term;
    if (term < 1e-17 * sum) break;
  }
  return std::exp(-t) * sum;
}

std::span<const double> boys_table() {
  static const std::vector<double> table = make_table();
  return table;
}

void boys_function(double t, int order, std::span<double> values) {
  if (t >= boys_asymptotic(order)) {
    double value = 0.5 * std::sqrt(units::pi / t);
    for (int n = 0; n <= order; ++n) {
      values[static_cast<std::size_t>(n)] = value;
      value *= (2 * n + 1) / (2 * t);
    }
    return;
  }
  static const std::span<const double> table = boys_table();
  const int row = static_cast<int>(t * steps + 0.5);
  const double d = static_cast<double>(row) / steps - t;
  const double* f = table.data() + static_cast<std::size_t>(row) * width;
  for (int n = 0; n <= order; ++n, ++f) {
    values[static_cast<std::size_t>(n)] =
        f[0] + d * (f[1] + d / 2 * (f[2] + d / 3 * (f[3] + d / 4 * (f[4] + d / 5 * (f[5] + d / 6 * f[6])))));
  }
}

}  // namespace isolume
