// Values faded by their standard errors.
#include "compute/over_time/significance.h"

#include <algorithm>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {

std::size_t fade_insignificant(std::span<const float> values, std::span<const float> errors, std::span<float> faded) {
  if (errors.size() != values.size() || faded.size() != values.size())
    throw Error("values, their errors and what is faded differ in number", Error::Kind::usage);
  constexpr double range = significant_errors - insignificant_errors;
  std::size_t within = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = static_cast<double>(values[i]), error = static_cast<double>(errors[i]);
    const double size = std::abs(value);
    double weight = 0;
    if (error >= 0 && size > insignificant_errors * error)
      weight = error > 0 ? std::min(1.0, (size / error - insignificant_errors) / range) : 1.0;
    if (!(weight > 0)) ++within;
    faded[i] = static_cast<float>(weight > 0 ? weight * value : 0.0);
  }
  return within;
}

}  // namespace isolume
