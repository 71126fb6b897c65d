// Mean and spread of the values of a map.
#include "compute/density/volume_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compute/base/parallel_for.h"

namespace isolume {
namespace {

constexpr std::size_t block = std::size_t{1} << 18;

/// Of one block: count, sum, sum of squares about the first value, ends.
struct Sums {
  double count = 0, sum = 0, squares = 0;
  float lowest = std::numeric_limits<float>::max(), highest = std::numeric_limits<float>::lowest();
};

}  // namespace

VolumeStatistics statistics_of(std::span<const float> values, Job& job) {
  const auto first = std::find_if(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
  if (first == values.end()) return {};
  const double about = static_cast<double>(*first);  // large means do not swallow small spreads
  std::vector<Sums> blocks((values.size() + block - 1) / block);
  parallel_for(blocks.size(), job, "statistics of the map", [&](std::size_t b) {
    Sums own;
    for (std::size_t i = b * block; i < std::min(values.size(), (b + 1) * block); ++i) {
      if (!std::isfinite(values[i])) continue;
      const double d = static_cast<double>(values[i]) - about;
      own.count += 1;
      own.sum += d;
      own.squares += d * d;
      own.lowest = std::min(own.lowest, values[i]);
      own.highest = std::max(own.highest, values[i]);
    }
    blocks[b] = own;
  });
  Sums all;
  for (const Sums& own : blocks) {
    all.count += own.count;
    all.sum += own.sum;
    all.squares += own.squares;
    all.lowest = std::min(all.lowest, own.lowest);
    all.highest = std::max(all.highest, own.highest);
  }
  const double mean = all.sum / all.count;
  return {about + mean, std::sqrt(std::max(0.0, all.squares / all.count - mean * mean)), all.lowest, all.highest};
}

double quantile_of(std::span<const float> values, double part) {
  constexpr std::size_t samples = 100'000;
  const std::size_t step = values.size() / samples | 1;  // odd: seldom in step with the rows
  std::vector<float> some;
  for (std::size_t i = 0; i < values.size(); i += step)
    if (std::isfinite(values[i])) some.push_back(values[i]);
  if (some.empty()) return 0;
  const auto at =
      some.begin() + static_cast<std::ptrdiff_t>(std::clamp(part, 0.0, 1.0) * static_cast<double>(some.size() - 1));
  std::nth_element(some.begin(), at, some.end());
  return static_cast<double>(*at);
}

}  // namespace isolume
