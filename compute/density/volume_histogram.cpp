// How many values of a map are in each of equal steps between its lowest and highest.
#include "compute/density/volume_histogram.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {

double VolumeHistogram::middle(std::size_t step) const {
  const double low = static_cast<double>(statistics.lowest), high = static_cast<double>(statistics.highest);
  return low + (high - low) * (static_cast<double>(step) + 0.5) /
                   static_cast<double>(std::max<std::size_t>(1, counts.size()));
}

VolumeHistogram histogram_of(std::span<const float> values, std::size_t steps, Job& job) {
  if (steps == 0) throw Error("a histogram of no steps", Error::Kind::usage);
  VolumeHistogram result;
  result.statistics = statistics_of(values, job);
  result.counts.assign(steps, 0);
  const double low = static_cast<double>(result.statistics.lowest);
  const double width = static_cast<double>(result.statistics.highest) - low;
  const double factor = width > 0 ? static_cast<double>(steps) / width : 0;
  constexpr std::size_t block = std::size_t{1} << 18;
  std::mutex mutex;
  parallel_for((values.size() + block - 1) / block, job, "histogram of the map", [&](std::size_t b) {
    std::vector<std::uint64_t> own(steps, 0);
    for (std::size_t i = b * block; i < std::min(values.size(), (b + 1) * block); ++i) {
      if (!std::isfinite(values[i])) continue;
      const auto step = static_cast<std::size_t>((static_cast<double>(values[i]) - low) * factor);
      ++own[std::min(step, steps - 1)];
    }
    const std::lock_guard lock(mutex);
    for (std::size_t k = 0; k < steps; ++k) result.counts[k] += own[k];
  });
  return result;
}

}  // namespace isolume
