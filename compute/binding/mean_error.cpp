// The mean of a correlated series and its standard error.
#include "compute/binding/mean_error.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {

SeriesError mean_error(std::span<const double> values) {
  if (values.empty()) throw Error("the mean of no values", Error::Kind::usage);
  SeriesError result;
  const std::size_t count = values.size();
  const auto n = static_cast<double>(count);
  result.values = count;
  for (const double value : values) result.mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  if (count < 2 || squares == 0) return result;
  result.deviation = std::sqrt(squares / (n - 1));
  const double variance = squares / n;
  for (std::size_t t = 1; t + 1 < count; ++t) {
    double sum = 0;
    for (std::size_t i = 0; i + t < count; ++i) sum += (values[i] - result.mean) * (values[i + t] - result.mean);
    const double correlation = sum / (static_cast<double>(count - t) * variance);
    if (correlation <= 0) break;
    result.inefficiency += 2 * (1 - static_cast<double>(t) / n) * correlation;
  }
  result.inefficiency = std::clamp(result.inefficiency, 1.0, n);
  result.error = result.deviation * std::sqrt(result.inefficiency / n);
  return result;
}

}  // namespace isolume
