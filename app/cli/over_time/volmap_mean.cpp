// The mean of a volume map over frames, in one go.
#include "app/cli/over_time/volmap_mean.h"

#include <algorithm>
#include <cmath>

#include "compute/over_time/frame_pipeline.h"
#include "compute/over_time/residence.h"

namespace isolume::cli {

MeanResidence mean_residence(const VolmapFrames& frames, std::span<const std::size_t> which, Job& job) {
  ResidenceCounter counter(frames.grid().size());
  struct Item {
    std::vector<std::int32_t> occupants;
    double time = 0;
  };
  double first = 0, last = 0;
  const auto make = [&](std::size_t i) {
    Item item;
    item.occupants = frames.occupants(which[i], item.time);
    return item;
  };
  const auto take = [&](std::size_t i, const Item& item) {
    if (i == 0) first = item.time;
    last = item.time;
    counter.add(item.occupants);
    job.progress(static_cast<double>(i + 1) / static_cast<double>(which.size()), "residence");
  };
  in_order(which.size(), frames.ahead(), job, make, take);
  const bool times = which.size() > 1 && last > first;
  MeanResidence result;
  result.frame_step = times ? (last - first) / static_cast<double>(which.size() - 1) : 1;
  result.unit = times ? "ps" : "frames";
  result.means.resize(frames.grid().size());
  result.errors.resize(result.means.size());
  counter.fill(result.means, result.errors);
  for (std::vector<float>* values : {&result.means, &result.errors})
    for (float& value : *values) value = static_cast<float>(static_cast<double>(value) * result.frame_step);
  result.stays = counter.stays();
  result.occupied = counter.occupied();
  return result;
}

RunningStatistics map_statistics(const VolmapFrames& frames, std::span<const std::size_t> which, Job& job) {
  RunningStatistics statistics(frames.grid().size());
  const auto make = [&](std::size_t i) { return frames.map_of(which[i], job); };
  const auto take = [&](std::size_t i, const VolmapFrame& frame) {
    statistics.add(std::span<const float>(frame.values), job);
    job.progress(static_cast<double>(i + 1) / static_cast<double>(which.size()), "volume map");
  };
  in_order(which.size(), frames.ahead(), job, make, take);
  return statistics;
}

double usual_level(const std::string& kind, std::span<const float> means) {
  if (kind == "distance") return 3.0;
  if (kind == "occupancy") return 0.5;
  double sum = 0, most = 0;
  for (const float value : means) {
    sum += static_cast<double>(value);
    most = std::max(most, std::abs(static_cast<double>(value)));
  }
  const double mean = sum / static_cast<double>(std::max<std::size_t>(1, means.size()));
  if (kind == "density" || kind == "mass") return std::clamp(3 * mean, 0.15 * most, 0.5 * most);
  return 0.25 * most;
}

}  // namespace isolume::cli
