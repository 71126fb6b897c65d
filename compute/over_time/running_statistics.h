// Mean, variance and standard error of many values over frames, in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/base/span.h"
#include "compute/over_time/block_error.h"

namespace isolume {

/// Statistics of one value.
struct PointStatistics {
  double mean = 0;
  double variance = 0;  ///< over frames - 1
  MeanError error;
};

/// Statistics of all values together.
struct StatisticsSummary {
  std::uint64_t frames = 0;
  std::size_t points = 0;        ///< that were looked at
  std::size_t without = 0;       ///< of them, those with too few blocks for an error
  double rms_mean = 0;           ///< over all of them
  double rms_error = 0;          ///< of those with an error whose values vary; NaN where there are none
  double inefficiency = 0;       ///< their median; NaN where there are none
  double high_inefficiency = 0;  ///< that 9 of 10 do not exceed
};

/// Means and variances of block means over 1, 2, 4, ... frames of every point, in double precision by Welford's update,
/// in the memory of a device. A frame costs about two updates of every point; levels() grow with the logarithm of the
/// number of frames.
///
/// merge() joins the statistics of two sets of frames by the formula of T. F. Chan, G. H. Golub and R. J. LeVeque
/// (Am. Stat. 37 (1983) 242): in any order and grouping the same to rounding. Blocks that a part has not completed
/// count for its mean and variance, not for the longer blocks.
class RunningStatistics {
 public:
  /// Blocks of one length, in host memory.
  struct Level {
    std::uint64_t blocks = 0;
    bool waits = false;           ///< a block waits in `waiting` for another to make a longer one with
    std::vector<double> mean;     ///< of the block means
    std::vector<double> squares;  ///< their squared deviations from it, summed
    std::vector<double> waiting;
  };

  explicit RunningStatistics(std::size_t points = 0, Device device = Device::cpu())
      : points_(points), device_(device) {}
  /// What was saved. Throws Error (input) where the levels do not fit together.
  RunningStatistics(std::size_t points, const std::vector<Level>& levels, Device device = Device::cpu());
  RunningStatistics(const RunningStatistics& other);
  RunningStatistics(RunningStatistics&& other) noexcept = default;
  RunningStatistics& operator=(const RunningStatistics& other);
  RunningStatistics& operator=(RunningStatistics&& other) noexcept = default;

  /// Bytes of the device after so many frames.
  static std::size_t memory(std::size_t points, std::uint64_t frames);

  /// The values of the next frame, one for each point. Throws Error (usage) for another number of them. After a
  /// cancelled call the statistics are what they were.
  void add(std::span<const float> values, Job& job);
  void add(std::span<const double> values, Job& job);
  /// `factor` times the values, which are on this device: nothing is copied. Throws Error (usage) for another device.
  void add(Span<const float> values, double factor, Job& job);
  /// Throws Error (usage) for another number of points, or where one of the two is not in host memory.
  void merge(const RunningStatistics& other);

  Device device() const { return device_; }
  std::size_t points() const { return points_; }
  std::uint64_t frames() const { return levels_.empty() ? 0 : levels_.front().blocks; }
  /// A copy.
  std::vector<Level> levels() const;

  PointStatistics at(std::size_t point) const;
  /// Means, and standard errors and variances where there is room for them, of all points.
  void fill(std::span<float> means, std::span<float> errors, Job& job, std::span<float> variances = {}) const;
  /// Over at most `most` points, evenly chosen.
  StatisticsSummary summary(std::size_t most = 20000) const;

 private:
  struct Kept {
    std::uint64_t blocks = 0;
    bool waits = false;
    DeviceArray<double> mean, squares, waiting;
  };
  template <typename Value>
  void add_values(Span<const Value> values, double factor, Job& job);

  std::size_t points_;
  Device device_;
  std::vector<Kept> levels_;
};

/// The same from all frames at once, each the values of all points, by the formulas: for tests.
std::vector<RunningStatistics::Level> statistics_reference(std::span<const std::vector<double>> frames);

/// Of one value over frames, one after the other. Throws Error (usage) for none.
PointStatistics series_statistics(std::span<const double> values);

}  // namespace isolume
