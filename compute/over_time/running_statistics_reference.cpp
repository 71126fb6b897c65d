// Running statistics from all frames at once, by the formulas in double precision.
#include "compute/over_time/running_statistics.h"

namespace isolume {

std::vector<RunningStatistics::Level> statistics_reference(std::span<const std::vector<double>> frames,
                                                           std::uint64_t first) {
  std::vector<RunningStatistics::Level> levels;
  const std::size_t points = frames.empty() ? 0 : frames.front().size();
  const std::uint64_t next = first + frames.size();
  for (std::uint64_t length = 1;; length *= 2) {
    const std::uint64_t begin = (first + length - 1) / length, end = next / length;
    if (begin >= end) return levels;
    RunningStatistics::Level level;
    level.blocks = end - begin;
    level.leads = begin % 2 == 1;
    level.waits = end % 2 == 1;
    for (std::size_t i = 0; i < points; ++i) {
      std::vector<double> means;
      for (std::uint64_t b = begin; b < end; ++b) {
        double sum = 0;
        for (std::uint64_t t = b * length; t < (b + 1) * length; ++t) sum += frames[t - first][i];
        means.push_back(sum / static_cast<double>(length));
      }
      double mean = 0, squares = 0;
      for (const double value : means) mean += value / static_cast<double>(means.size());
      for (const double value : means) squares += (value - mean) * (value - mean);
      level.mean.push_back(mean);
      level.squares.push_back(squares);
      if (level.leads) level.leading.push_back(means.front());
      if (level.waits) level.waiting.push_back(means.back());
    }
    levels.push_back(std::move(level));
  }
}

}  // namespace isolume
