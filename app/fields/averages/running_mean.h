// The mean of maps that come one after another, with its standard error and how it converges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/job.h"
#include "compute/over_time/running_statistics.h"
#include "molecule/molecule.h"

namespace isolume {

/// How far a mean was known after so many frames.
struct ConvergencePoint {
  std::uint64_t frames = 0;
  double error = 0;         ///< RMS of the points' standard errors, in the map's unit; NaN where none has one
  double inefficiency = 0;  ///< their median: frames that say as much as an independent one; NaN likewise
  double without = 0;       ///< part of the points that have no error yet
  double rough = 0;         ///< and of those whose error comes from few independent frames (MeanError::rough)
};

/// "V^2", "(1/A^3)^2"; empty for none.
std::string squared_unit(const std::string& unit);

/// What the window averages over the frames of a molecule: a field, or a volume map of its atoms. One thread at a time.
class RunningMean {
 public:
  virtual ~RunningMean() = default;

  /// Adds frame frames() of the molecule, which may have more frames than before, those before unchanged. Throws Error
  /// (usage) where there is no such frame; after an error or a cancelled job the mean is what it was.
  void add_next(const std::shared_ptr<const Molecule>& molecule, Job& job);
  std::uint64_t frames() const { return statistics_ ? statistics_->frames() : 0; }

  /// Maps in the unit: the mean, the mean faded where it is within its error (compute/over_time/significance.h), the
  /// standard error, -1 where it is not known, and, in the unit's square, the variance over the frames, 0 of a single
  /// one. Throws Error (usage) before the first frame.
  std::vector<std::shared_ptr<const Volume>> maps(Job& job) const;
  /// After 1, 2, ... frames, about five for each doubling, and the last.
  const std::vector<ConvergencePoint>& convergence() const { return convergence_; }
  const std::string& unit() const { return unit_; }  ///< known from the first frame on
  /// How the frames are superposed and by which method, for a legend.
  virtual std::string text() const = 0;

 protected:
  /// Makes the map of a frame and gives it to add(). `number` is frames().
  virtual void add_frame(const std::shared_ptr<const Molecule>& molecule, std::size_t number, Job& job) = 0;
  /// The first map: what all are of, where the statistics are kept, and the frames that are to be expected. Throws
  /// Error for what does not fit into the memory.
  void begin(const Grid& grid, std::string name, std::string unit, Device place, std::size_t frames);
  bool begun() const { return statistics_.has_value(); }
  const Grid& grid() const { return grid_; }
  Device place() const { return statistics_->device(); }  ///< after begin()
  /// A map, times `factor`.
  void add(Span<const float> values, double factor, Job& job);

 private:
  void note_convergence();

  Grid grid_;
  std::optional<RunningStatistics> statistics_;
  std::vector<ConvergencePoint> convergence_;
  std::uint64_t next_check_ = 1;
  std::string name_, unit_;
};

}  // namespace isolume
