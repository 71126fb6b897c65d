// Running statistics from all frames at once, by the formulas in double precision.
#include "compute/over_time/running_statistics.h"

namespace isolume {

std::vector<RunningStatistics::Level> statistics_reference(std::span<const std::vector<double>> frames) {
  std::vector<RunningStatistics::Level> levels;
  const std::size_t points = frames.empty() ? 0 : frames.front().size();
  for (std::size_t length = 1; length <= frames.size(); length *= 2) {
    RunningStatistics::Level level;
    const std::size_t blocks = frames.size() / length;
    level.blocks = blocks;
    level.waits = blocks % 2 == 1;
    for (std::size_t i = 0; i < points; ++i) {
      std::vector<double> means;
      for (std::size_t b = 0; b < blocks; ++b) {
        double sum = 0;
        for (std::size_t t = b * length; t < (b + 1) * length; ++t) sum += frames[t][i];
        means.push_back(sum / static_cast<double>(length));
      }
      double mean = 0, squares = 0;
      for (const double value : means) mean += value / static_cast<double>(blocks);
      for (const double value : means) squares += (value - mean) * (value - mean);
      level.mean.push_back(mean);
      level.squares.push_back(squares);
      level.waiting.push_back(means[blocks - 1 - (level.waits ? 0 : 1)]);
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace isolume
