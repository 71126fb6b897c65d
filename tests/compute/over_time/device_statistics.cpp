// Running statistics on every device, against all frames at once in double precision and closed forms.
#include <cmath>
#include <utility>

#include "compute/over_time/running_statistics.h"
#include "molecule/base/error.h"
#include "tests/compute/base/devices.h"

namespace isolume {
namespace {

class DeviceStatistics : public test::OnDevice {};
ISOLUME_ON_EVERY_DEVICE(DeviceStatistics);

using Levels = std::vector<RunningStatistics::Level>;

/// A walk of every point about an offset of its own.
std::vector<std::vector<float>> walks(std::size_t points, int frames) {
  test::Random random(5);
  std::vector<std::vector<float>> values;
  std::vector<double> at(points);
  for (int t = 0; t < frames; ++t) {
    std::vector<float>& frame = values.emplace_back(points);
    for (std::size_t i = 0; i < points; ++i) {
      at[i] = 0.8 * at[i] + random(-1, 1);
      frame[i] = static_cast<float>(at[i] + 10 * std::sin(static_cast<double>(i)));
    }
  }
  return values;
}

RunningStatistics statistics_of(const std::vector<std::vector<float>>& frames, double factor, Device device,
                                std::uint64_t first = 0) {
  RunningStatistics statistics(frames.front().size(), device, first);
  Job job;
  for (const std::vector<float>& frame : frames) {
    const auto values = DeviceArray<float>::from_host(frame, device);
    statistics.add(values.span(), factor, job);
  }
  return statistics;
}

void expect_near(const Levels& found, const Levels& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t l = 0; l < found.size(); ++l) {
    ASSERT_EQ(found[l].blocks, expected[l].blocks) << l;
    ASSERT_EQ(found[l].waits, expected[l].waits) << l;
    ASSERT_EQ(found[l].leads, expected[l].leads) << l;
    for (std::size_t i = 0; i < found[l].mean.size(); ++i) {
      ASSERT_NEAR(found[l].mean[i], expected[l].mean[i], tolerance) << l << ' ' << i;
      ASSERT_NEAR(found[l].squares[i], expected[l].squares[i], tolerance * static_cast<double>(found[l].blocks))
          << l << ' ' << i;
      if (found[l].waits) {
        ASSERT_NEAR(found[l].waiting[i], expected[l].waiting[i], tolerance) << l << ' ' << i;
      }
      if (found[l].leads) {
        ASSERT_NEAR(found[l].leading[i], expected[l].leading[i], tolerance) << l << ' ' << i;
      }
    }
  }
}

TEST_P(DeviceStatistics, AgreeWithAllFramesAtOnce) {
  for (const auto& [points, frames] : {std::pair<std::size_t, int>{1, 1}, {257, 2}, {1000, 137}, {70001, 9}}) {
    const auto values = walks(points, frames);
    const double factor = -2.5;
    std::vector<std::vector<double>> scaled;
    for (const std::vector<float>& frame : values) {
      std::vector<double>& row = scaled.emplace_back();
      for (const float value : frame) row.push_back(factor * static_cast<double>(value));
    }
    for (const std::uint64_t first : {0, 53})  // of another number the first block is a second half
      expect_near(statistics_of(values, factor, GetParam(), first).levels(), statistics_reference(scaled, first),
                  2e-13 * 30 * frames);
  }
}

TEST_P(DeviceStatistics, OfWholeNumbersFarFromZeroAreExact) {
  // 1, 2, ..., n about 2^23: the variance is n (n + 1) / 12, of means of pairs n/2 (n/2 + 1) / 12 times 4.
  constexpr int n = 1000;
  RunningStatistics statistics(300, GetParam());
  Job job;
  for (int t = 1; t <= n; ++t)
    statistics.add(std::span<const float>(std::vector<float>(300, static_cast<float>((1 << 23) + t))), job);
  const PointStatistics found = statistics.at(299);
  EXPECT_NEAR(found.mean, (1 << 23) + 500.5, 1e-6);
  EXPECT_NEAR(found.variance, n * (n + 1) / 12.0, 1e-4);
  const Levels levels = statistics.levels();
  EXPECT_NEAR(levels[1].squares[7] / 499, 4 * 500 * 501 / 12.0, 1e-4);
  EXPECT_EQ(statistics.frames(), 1000u);
}

TEST_P(DeviceStatistics, GoOnFromWhatWasSavedAndAreCopied) {
  const auto values = walks(513, 50);
  const std::vector<std::vector<float>> first(values.begin(), values.begin() + 21);
  const RunningStatistics all = statistics_of(values, 1, GetParam());
  const RunningStatistics part = statistics_of(first, 1, GetParam());
  RunningStatistics saved(513, part.levels(), part.range(), GetParam());
  const RunningStatistics copy = saved;
  Job job;
  for (std::size_t t = 21; t < values.size(); ++t) saved.add(std::span<const float>(values[t]), job);
  expect_near(saved.levels(), all.levels(), 0);
  expect_near(copy.levels(), statistics_of(first, 1, GetParam()).levels(), 0);
}

TEST_P(DeviceStatistics, SayWhatThoseInHostMemorySay) {
  const auto values = walks(2000, 200);
  const RunningStatistics there = statistics_of(values, 1, GetParam());
  const RunningStatistics here(2000, there.levels(), there.range());
  std::vector<float> means(2000), errors(2000), variances(2000), means_here(2000), errors_here(2000);
  Job job;
  there.fill(means, errors, job, variances);
  here.fill(means_here, errors_here, job);
  for (std::size_t i = 0; i < 2000; ++i) {
    ASSERT_EQ(means[i], means_here[i]);
    ASSERT_TRUE(errors[i] == errors_here[i] || (std::isnan(errors[i]) && std::isnan(errors_here[i])));
    ASSERT_FLOAT_EQ(variances[i], static_cast<float>(here.at(i).variance));
  }
  std::vector<float> alone(2000);
  there.fill(alone, {}, job);
  EXPECT_EQ(alone, means);
  const StatisticsSummary a = there.summary(700), b = here.summary(700);
  EXPECT_EQ(a.points, 700u);
  EXPECT_EQ(a.without, b.without);
  EXPECT_EQ(a.rms_error, b.rms_error);
  EXPECT_EQ(a.inefficiency, b.inefficiency);
  EXPECT_EQ(there.at(11).mean, here.at(11).mean);
}

TEST_P(DeviceStatistics, RefuseOtherPlacesAndStayAsTheyAreWhereCancelled) {
  Job job;
  RunningStatistics statistics(4, GetParam());
  const std::vector<float> few(3, 1.0f), values{1, 2, 3, 4};
  EXPECT_THROW(statistics.add(std::span<const float>(few), job), Error);
  Job cancelled;
  cancelled.cancel();
  EXPECT_THROW(statistics.add(std::span<const float>(values), cancelled), Error);
  EXPECT_EQ(statistics.frames(), 0u);
  if (!GetParam().is_cuda()) return;
  EXPECT_THROW(statistics.add(Span<const float>(values.data(), values.size(), Device::cpu()), 1, job), Error);
  EXPECT_THROW(statistics.merge(RunningStatistics(4)), Error);
}

}  // namespace
}  // namespace isolume
