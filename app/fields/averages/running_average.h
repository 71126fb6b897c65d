// The mean of a field over the frames of a trajectory, frame by frame, with its standard error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/fields/field_memory.h"
#include "app/fields/fields.h"
#include "compute/over_time/frame_alignment.h"
#include "compute/over_time/running_statistics.h"

namespace isolume {

/// How far a mean was known after so many frames.
struct ConvergencePoint {
  std::uint64_t frames = 0;
  double error = 0;         ///< RMS of the points' standard errors, in the map's unit; NaN where none has one
  double inefficiency = 0;  ///< their median: frames that say as much as an independent one; NaN likewise
  double without = 0;       ///< part of the points that have no error yet
};

/// Potentials, Gaussian density, and the density of the electrons or their spins (not orbitals, whose sign is
/// arbitrary); no differences.
bool can_be_averaged(const Field& field);

/// What `compute potential --average` and `compute density --average` have, for a field that can_be_averaged(). The
/// grid is that of the first frame and stays; frames are superposed on the first. The statistics are kept on the device
/// that computes the field where it has the memory. One thread at a time.
class RunningAverage {
 public:
  /// `align`: a selection to superpose frames by, empty for none. Throws Error (usage) for another kind of field.
  RunningAverage(Field field, std::string align, Device device);

  /// Adds frame frames() of the molecule, which may have more frames than before, those before unchanged. Throws Error
  /// (usage) where there is no such frame, or it has no orbitals and the field is of them; after an error or a
  /// cancelled job the average is what it was.
  void add_next(const std::shared_ptr<const Molecule>& molecule, Job& job);
  std::uint64_t frames() const { return statistics_ ? statistics_->frames() : 0; }

  /// Maps in the unit of the field: the mean, the mean faded where it is within its error
  /// (compute/over_time/significance.h), the standard error, -1 where it is not known, and, in the unit's square, the
  /// variance over the frames, 0 of a single one. Throws Error (usage) before the first frame.
  std::vector<std::shared_ptr<const Volume>> maps(Job& job) const;
  /// After 1, 2, ... frames, about five for each doubling, and the last.
  const std::vector<ConvergencePoint>& convergence() const { return convergence_; }
  /// "frames superposed on frame 0 by 46 atoms (name CA); multilevel summation, error 0.2 %".
  std::string text() const;

 private:
  /// Adds the field of the only frame of a molecule; `frames` that are to be expected in all.
  void add_field(const std::shared_ptr<const Molecule>& moved, std::size_t frames, Job& job);
  void begin(bool in_slabs, std::size_t frames);
  void note_convergence();

  Field field_;
  std::string align_;
  Device device_;
  std::optional<FrameAlignment> alignment_;
  std::optional<Grid> grid_;
  std::optional<RunningStatistics> statistics_;
  std::unique_ptr<FieldMemory> memory_;
  std::vector<ConvergencePoint> convergence_;
  std::uint64_t next_check_ = 1;
  std::string name_, unit_, method_;
  double factor_ = 1;       ///< from what is computed to the unit
  double worst_error_ = 0;  ///< of the method, relative, in any frame
};

}  // namespace isolume
