// Means over frames and their standard errors: closed forms, coverage, merging.
#include "compute/over_time/running_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

TEST(RunningStatistics, SaysWhereFramesAreTooFew) {
  // Five to ten independent values: what blocks say of them is worth nothing.
  int known = 0, runs = 0;
  for (int seed = 1; seed <= 100; ++seed)
    for (const auto& [tau, frames] : {std::pair{40.0, 500}, std::pair{100.0, 1000}}) {
      ++runs;
      known += statistics_of(tau, static_cast<std::uint64_t>(seed), frames).at(0).error.known() ? 1 : 0;
    }
  EXPECT_LE(known, runs / 20);
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

TEST(RunningStatistics, MergedWholeBlocksAreThoseOfOnePass) {
  // 512 and 256 frames end blocks of every length up to 256.
  Job job;
  Walk walk(5, 9);
  RunningStatistics first(1), second(1), all(1);
  for (int t = 0; t < 768; ++t) {
    const double value[] = {walk.next()};
    (t < 512 ? first : second).add(std::span<const double>(value), job);
    all.add(std::span<const double>(value), job);
  }
  first.merge(second);
  expect_same(first, all, 1e-13);
  EXPECT_NEAR(first.at(0).error.standard_error, all.at(0).error.standard_error, 1e-12);
}

TEST(RunningStatistics, GoesOnFromWhatWasSaved) {
  Job job;
  Walk walk(5, 4);
  RunningStatistics all(1), saved(1);
  for (int t = 0; t < 700; ++t) {
    const double value[] = {walk.next()};
    if (t == 333) saved = RunningStatistics(1, saved.levels());
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
