// The mean of a volume map over frames, while they come.
#pragma once

#include <optional>
#include <string>

#include "app/cli/over_time/volmap_frames.h"
#include "app/fields/averages/running_mean.h"

namespace isolume::cli {

/// What `compute volmap` has, frame by frame: every kind but residence, which is no mean over frames. Selections, radii
/// and the grid are those of frame 0; on the processors. add_next() also throws what VolmapFrames throws.
class RunningVolumeMap : public RunningMean {
 public:
  /// `align`: a selection to superpose frames by, empty for none. Throws Error (usage) for a choice that cannot be.
  RunningVolumeMap(VolmapChoice choice, std::string align);

  std::string text() const override;

 private:
  void add_frame(const std::shared_ptr<const Molecule>& molecule, std::size_t number, Job& job) override;

  VolmapChoice choice_;
  std::string align_;
  std::optional<VolmapFrames> maps_;
};

}  // namespace isolume::cli
