// The mean of a field over the frames of a trajectory, frame by frame, with its standard error.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/fields/averages/running_mean.h"
#include "app/fields/field_memory.h"
#include "app/fields/fields.h"
#include "compute/over_time/frame_alignment.h"

namespace isolume {

/// Potentials, Gaussian density, and the density of the electrons or their spins (not orbitals, whose sign is
/// arbitrary); no differences.
bool can_be_averaged(const Field& field);

/// What `compute potential --average` and `compute density --average` have, for a field that can_be_averaged(). The
/// grid is that of the first frame and stays; frames are superposed on the first. The statistics are kept on the device
/// that computes the field where it has the memory. add_next() also throws Error (usage) for a frame without orbitals
/// where the field is of them.
class RunningAverage : public RunningMean {
 public:
  /// `align`: a selection to superpose frames by, empty for none. Throws Error (usage) for another kind of field.
  RunningAverage(Field field, std::string align, Device device);

  /// "frames superposed on frame 0 by 46 atoms (name CA); multilevel summation, error 0.2 %".
  std::string text() const override;

 private:
  void add_frame(const std::shared_ptr<const Molecule>& molecule, std::size_t number, Job& job) override;
  /// Adds the field of the only frame of a molecule; `frames` that are to be expected in all.
  void add_field(const std::shared_ptr<const Molecule>& moved, std::size_t frames, Job& job);

  Field field_;
  std::string align_;
  Device device_;
  std::optional<FrameAlignment> alignment_;
  std::unique_ptr<FieldMemory> memory_;
  std::string method_;
  double factor_ = 1;       ///< from what is computed to the unit
  double worst_error_ = 0;  ///< of the method, relative, in any frame
};

}  // namespace isolume
