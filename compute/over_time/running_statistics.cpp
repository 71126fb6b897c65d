// Mean, variance and standard error of many values over frames, in one pass.
#include "compute/over_time/running_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "compute/base/parallel_for.h"
#include "compute/over_time/running_statistics_bodies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr std::size_t tile = 2048;                     // points of a thread
constexpr std::size_t at_once = std::size_t{1} << 20;  // points that are brought to the host

/// squares[level] of the points of a map, or of some of them.
struct LevelSquares {
  std::vector<std::uint64_t> blocks;
  std::vector<const double*> squares;

  PointStatistics at(std::size_t i, double mean) const {
    PointStatistics result;
    std::array<BlockVariance, most_lengths> known;
    for (std::size_t l = 0; l < blocks.size(); ++l)
      known[l] = {std::ldexp(1.0, static_cast<int>(l)), blocks[l],
                  blocks[l] > 1 ? squares[l][i] / static_cast<double>(blocks[l] - 1) : 0.0};
    result.mean = mean;
    result.variance = known[0].variance;
    result.error = mean_error(blocks[0], std::span(known.data(), blocks.size()));
    return result;
  }
};

std::vector<double> doubles_at(const DeviceArray<double>& values, std::span<const std::size_t> points) {
  if (values.device().is_cuda()) return points.empty() ? std::vector<double>() : doubles_at_cuda(values.span(), points);
  std::vector<double> result;
  result.reserve(points.size());
  for (const std::size_t point : points) result.push_back(values.data()[point]);
  return result;
}

DeviceArray<double> copy_of(const DeviceArray<double>& from) {
  DeviceArray<double> result(from.size(), from.device(), "statistics");
  copy_memory(result.data(), from.device(), from.data(), from.device(), from.size() * sizeof(double));
  return result;
}

}  // namespace

RunningStatistics::RunningStatistics(std::size_t points, const std::vector<Level>& levels, Device device)
    : points_(points), device_(device) {
  if (levels.size() > most_lengths) throw Error("saved statistics: too many levels", Error::Kind::input);
  for (const Level& level : levels) {
    if (level.mean.size() != points || level.squares.size() != points || level.waiting.size() != points)
      throw Error("saved statistics: their levels have different numbers of points", Error::Kind::input);
    const auto there = [&](const std::vector<double>& values) {
      return DeviceArray<double>::from_host(values, device, "statistics");
    };
    levels_.push_back({level.blocks, level.waits, there(level.mean), there(level.squares), there(level.waiting)});
  }
}

RunningStatistics::RunningStatistics(const RunningStatistics& other) : points_(other.points_), device_(other.device_) {
  for (const Kept& level : other.levels_)
    levels_.push_back({level.blocks, level.waits, copy_of(level.mean), copy_of(level.squares), copy_of(level.waiting)});
}

RunningStatistics& RunningStatistics::operator=(const RunningStatistics& other) {
  return *this = RunningStatistics(other);
}

std::size_t RunningStatistics::memory(std::size_t points, std::uint64_t frames) {
  return points * 3 * sizeof(double) * static_cast<std::size_t>(std::bit_width(std::max<std::uint64_t>(1, frames)));
}

template <typename Value>
void RunningStatistics::add_values(Span<const Value> values, double factor, Job& job) {
  if (values.size != points_)
    throw Error(fmt::format("statistics of {} values: a frame has {}", points_, values.size), Error::Kind::usage);
  if (!(values.device == device_))
    throw Error(fmt::format("statistics on {}: the values are on {}", to_string(device_), to_string(values.device)),
                Error::Kind::usage);
  job.check();
  std::size_t depth = 0;  // levels that the frame completes a block of, below the last
  while (depth < levels_.size() && levels_[depth].waits) ++depth;
  if (depth == levels_.size()) {
    const auto array = [&] { return DeviceArray<double>(points_, device_, "statistics over frames"); };
    levels_.push_back({0, false, array(), array(), array()});
  }
  std::vector<BlockSums> sums;
  for (std::size_t l = 0; l <= depth; ++l) {
    Kept& level = levels_[l];
    sums.push_back({level.blocks, level.mean.data(), level.squares.data(), level.waiting.data()});
  }
  if (device_.is_cuda()) {
    add_frame_cuda(values, factor, sums);
  } else {
    add_frame_cpu(values, factor, sums);
  }
  for (std::size_t l = 0; l <= depth; ++l) {
    ++levels_[l].blocks;
    levels_[l].waits = l == depth;
  }
}

void RunningStatistics::add(std::span<const float> values, Job& job) {
  if (!device_.is_cuda()) return add_values(Span<const float>{values.data(), values.size(), device_}, 1, job);
  const auto there = DeviceArray<float>::from_host(values, device_, "values of a frame");
  add_values(there.span(), 1, job);
}

void RunningStatistics::add(std::span<const double> values, Job& job) {
  if (!device_.is_cuda()) return add_values(Span<const double>{values.data(), values.size(), device_}, 1, job);
  const auto there = DeviceArray<double>::from_host(values, device_, "values of a frame");
  add_values(there.span(), 1, job);
}

void RunningStatistics::add(Span<const float> values, double factor, Job& job) {
  add_values(values, factor, job);
}

void RunningStatistics::merge(const RunningStatistics& other) {
  if (other.points_ != points_)
    throw Error(fmt::format("statistics of {} values cannot be merged with those of {}", points_, other.points_),
                Error::Kind::usage);
  if (device_.is_cuda() || other.device_.is_cuda())
    throw Error("statistics are merged in host memory", Error::Kind::usage);
  for (std::size_t l = 0; l < other.levels_.size(); ++l) {
    const Kept& from = other.levels_[l];
    if (l == levels_.size()) {
      levels_.push_back({from.blocks, from.waits, copy_of(from.mean), copy_of(from.squares), copy_of(from.waiting)});
      continue;
    }
    Kept& to = levels_[l];
    const auto own = static_cast<double>(to.blocks), its = static_cast<double>(from.blocks), all = own + its;
    if (all == 0) continue;
    for (std::size_t i = 0; i < points_; ++i) {
      const double apart = from.mean.data()[i] - to.mean.data()[i];
      to.mean.data()[i] += apart * its / all;
      to.squares.data()[i] += from.squares.data()[i] + apart * apart * own * its / all;
    }
    to.blocks += from.blocks;
  }
  // Blocks do not reach from one part into the other.
  for (Kept& level : levels_) level.waits = false;
}

std::vector<RunningStatistics::Level> RunningStatistics::levels() const {
  std::vector<Level> result;
  for (const Kept& level : levels_)
    result.push_back({level.blocks, level.waits, level.mean.copy_to_host(), level.squares.copy_to_host(),
                      level.waiting.copy_to_host()});
  return result;
}

PointStatistics RunningStatistics::at(std::size_t point) const {
  if (levels_.empty()) return {};
  const std::size_t points[] = {point};
  LevelSquares known;
  std::array<double, most_lengths> squares;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    squares[l] = device_.is_cuda() ? doubles_at(levels_[l].squares, points).front() : levels_[l].squares.data()[point];
    known.blocks.push_back(levels_[l].blocks);
    known.squares.push_back(&squares[l]);
  }
  return known.at(0, doubles_at(levels_.front().mean, points).front());
}

void RunningStatistics::fill(std::span<float> means, std::span<float> errors, Job& job,
                             std::span<float> variances) const {
  if (levels_.empty()) {
    for (const std::span<float> values : {means, errors, variances}) std::fill(values.begin(), values.end(), 0.0f);
    std::fill(errors.begin(), errors.end(), std::numeric_limits<float>::quiet_NaN());
    return;
  }
  const std::size_t levels = errors.empty() ? 1 : levels_.size();
  std::vector<std::vector<double>> brought(device_.is_cuda() ? levels + 1 : 0);
  for (std::size_t first = 0; first < points_; first += at_once) {
    const std::size_t count = std::min(at_once, points_ - first);
    const auto here = [&](const DeviceArray<double>& values, std::size_t which) -> const double* {
      if (!device_.is_cuda()) return values.data() + first;
      brought[which].resize(count);
      copy_memory(brought[which].data(), Device::cpu(), values.data() + first, device_, count * sizeof(double));
      return brought[which].data();
    };
    LevelSquares known;
    for (std::size_t l = 0; l < levels; ++l) {
      known.blocks.push_back(levels_[l].blocks);
      known.squares.push_back(here(levels_[l].squares, l));
    }
    const double* const mean = here(levels_.front().mean, levels);
    parallel_for((count + tile - 1) / tile, job, "standard errors", [&](std::size_t t) {
      const std::size_t end = std::min(count, (t + 1) * tile);
      for (std::size_t i = t * tile; i < end; ++i) {
        if (!means.empty()) means[first + i] = static_cast<float>(mean[i]);
        if (!variances.empty())
          variances[first + i] =
              known.blocks[0] > 1 ? static_cast<float>(known.squares[0][i] / static_cast<double>(known.blocks[0] - 1))
                                  : 0.0f;
        if (!errors.empty()) errors[first + i] = static_cast<float>(known.at(i, mean[i]).error.standard_error);
      }
    });
  }
}

StatisticsSummary RunningStatistics::summary(std::size_t most) const {
  StatisticsSummary result;
  result.frames = frames();
  result.points = std::min(most, points_);
  std::vector<std::size_t> points;
  for (std::size_t i = 0; i < result.points; ++i) {
    // In doubles, since the product may not fit into 64 bits.
    const auto point = static_cast<std::size_t>(static_cast<double>(i) * static_cast<double>(points_) /
                                                static_cast<double>(result.points));
    points.push_back(std::min(point, points_ - 1));
  }
  std::vector<double> inefficiencies, mean;
  std::vector<std::vector<double>> squares;
  LevelSquares levels;
  for (const Kept& level : levels_) {
    levels.blocks.push_back(level.blocks);
    levels.squares.push_back(squares.emplace_back(doubles_at(level.squares, points)).data());
  }
  if (!levels_.empty()) mean = doubles_at(levels_.front().mean, points);
  double means = 0, errors = 0;
  for (std::size_t i = 0; i < result.points; ++i) {
    const PointStatistics found = levels_.empty() ? PointStatistics() : levels.at(i, mean[i]);
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
