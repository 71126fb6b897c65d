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
  std::size_t rough = 0;         ///< and those whose error comes from fewer than `enough_independent` frames
  double rms_mean = 0;           ///< over all of them
  double rms_error = 0;          ///< of those with an error whose values vary; NaN where there are none
  double inefficiency = 0;       ///< their median; NaN where there are none
  double high_inefficiency = 0;  ///< that 9 of 10 do not exceed
};

/// Means and variances of block means over 1, 2, 4, ... frames of every point, in double precision by Welford's update,
/// in the memory of a device. A frame costs about two updates of every point; levels() grow with the logarithm of the
/// number of frames.
///
/// Frames have positions, and a block of B frames begins at a multiple of B: statistics of positions 0 to 499 and of
/// 500 to 999 have the blocks of 0 to 999 but for those with the seam in them. Their halves are kept at both ends.
///
/// merge() joins the statistics of two sets of frames by the formula of T. F. Chan, G. H. Golub and R. J. LeVeque
/// (Am. Stat. 37 (1983) 242): in any order and grouping the same to rounding. Where one set follows the other, blocks
/// are completed across the seam, so that all are those of one pass. Else blocks that a set has not completed count for
/// its mean and variance, not for the longer blocks.
class RunningStatistics {
 public:
  /// Blocks of one length, in host memory.
  struct Level {
    std::uint64_t blocks = 0;
    bool waits = false;           ///< the last block waits in `waiting` for the next one, to make a longer one with
    bool leads = false;           ///< the first one, in `leading`, makes a longer one with what came before the frames
    std::vector<double> mean;     ///< of the block means
    std::vector<double> squares;  ///< their squared deviations from it, summed
    std::vector<double> waiting;  ///< empty where none waits
    std::vector<double> leading;  ///< empty where none leads
  };

  /// Positions of frames: of the first one, and of the one after the last.
  struct Range {
    std::uint64_t first = 0, next = 0;
    bool operator==(const Range&) const = default;
  };

  /// `first` is the position of the first frame.
  explicit RunningStatistics(std::size_t points = 0, Device device = Device::cpu(), std::uint64_t first = 0)
      : points_(points), device_(device), range_{first, first} {}
  /// What was saved. Throws Error (input) where the levels do not fit together.
  RunningStatistics(std::size_t points, const std::vector<Level>& levels, Range range, Device device = Device::cpu());
  RunningStatistics(const RunningStatistics& other);
  RunningStatistics(RunningStatistics&& other) noexcept = default;
  RunningStatistics& operator=(const RunningStatistics& other);
  RunningStatistics& operator=(RunningStatistics&& other) noexcept = default;

  /// Bytes of the device after so many frames.
  static std::size_t memory(std::size_t points, std::uint64_t frames, std::uint64_t first = 0);

  /// The values of the next frame, one for each point. Throws Error (usage) for another number of them. After a
  /// cancelled call the statistics are what they were.
  void add(std::span<const float> values, Job& job);
  void add(std::span<const double> values, Job& job);
  /// `factor` times the values, which are on this device: nothing is copied. Throws Error (usage) for another device.
  void add(Span<const float> values, double factor, Job& job);
  /// `neighbours`: one follows the other where their positions say so. Throws Error (usage) for another number of
  /// points, or where one of the two is not in host memory.
  void merge(const RunningStatistics& other, bool neighbours = true);

  Device device() const { return device_; }
  Range range() const { return range_; }
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
    bool waits = false, leads = false;
    DeviceArray<double> mean, squares, waiting;
    DeviceArray<double> leading;  ///< empty where none leads
  };
  template <typename Value>
  void add_values(Span<const Value> values, double factor, Job& job);
  static Kept copy_of(const Kept& level);
  Kept& level(std::size_t number);
  void add_sums(const RunningStatistics& other);
  void append(const RunningStatistics& next);

  std::size_t points_;
  Device device_;
  Range range_;
  std::vector<Kept> levels_;
};

/// The same from all frames at once, each the values of all points, by the formulas: for tests.
std::vector<RunningStatistics::Level> statistics_reference(std::span<const std::vector<double>> frames,
                                                           std::uint64_t first = 0);

/// Of one value over frames, one after the other. Throws Error (usage) for none.
PointStatistics series_statistics(std::span<const double> values);

}  // namespace isolume
