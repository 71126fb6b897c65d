// Mean, variance and standard error of many values over frames, in one pass.
#include "compute/over_time/running_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "compute/base/parallel_for.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t tile = 2048;  // points, whose carried means fit into the first cache

}  // namespace

RunningStatistics::RunningStatistics(std::size_t points, std::vector<Level> levels)
    : points_(points), levels_(std::move(levels)) {
  for (const Level& level : levels_)
    if (level.mean.size() != points || level.squares.size() != points || level.waiting.size() != points)
      throw Error("saved statistics: their levels have different numbers of points", Error::Kind::input);
}

std::size_t RunningStatistics::memory(std::size_t points, std::uint64_t frames) {
  return points * 3 * sizeof(double) * static_cast<std::size_t>(std::bit_width(std::max<std::uint64_t>(1, frames)));
}

template <typename Value>
void RunningStatistics::add_values(std::span<const Value> values, Job& job) {
  if (values.size() != points_)
    throw Error(fmt::format("statistics of {} values: a frame has {}", points_, values.size()), Error::Kind::usage);
  job.check();
  std::size_t depth = 0;  // levels that the frame completes a block of, below the last
  while (depth < levels_.size() && levels_[depth].waits) ++depth;
  if (depth == levels_.size()) {
    Level& level = levels_.emplace_back();
    level.mean.assign(points_, 0);
    level.squares.assign(points_, 0);
    level.waiting.assign(points_, 0);
  }
  // Never left half done: a cancelled job is seen before it and after.
  Job whole;
  parallel_for((points_ + tile - 1) / tile, whole, "statistics", [&](std::size_t t) {
    const std::size_t begin = t * tile, count = std::min(tile, points_ - begin);
    std::array<double, tile> carried;
    for (std::size_t i = 0; i < count; ++i) carried[i] = static_cast<double>(values[begin + i]);
    for (std::size_t l = 0; l <= depth; ++l) {
      Level& level = levels_[l];
      double* const mean = level.mean.data() + begin;
      double* const squares = level.squares.data() + begin;
      double* const waiting = level.waiting.data() + begin;
      const double part = 1.0 / static_cast<double>(level.blocks + 1);
      for (std::size_t i = 0; i < count; ++i) {
        const double from = carried[i] - mean[i];
        mean[i] += from * part;
        squares[i] += from * (carried[i] - mean[i]);
      }
      if (l < depth) {
        for (std::size_t i = 0; i < count; ++i) carried[i] = 0.5 * (waiting[i] + carried[i]);
      } else {
        std::copy_n(carried.data(), count, waiting);
      }
    }
  });
  for (std::size_t l = 0; l <= depth; ++l) {
    ++levels_[l].blocks;
    levels_[l].waits = l == depth;
  }
}

void RunningStatistics::add(std::span<const float> values, Job& job) {
  add_values(values, job);
}

void RunningStatistics::add(std::span<const double> values, Job& job) {
  add_values(values, job);
}

void RunningStatistics::merge(const RunningStatistics& other) {
  if (other.points_ != points_)
    throw Error(fmt::format("statistics of {} values cannot be merged with those of {}", points_, other.points_),
                Error::Kind::usage);
  for (std::size_t l = 0; l < other.levels_.size(); ++l) {
    const Level& from = other.levels_[l];
    if (l == levels_.size()) {
      levels_.push_back(from);
      continue;
    }
    Level& to = levels_[l];
    const auto own = static_cast<double>(to.blocks), its = static_cast<double>(from.blocks), all = own + its;
    if (all == 0) continue;
    for (std::size_t i = 0; i < points_; ++i) {
      const double apart = from.mean[i] - to.mean[i];
      to.mean[i] += apart * its / all;
      to.squares[i] += from.squares[i] + apart * apart * own * its / all;
    }
    to.blocks += from.blocks;
  }
  // Blocks do not reach from one part into the other.
  for (Level& level : levels_) level.waits = false;
}

PointStatistics RunningStatistics::at(std::size_t point) const {
  PointStatistics result;
  if (levels_.empty()) return result;
  std::array<BlockVariance, 64> known;
  const std::size_t count = std::min<std::size_t>(known.size(), levels_.size());
  for (std::size_t l = 0; l < count; ++l) {
    const Level& level = levels_[l];
    known[l] = {std::ldexp(1.0, static_cast<int>(l)), level.blocks,
                level.blocks > 1 ? level.squares[point] / static_cast<double>(level.blocks - 1) : 0.0};
  }
  result.mean = levels_.front().mean[point];
  result.variance = known[0].variance;
  result.error = mean_error(frames(), std::span(known.data(), count));
  return result;
}

void RunningStatistics::fill(std::span<float> means, std::span<float> errors, Job& job) const {
  parallel_for((points_ + tile - 1) / tile, job, "standard errors", [&](std::size_t t) {
    const std::size_t end = std::min(points_, (t + 1) * tile);
    for (std::size_t i = t * tile; i < end; ++i) {
      if (errors.empty()) {
        means[i] = levels_.empty() ? 0.0f : static_cast<float>(levels_.front().mean[i]);
        continue;
      }
      const PointStatistics found = at(i);
      if (!means.empty()) means[i] = static_cast<float>(found.mean);
      errors[i] = static_cast<float>(found.error.standard_error);
    }
  });
}

StatisticsSummary RunningStatistics::summary(std::size_t most) const {
  StatisticsSummary result;
  result.frames = frames();
  result.points = std::min(most, points_);
  std::vector<double> inefficiencies;
  double means = 0, errors = 0;
  for (std::size_t i = 0; i < result.points; ++i) {
    // In doubles, since the product may not fit into 64 bits.
    const auto point = static_cast<std::size_t>(static_cast<double>(i) * static_cast<double>(points_) /
                                                static_cast<double>(result.points));
    const PointStatistics found = at(std::min(point, points_ - 1));
    means += found.mean * found.mean;
    if (!found.error.known()) {
      ++result.without;
      continue;
    }
    if (found.variance == 0) continue;  // nothing has happened there, which says nothing of the others
    errors += found.error.standard_error * found.error.standard_error;
    inefficiencies.push_back(found.error.inefficiency);
  }
  const std::size_t known = inefficiencies.size();
  result.rms_mean = result.points > 0 ? std::sqrt(means / static_cast<double>(result.points)) : 0;
  const double none = std::numeric_limits<double>::quiet_NaN();
  result.rms_error = known > 0 ? std::sqrt(errors / static_cast<double>(known)) : none;
  std::sort(inefficiencies.begin(), inefficiencies.end());
  result.inefficiency = known > 0 ? inefficiencies[known / 2] : none;
  result.high_inefficiency = known > 0 ? inefficiencies[std::min(known - 1, known * 9 / 10)] : none;
  return result;
}

PointStatistics series_statistics(std::span<const double> values) {
  if (values.empty()) throw Error("the mean of no values", Error::Kind::usage);
  RunningStatistics statistics(1);
  Job job;
  for (const double& value : values) statistics.add(std::span(&value, 1), job);
  return statistics.at(0);
}

}  // namespace isolume
