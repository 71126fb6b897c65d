// Two trajectories of the same atoms, one after the other.
#pragma once

#include <memory>

#include "molecule/trajectory.h"

namespace isolume {

/// The frames of `first`, then those of `second`. Throws Error (input) where their atom counts differ.
std::shared_ptr<const Trajectory> join_trajectories(std::shared_ptr<const Trajectory> first,
                                                    std::shared_ptr<const Trajectory> second);

}  // namespace isolume
