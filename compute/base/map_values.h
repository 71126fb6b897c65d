// What is done to all values of a map on the host, on all threads.
#pragma once

#include <span>
#include <utility>

namespace isolume {

/// The smallest and the largest value; those that are not a number do not count. Both NaN where there is none.
std::pair<float, float> value_range(std::span<const float> values);

/// Multiplies all values, each in double precision. A factor of 1 costs nothing.
void scale_values(std::span<float> values, double factor);

}  // namespace isolume
