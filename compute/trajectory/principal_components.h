// Principal components of the motion of atoms over frames.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <span>
#include <vector>

#include "compute/base/job.h"
#include "compute/trajectory/frame_set.h"

namespace isolume {

struct PrincipalComponents {
  std::vector<glm::dvec3> mean;     ///< angstrom, one per atom: where they are on average, after superposition
  std::vector<double> variances;    ///< angstrom^2, of all components that were asked for, the largest first
  double total = 0;                 ///< angstrom^2, the sum of the variances of all components
  std::vector<glm::dvec3> modes;    ///< variances.size() x atoms: unit vectors over all coordinates, the largest entry
                                    ///< of each positive
  std::vector<double> projections;  ///< frames x variances.size(): angstrom, each with mean 0
  std::size_t rounds = 0;           ///< of superposing on the mean
};

/// Frames are superposed on their mean, which is found again until it moves by less than 1e-6 angstrom (at most 50
/// times), where `superposed`; then the covariance of all coordinates about the mean, over frames - 1, is taken apart
/// (A. Amadei, A. B. M. Linssen, H. J. C. Berendsen, Proteins 17 (1993) 412): of 3 atoms or of frames, whichever is
/// fewer. Double precision, CPU. All atoms count alike. `set` is left superposed.
/// Bytes: principal_components_memory(). Throws Error (usage) for fewer than two frames, fewer than three atoms where
/// they are superposed, and no components.
PrincipalComponents principal_components(FrameSet& set, std::size_t components, bool superposed, Job& job);
std::size_t principal_components_memory(const FrameSet& set, std::size_t components);

/// The mean displaced along a component: `count` frames of one period of a sine with that amplitude (angstrom, of the
/// projection), the mean first.
std::vector<std::vector<glm::dvec3>> mode_frames(const PrincipalComponents& found, std::size_t component,
                                                 double amplitude, std::size_t count);

}  // namespace isolume
