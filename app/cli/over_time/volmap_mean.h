// The mean of a volume map over frames, in one go.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/cli/over_time/volmap_frames.h"
#include "compute/base/job.h"
#include "compute/over_time/running_statistics.h"

namespace isolume::cli {

/// How long residues stay at the points of a grid.
struct MeanResidence {
  std::vector<float> means, errors;  ///< in the unit; an error is NaN where there are fewer than 10 stays
  std::string unit;                  ///< "ps", or "frames" where the file has no times
  std::uint64_t stays = 0;
  double occupied = 0;    ///< frames with somebody, over all points
  double frame_step = 1;  ///< ps
};
/// Reports progress. Throws as VolmapFrames::occupants().
MeanResidence mean_residence(const VolmapFrames& frames, std::span<const std::size_t> which, Job& job);

/// The statistics of the maps of the frames; at once in memory VolmapFrames::ahead() of them. Reports progress.
RunningStatistics map_statistics(const VolmapFrames& frames, std::span<const std::size_t> which, Job& job);

/// The value at which the mean of a kind is usually shown as an isosurface: half of the time of an occupancy, 3 A of a
/// distance, else of what is dense.
double usual_level(const std::string& kind, std::span<const float> means);

}  // namespace isolume::cli
