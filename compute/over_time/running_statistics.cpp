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

DeviceArray<double> copied(const DeviceArray<double>& from) {
  if (from.empty()) return {};
  DeviceArray<double> result(from.size(), from.device(), "statistics");
  copy_memory(result.data(), from.device(), from.data(), from.device(), from.size() * sizeof(double));
  return result;
}

/// The number of the first block of 2^level frames from a position on.
std::uint64_t first_block(std::uint64_t position, std::size_t level) {
  const std::uint64_t whole = position >> level;
  return whole + ((whole << level) < position ? 1 : 0);
}

bool is_odd(std::uint64_t block) {
  return block % 2 == 1;
}

/// Adds blocks to a mean and its squares, of which there are `own` so far. `squares` is null for one block.
void add_blocks(std::uint64_t own, std::span<double> mean, std::span<double> own_squares, std::uint64_t its,
                const double* its_mean, const double* its_squares) {
  const double all = static_cast<double>(own + its), part = static_cast<double>(its) / all;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const double apart = its_mean[i] - mean[i];
    mean[i] += apart * part;
    own_squares[i] += (its_squares ? its_squares[i] : 0.0) + apart * apart * static_cast<double>(own) * part;
  }
}

}  // namespace

RunningStatistics::RunningStatistics(std::size_t points, const std::vector<Level>& levels, Range range, Device device)
    : points_(points), device_(device), range_(range) {
  if (levels.size() > most_lengths) throw Error("saved statistics: too many levels", Error::Kind::input);
  if (range.next < range.first) throw Error("saved statistics: they end before they begin", Error::Kind::input);
  for (const Level& saved : levels) {
    const auto fits = [&](const std::vector<double>& values, bool there) {
      return values.size() == (there ? points : 0);
    };
    if (!fits(saved.mean, true) || !fits(saved.squares, true) || !fits(saved.waiting, saved.waits) ||
        !fits(saved.leading, saved.leads))
      throw Error("saved statistics: their levels have different numbers of points", Error::Kind::input);
    const auto there = [&](const std::vector<double>& values) {
      return DeviceArray<double>::from_host(values, device, "statistics");
    };
    Kept& kept = level(levels_.size());
    kept.blocks = saved.blocks;
    kept.mean = there(saved.mean);
    kept.squares = there(saved.squares);
    if ((kept.waits = saved.waits)) kept.waiting = there(saved.waiting);
    if ((kept.leads = saved.leads)) kept.leading = there(saved.leading);
  }
}

RunningStatistics::RunningStatistics(const RunningStatistics& other)
    : points_(other.points_), device_(other.device_), range_(other.range_) {
  for (const Kept& from : other.levels_) levels_.push_back(copy_of(from));
}

RunningStatistics::Kept RunningStatistics::copy_of(const Kept& level) {
  return {level.blocks,          level.waits,           level.leads,          copied(level.mean),
          copied(level.squares), copied(level.waiting), copied(level.leading)};
}

/// A level, which is made where it is the next one.
RunningStatistics::Kept& RunningStatistics::level(std::size_t number) {
  if (number == levels_.size()) {
    const auto array = [&] { return DeviceArray<double>(points_, device_, "statistics over frames"); };
    levels_.push_back({0, false, false, array(), array(), array(), {}});
  }
  return levels_[number];
}

RunningStatistics& RunningStatistics::operator=(const RunningStatistics& other) {
  return *this = RunningStatistics(other);
}

std::size_t RunningStatistics::memory(std::size_t points, std::uint64_t frames, std::uint64_t first) {
  const std::uint64_t next = first + std::max<std::uint64_t>(1, frames);
  std::size_t arrays = 0;
  for (std::size_t l = 0; l < most_lengths; ++l) {
    const std::uint64_t block = first_block(first, l);
    if (block >= next >> l) break;
    arrays += is_odd(block) ? 4 : 3;
  }
  return points * arrays * sizeof(double);
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
  Kept& last = level(depth);
  // The block that is completed last is the first half of a longer one, and waits, or the second half of one whose
  // first half was before these frames.
  const std::uint64_t block = range_.next >> depth;
  const bool leads = is_odd(block) && block == first_block(range_.first, depth);
  if (leads && last.leading.size() != points_)
    last.leading = DeviceArray<double>(points_, device_, "statistics over frames");
  std::vector<BlockSums> sums;
  for (std::size_t l = 0; l <= depth; ++l) {
    Kept& kept = levels_[l];
    double* const end = leads && l == depth ? kept.leading.data() : kept.waiting.data();
    sums.push_back({kept.blocks, kept.mean.data(), kept.squares.data(), end});
  }
  if (device_.is_cuda()) {
    add_frame_cuda(values, factor, sums);
  } else {
    add_frame_cpu(values, factor, sums);
  }
  for (std::size_t l = 0; l <= depth; ++l) {
    ++levels_[l].blocks;
    levels_[l].waits = false;
  }
  last.leads = last.leads || leads;
  last.waits = !is_odd(block);
  ++range_.next;
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

void RunningStatistics::merge(const RunningStatistics& other, bool neighbours) {
  if (other.points_ != points_)
    throw Error(fmt::format("statistics of {} values cannot be merged with those of {}", points_, other.points_),
                Error::Kind::usage);
  if (device_.is_cuda() || other.device_.is_cuda())
    throw Error("statistics are merged in host memory", Error::Kind::usage);
  if (other.levels_.empty()) return;
  if (levels_.empty()) {
    *this = other;
  } else if (neighbours && other.range_.first == range_.next) {
    append(other);
  } else if (neighbours && other.range_.next == range_.first) {
    RunningStatistics before = other;
    before.append(*this);
    *this = std::move(before);
  } else {
    const bool after = other.range_.first >= range_.next, before = other.range_.next <= range_.first;
    const std::size_t own = levels_.size();
    add_sums(other);
    // The ends of the whole are those of its first and of its last part, if these are apart.
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      Kept& kept = levels_[l];
      const Kept* const its = l < other.levels_.size() ? &other.levels_[l] : nullptr;
      const bool is_own = l < own;
      if (!is_own || !its) {
        kept.leads = kept.leads && (is_own ? after : before);
        kept.waits = kept.waits && (is_own ? before : after);
        continue;
      }
      kept.leads = after ? kept.leads : before && its->leads;
      kept.waits = before ? kept.waits : after && its->waits;
      if (before && its->leads) kept.leading = copied(its->leading);
      if (after && its->waits) kept.waiting = copied(its->waiting);
    }
    range_ = {std::min(range_.first, other.range_.first), std::max(range_.next, other.range_.next)};
  }
}

/// The blocks of both, but for what is at their ends: of levels that are here it stays, of new ones it is the other's.
void RunningStatistics::add_sums(const RunningStatistics& other) {
  for (std::size_t l = 0; l < other.levels_.size(); ++l) {
    const Kept& from = other.levels_[l];
    if (l == levels_.size()) {
      levels_.push_back(copy_of(from));
      continue;
    }
    Kept& to = levels_[l];
    add_blocks(to.blocks, {to.mean.data(), points_}, {to.squares.data(), points_}, from.blocks, from.mean.data(),
               from.squares.data());
    to.blocks += from.blocks;
  }
}

/// The frames that follow: with their blocks, and those with the seam in them.
void RunningStatistics::append(const RunningStatistics& next) {
  const std::uint64_t seam = range_.next;
  const std::size_t own_levels = levels_.size();
  add_sums(next);
  std::vector<double> across(points_);  // the mean of the block that has the seam in it
  bool is_whole = false;                // all of whose frames are here
  for (std::size_t l = 0; l < levels_.size() || is_whole; ++l) {
    Kept& kept = level(l);
    const bool is_own = l < own_levels;
    const Kept* const its = l < next.levels_.size() ? &next.levels_[l] : nullptr;
    const bool own_waits = is_own && kept.waits, its_waits = its && its->waits;
    const bool own_leads = is_own && kept.leads, its_leads = its && its->leads;
    if (is_whole) {
      if (kept.blocks == 0) {
        std::copy(across.begin(), across.end(), kept.mean.data());
        std::fill_n(kept.squares.data(), points_, 0.0);
      } else {
        add_blocks(kept.blocks, {kept.mean.data(), points_}, {kept.squares.data(), points_}, 1, across.data(), nullptr);
      }
      ++kept.blocks;
    }
    // Both halves of a longer block, which end and begin at the seam or have it in them.
    const bool seam_is_odd = is_odd(seam >> l);
    const double* const left = own_waits ? kept.waiting.data() : is_whole && !seam_is_odd ? across.data() : nullptr;
    const double* const right = its_leads ? its->leading.data() : is_whole && seam_is_odd ? across.data() : nullptr;
    const bool is_pair = left && right;
    if (!is_pair && right && !own_leads) {
      kept.leading = DeviceArray<double>(points_, device_, "statistics");
      std::copy_n(right, points_, kept.leading.data());
    }
    kept.leads = own_leads || (!is_pair && right);
    if (is_pair)
      for (std::size_t i = 0; i < points_; ++i) across[i] = 0.5 * (left[i] + right[i]);
    if (its_waits)
      std::copy_n(its->waiting.data(), points_, kept.waiting.data());
    else if (!is_pair && left && left != kept.waiting.data())
      std::copy_n(left, points_, kept.waiting.data());
    kept.waits = its_waits || (!is_pair && left);
    is_whole = is_pair;
  }
  range_.next = next.range_.next;
}

std::vector<RunningStatistics::Level> RunningStatistics::levels() const {
  std::vector<Level> result;
  for (const Kept& kept : levels_) {
    Level& copy = result.emplace_back();
    copy.blocks = kept.blocks;
    copy.waits = kept.waits;
    copy.leads = kept.leads;
    copy.mean = kept.mean.copy_to_host();
    copy.squares = kept.squares.copy_to_host();
    if (kept.waits) copy.waiting = kept.waiting.copy_to_host();
    if (kept.leads) copy.leading = kept.leading.copy_to_host();
  }
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
    if (found.error.rough(result.frames)) ++result.rough;
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
