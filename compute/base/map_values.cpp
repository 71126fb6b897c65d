// What is done to all values of a map on the host, on all threads.
#include "compute/base/map_values.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace isolume {
namespace {

using Blocks = oneapi::tbb::blocked_range<std::size_t>;
constexpr std::size_t block = std::size_t{1} << 16;

}  // namespace

std::pair<float, float> value_range(std::span<const float> values) {
  constexpr float infinity = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
  using Range = std::pair<float, float>;
  const Range range = oneapi::tbb::parallel_reduce(
      Blocks(0, values.size(), block), Range(infinity, -infinity),
      [&](const Blocks& part, Range found) {
        // Comparisons with a NaN are false.
        for (std::size_t i = part.begin(); i != part.end(); ++i) {
          found.first = values[i] < found.first ? values[i] : found.first;
          found.second = values[i] > found.second ? values[i] : found.second;
        }
        return found;
      },
      [](const Range& a, const Range& b) { return Range(std::min(a.first, b.first), std::max(a.second, b.second)); });
  if (range.first > range.second) return {none, none};
  return range;
}

void scale_values(std::span<float> values, double factor) {
  if (factor == 1) return;
  oneapi::tbb::parallel_for(Blocks(0, values.size(), block), [&](const Blocks& part) {
    for (std::size_t i = part.begin(); i != part.end(); ++i)
      values[i] = static_cast<float>(static_cast<double>(values[i]) * factor);
  });
}

}  // namespace isolume
