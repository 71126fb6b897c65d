// A field's values less those of another one: checks, and the body of the CPU.
#include "compute/over_time/difference.h"

#include <algorithm>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {

void take_off(Span<float> values, Span<const float> others, double factor, Job& job) {
  if (others.size != values.size || others.device != values.device)
    throw Error("a difference of fields with other points, or on other devices", Error::Kind::usage);
  if (values.empty()) return;
  if (values.device.is_cuda()) return take_off_cuda(values, others, factor);
  constexpr std::size_t tile = std::size_t{1} << 15;
  parallel_for((values.size + tile - 1) / tile, job, "difference of fields", [&](std::size_t t) {
    const std::size_t end = std::min(values.size, (t + 1) * tile);
    for (std::size_t i = t * tile; i < end; ++i)
      values.data[i] =
          static_cast<float>(static_cast<double>(values.data[i]) - factor * static_cast<double>(others.data[i]));
  });
}

std::vector<float> errors_of_difference(std::span<const float> first, std::span<const float> second) {
  if (!first.empty() && !second.empty() && first.size() != second.size())
    throw Error("the standard errors of two fields with other points", Error::Kind::usage);
  std::vector<float> errors(std::max(first.size(), second.size()));
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double a = first.empty() ? 0.0 : static_cast<double>(first[i]);
    const double b = second.empty() ? 0.0 : static_cast<double>(second[i]);
    errors[i] = a >= 0 && b >= 0 ? static_cast<float>(std::hypot(a, b)) : -1.0f;
  }
  return errors;
}

double finite_rms(std::span<const float> values) {
  double sum = 0;
  std::size_t count = 0;
  for (const float value : values) {
    if (!std::isfinite(value)) continue;
    sum += static_cast<double>(value) * static_cast<double>(value);
    ++count;
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0.0;
}

}  // namespace isolume
