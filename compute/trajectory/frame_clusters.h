// Groups of frames that are alike, from the distances of all pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/base/job.h"

namespace isolume {

/// gromos: the frame with most neighbours within the cutoff is the middle of the largest cluster; they are taken away,
/// and again (X. Daura et al., Angew. Chem. Int. Ed. 38 (1999) 236); of equals the first frame. average: the two
/// clusters with the smallest mean distance of their frames are joined, until that is above the cutoff or so many are
/// left (average linkage, UPGMA).
enum class ClusterMethod : std::uint8_t { gromos, average };

struct ClusterOptions {
  ClusterMethod method = ClusterMethod::gromos;
  double cutoff = 2;      ///< in the unit of the distances
  std::size_t count = 0;  ///< average: how many clusters are left, whatever the cutoff; 0: by the cutoff
};

struct FrameClusters {
  std::vector<std::uint32_t> of_frame;             ///< the cluster of each frame; 0 is the largest
  std::vector<std::vector<std::uint32_t>> frames;  ///< of each cluster, ascending; the largest cluster first, of equals
                                                   ///< the one with the first frame
  std::vector<std::uint32_t> middles;  ///< gromos: the frame it was made of; average: that with the least mean distance
};

/// @param distances  a symmetric matrix of `frames` rows
/// Memory: a copy of the matrix for average. Throws Error (usage) for a matrix of another size and a cutoff that is not
/// above 0.
FrameClusters cluster_frames(std::span<const float> distances, std::size_t frames, const ClusterOptions& options,
                             Job& job);

}  // namespace isolume
