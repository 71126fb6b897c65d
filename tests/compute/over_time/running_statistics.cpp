// Means over frames and their standard errors: closed forms, coverage, merging.
#include "compute/over_time/running_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "molecule/base/error.h"

namespace isolume {
namespace {

/// x' = phi x + sqrt(1 - phi^2) xi with phi = exp(-1/tau): mean 0, variance 1.
class Walk {
 public:
  Walk(double tau, std::uint64_t seed) : phi_(std::exp(-1 / tau)), engine_(seed), x_(normal()) {}
  double next() { return x_ = phi_ * x_ + std::sqrt(1 - phi_ * phi_) * normal(); }

  /// Of the mean of so many values: [1 + 2 sum (1 - k/N) phi^k] / N.
  static double exact_error(double tau, int frames) {
    const double phi = std::exp(-1 / tau);
    double sum = 1, power = 1;
    for (int k = 1; k < frames; ++k) {
      power *= phi;
      sum += 2 * (1 - static_cast<double>(k) / frames) * power;
    }
    return std::sqrt(sum / frames);
  }

 private:
  // Box and Muller's, so that the values do not depend on the library.
  double normal() {
    const double a = (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53;
    const double b = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return std::sqrt(-2 * std::log(a)) * std::cos(6.283185307179586 * b);
  }
  double phi_;
  std::mt19937_64 engine_;
  double x_;
};

RunningStatistics statistics_of(double tau, std::uint64_t seed, int frames, std::size_t points = 1) {
  RunningStatistics statistics(points);
  std::vector<Walk> walks;
  for (std::size_t i = 0; i < points; ++i) walks.emplace_back(tau, seed * 1000 + i);
  std::vector<double> values(points);
  Job job;
  for (int t = 0; t < frames; ++t) {
    for (std::size_t i = 0; i < points; ++i) values[i] = walks[i].next();
    statistics.add(std::span<const double>(values), job);
  }
  return statistics;
}

TEST(RunningStatistics, MeanAndVarianceOfWholeNumbers) {
  RunningStatistics statistics(2);
  Job job;
  for (int t = 1; t <= 1000; ++t) {
    const double values[] = {static_cast<double>(t), 1e9 + t};
    statistics.add(std::span<const double>(values), job);
  }
  EXPECT_EQ(statistics.frames(), 1000u);
  EXPECT_NEAR(statistics.at(0).mean, 500.5, 1e-10);
  EXPECT_NEAR(statistics.at(0).variance, 1000.0 * 1001 / 12, 1e-6);
  EXPECT_NEAR(statistics.at(1).variance, 1000.0 * 1001 / 12, 1e-3) << "an offset of 1e9 costs no digits that matter";
}

TEST(RunningStatistics, ConstantValuesHaveNoError) {
  RunningStatistics statistics(1);
  Job job;
  const double value[] = {0.1};
  for (int t = 0; t < 50; ++t) statistics.add(std::span<const double>(value), job);
  EXPECT_EQ(statistics.at(0).error.standard_error, 0);
  EXPECT_EQ(statistics.at(0).error.inefficiency, 1);
}

// The aim: the mean is within its stated 95 % interval in 92 to 98 of 100 runs.
class Coverage : public testing::TestWithParam<std::pair<double, int>> {};

TEST_P(Coverage, MeansAreWithinTheirIntervals) {
  const auto [tau, frames] = GetParam();
  int within = 0, known = 0;
  double ratio = 0;
  constexpr int points = 20, seeds = 100;
  for (int seed = 1; seed <= seeds; ++seed) {
    const RunningStatistics statistics = statistics_of(tau, static_cast<std::uint64_t>(seed), frames, points);
    for (std::size_t i = 0; i < points; ++i) {
      const PointStatistics found = statistics.at(i);
      if (!found.error.known()) continue;
      ++known;
      ratio += found.error.standard_error;
      if (std::abs(found.mean) <= interval_factor(found.error.degrees) * found.error.standard_error) ++within;
    }
  }
  const double part = static_cast<double>(within) / known;
  EXPECT_GE(part, 0.92);
  EXPECT_LE(part, 0.98);
  EXPECT_GE(known, 0.9 * points * seeds);
  EXPECT_NEAR(ratio / known / Walk::exact_error(tau, frames), 1.0, 0.1);
  RecordProperty("coverage", std::to_string(part));
}

INSTANTIATE_TEST_SUITE_P(Walks, Coverage,
                         testing::Values(std::pair{0.01, 1000}, std::pair{2.0, 1000}, std::pair{5.0, 1000},
                                         std::pair{10.0, 2000}, std::pair{20.0, 5000}, std::pair{40.0, 10000}));

TEST(RunningStatistics, FewIndependentFramesAreCoveredToo) {
  // 25 independent frames: blocks half as long say of runs that look uncorrelated that they are not.
  int within = 0, known = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const PointStatistics found = statistics_of(10, seed, 500).at(0);
    if (!found.error.known()) continue;
    ++known;
    if (std::abs(found.mean) <= interval_factor(found.error.degrees) * found.error.standard_error) ++within;
  }
  EXPECT_GE(known, 500);
  EXPECT_GE(within, 0.92 * known);
  EXPECT_LE(within, 0.98 * known);
}

TEST(RunningStatistics, SaysWhereFramesAreTooFew) {
  // Five to ten independent values: what blocks say of them is worth nothing.
  int known = 0, runs = 0;
  for (int seed = 1; seed <= 100; ++seed)
    for (const auto& [tau, frames] : {std::pair{40.0, 500}, std::pair{100.0, 1000}}) {
      ++runs;
      known += statistics_of(tau, static_cast<std::uint64_t>(seed), frames).at(0).error.known() ? 1 : 0;
    }
  EXPECT_LE(known, runs / 20);
  // Those that pass are called rough.
  int rough = 0, passed = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const PointStatistics found = statistics_of(10, seed, 500).at(0);
    passed += found.error.known() ? 1 : 0;
    rough += found.error.rough(500) ? 1 : 0;
  }
  EXPECT_GT(passed, 80);
  EXPECT_GE(rough, 0.9 * passed);
  EXPECT_FALSE(statistics_of(10, 1, 20000).at(0).error.rough(20000));
  const PointStatistics few = statistics_of(0.01, 1, 12).at(0);
  EXPECT_FALSE(few.error.known());
  EXPECT_TRUE(std::isnan(few.error.standard_error));
}

TEST(RunningStatistics, InefficiencyOfAWalk) {
  // g = (1 + phi) / (1 - phi) = 20.02 for tau = 10.
  double sum = 0;
  for (int seed = 1; seed <= 20; ++seed)
    sum += statistics_of(10, static_cast<std::uint64_t>(seed), 20000).at(0).error.inefficiency;
  EXPECT_NEAR(sum / 20, 20.02, 2);
}

TEST(RunningStatistics, IntervalFactorsOfStudentsT) {
  // Tables of the distribution, two-sided 5 %.
  EXPECT_NEAR(interval_factor(1), 12.7062, 1e-3);
  EXPECT_NEAR(interval_factor(5), 2.570582, 1e-5);
  EXPECT_NEAR(interval_factor(30), 2.042272, 1e-5);
  EXPECT_NEAR(interval_factor(1e6), 1.959966, 1e-4);
  EXPECT_TRUE(std::isnan(interval_factor(0)));
}

void expect_same(const RunningStatistics& a, const RunningStatistics& b, double tolerance) {
  ASSERT_EQ(a.frames(), b.frames());
  const std::vector<RunningStatistics::Level> own = a.levels(), others = b.levels();
  ASSERT_EQ(own.size(), others.size());
  for (std::size_t l = 0; l < own.size(); ++l) {
    EXPECT_EQ(own[l].blocks, others[l].blocks) << l;
    for (std::size_t i = 0; i < a.points(); ++i) {
      EXPECT_NEAR(own[l].mean[i], others[l].mean[i], tolerance) << l;
      EXPECT_NEAR(own[l].squares[i], others[l].squares[i], tolerance * 1000) << l;
    }
  }
}

TEST(RunningStatistics, MergingIsAssociative) {
  // Of runs that have nothing to do with each other.
  const RunningStatistics a = statistics_of(5, 1, 300, 7), b = statistics_of(5, 2, 517, 7),
                          c = statistics_of(5, 3, 64, 7);
  RunningStatistics left = a, right = b, turned = c;
  left.merge(b);
  left.merge(c);
  right.merge(c);
  RunningStatistics whole = a;
  whole.merge(right);
  turned.merge(a);
  turned.merge(b);
  expect_same(left, whole, 1e-13);
  expect_same(left, turned, 1e-13);
}

/// Frames first to next of one walk of three points.
RunningStatistics part_of(const std::vector<std::vector<double>>& frames, std::size_t first, std::size_t next) {
  RunningStatistics statistics(3, Device::cpu(), first);
  Job job;
  for (std::size_t t = first; t < next; ++t) statistics.add(std::span<const double>(frames[t]), job);
  return statistics;
}

std::vector<std::vector<double>> frames_of_a_walk(std::size_t count) {
  std::vector<Walk> walks{Walk(5, 9), Walk(1, 10), Walk(20, 11)};
  std::vector<std::vector<double>> frames(count);
  for (std::vector<double>& frame : frames)
    for (Walk& walk : walks) frame.push_back(walk.next());
  return frames;
}

void expect_near(double found, double expected, double tolerance) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_NEAR(found, expected, tolerance);
  }
}

void expect_same_errors(const RunningStatistics& a, const RunningStatistics& b) {
  for (std::size_t i = 0; i < a.points(); ++i) {
    expect_near(a.at(i).mean, b.at(i).mean, 1e-12);
    expect_near(a.at(i).error.standard_error, b.at(i).error.standard_error, 1e-11);
  }
}

TEST(RunningStatistics, BlocksBeginAtMultiplesOfTheirLength) {
  const auto frames = frames_of_a_walk(700);
  for (const auto& [first, next] : {std::pair<std::size_t, std::size_t>{0, 700}, {1, 700}, {333, 600}, {511, 513}}) {
    const std::vector<std::vector<double>> some(frames.begin() + static_cast<std::ptrdiff_t>(first),
                                                frames.begin() + static_cast<std::ptrdiff_t>(next));
    const auto found = part_of(frames, first, next).levels();
    const auto expected = statistics_reference(some, first);
    ASSERT_EQ(found.size(), expected.size());
    std::size_t arrays = 0;
    for (std::size_t l = 0; l < found.size(); ++l) {
      EXPECT_EQ(found[l].blocks, expected[l].blocks) << first << ' ' << l;
      EXPECT_EQ(found[l].waits, expected[l].waits) << first << ' ' << l;
      ASSERT_EQ(found[l].leads, expected[l].leads) << first << ' ' << l;
      arrays += found[l].leads ? 4 : 3;
      for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(found[l].mean[i], expected[l].mean[i], 1e-13);
        EXPECT_NEAR(found[l].squares[i], expected[l].squares[i], 1e-10);
        if (found[l].leads) {
          EXPECT_NEAR(found[l].leading[i], expected[l].leading[i], 1e-13);
        }
      }
    }
    EXPECT_EQ(RunningStatistics::memory(3, next - first, first), 3 * arrays * sizeof(double)) << first;
  }
}

TEST(RunningStatistics, NeighboursMergeToThePassOverAll) {
  const std::size_t count = 700;
  const auto frames = frames_of_a_walk(count);
  const RunningStatistics all = part_of(frames, 0, count);
  // Cut anywhere, even into single frames, and joined from both ends.
  for (const std::vector<std::size_t>& cuts :
       {std::vector<std::size_t>{350}, {1}, {699}, {512}, {100, 101, 103, 333, 640}, {255, 256, 257, 258}}) {
    std::vector<RunningStatistics> parts;
    std::size_t first = 0;
    for (std::vector<std::size_t> ends = cuts; const std::size_t end : (ends.push_back(count), ends)) {
      parts.push_back(part_of(frames, first, end));
      first = end;
    }
    RunningStatistics forwards = parts.front(), backwards = parts.back();
    for (std::size_t i = 1; i < parts.size(); ++i) forwards.merge(parts[i]);
    for (std::size_t i = parts.size() - 1; i-- > 0;) backwards.merge(parts[i]);
    expect_same(forwards, all, 1e-12);
    expect_same(backwards, all, 1e-12);
    expect_same_errors(forwards, all);
    expect_same_errors(backwards, all);
    EXPECT_EQ(forwards.range(), all.range());
    // What is merged goes on as the whole would.
    forwards.add(std::span<const double>(frames[3]), *std::make_unique<Job>());
    RunningStatistics longer = all;
    longer.add(std::span<const double>(frames[3]), *std::make_unique<Job>());
    expect_same(forwards, longer, 1e-12);
  }
}

TEST(RunningStatistics, EverySinglyMergedFrameGivesThePassOverAll) {
  const auto frames = frames_of_a_walk(100);
  for (const std::size_t first : {0, 7, 31}) {
    const RunningStatistics all = part_of(frames, first, 100);
    RunningStatistics forwards = part_of(frames, first, first + 1), backwards = part_of(frames, 99, 100);
    for (std::size_t t = first + 1; t < 100; ++t) forwards.merge(part_of(frames, t, t + 1));
    for (std::size_t t = 99; t-- > first;) backwards.merge(part_of(frames, t, t + 1));
    expect_same(forwards, all, 1e-13);
    expect_same(backwards, all, 1e-13);
    const auto expected = all.levels(), found = forwards.levels(), turned = backwards.levels();
    for (std::size_t l = 0; l < expected.size(); ++l) {
      EXPECT_EQ(found[l].waits, expected[l].waits) << first << ' ' << l;
      EXPECT_EQ(found[l].leads, expected[l].leads) << first << ' ' << l;
      EXPECT_EQ(turned[l].waits, expected[l].waits) << first << ' ' << l;
      EXPECT_EQ(turned[l].leads, expected[l].leads) << first << ' ' << l;
    }
  }
}

TEST(RunningStatistics, NoBlockReachesOverAGap) {
  const auto frames = frames_of_a_walk(64);
  RunningStatistics merged = part_of(frames, 0, 30);
  merged.merge(part_of(frames, 33, 64));
  const auto levels = merged.levels();
  EXPECT_EQ(levels[0].blocks, 61u);
  EXPECT_EQ(levels[1].blocks, 15u + 15u);  // 0 to 29, and 34 to 63
  EXPECT_EQ(levels[4].blocks, 1u + 1u);    // 0 to 15, and 48 to 63
  RunningStatistics apart = part_of(frames, 0, 32);
  apart.merge(part_of(frames, 32, 64), false);
  EXPECT_EQ(apart.levels().size(), 6u) << "of 64 frames there would be one block more";
}

TEST(RunningStatistics, GoesOnFromWhatWasSaved) {
  Job job;
  Walk walk(5, 4);
  RunningStatistics all(1), saved(1);
  for (int t = 0; t < 700; ++t) {
    const double value[] = {walk.next()};
    if (t == 333) saved = RunningStatistics(1, saved.levels(), saved.range());
    all.add(std::span<const double>(value), job);
    saved.add(std::span<const double>(value), job);
  }
  expect_same(all, saved, 0);
}

TEST(RunningStatistics, RefusesOtherNumbersOfPoints) {
  Job job;
  RunningStatistics statistics(3);
  const double values[] = {1, 2};
  EXPECT_THROW(statistics.add(std::span<const double>(values), job), Error);
  EXPECT_THROW(statistics.merge(RunningStatistics(2)), Error);
}

TEST(RunningStatistics, SummaryAndMaps) {
  RunningStatistics statistics = statistics_of(1, 3, 2000, 400);
  Job job;
  std::vector<float> means(400), errors(400);
  statistics.fill(means, errors, job);
  double squares = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_FLOAT_EQ(means[i], static_cast<float>(statistics.at(i).mean));
    squares += static_cast<double>(errors[i]) * static_cast<double>(errors[i]);
  }
  const StatisticsSummary summary = statistics.summary();
  EXPECT_EQ(summary.without, 0u);
  EXPECT_NEAR(summary.rms_error, std::sqrt(squares / 400), 1e-6);
  EXPECT_NEAR(summary.rms_error, Walk::exact_error(1, 2000), 0.1 * Walk::exact_error(1, 2000));
}

TEST(SeriesStatistics, KnowsACorrelatedSeries) {
  // The means of many such series vary by the error that is given.
  const double tau = 4.5;
  double error = 0, squares = 0;
  int known = 0;
  for (std::uint64_t s = 1; s <= 60; ++s) {
    Walk walk(tau, s);
    std::vector<double> values(2000);
    for (double& value : values) value = walk.next();
    const PointStatistics found = series_statistics(values);
    if (!found.error.known()) continue;
    ++known;
    error += found.error.standard_error;
    squares += found.mean * found.mean;
  }
  ASSERT_GT(known, 55);
  EXPECT_NEAR(error / known, Walk::exact_error(tau, 2000), 0.1 * error / known);
  EXPECT_NEAR(error / known, std::sqrt(squares / known), 0.2 * error / known);
}

TEST(SeriesStatistics, SaysWhenThereIsTooLittle) {
  const std::vector<double> one{3}, few{1, 2, 1, 2}, line{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_FALSE(series_statistics(one).error.known());
  EXPECT_EQ(series_statistics(one).mean, 3);
  EXPECT_FALSE(series_statistics(few).error.known());
  EXPECT_FALSE(series_statistics(line).error.known());  // a drift
  EXPECT_TRUE(std::isnan(series_statistics(line).error.standard_error));
  EXPECT_THROW(series_statistics({}), Error);
}

}  // namespace
}  // namespace isolume
