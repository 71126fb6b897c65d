// Trajectories made of others: two of the same atoms one after the other, one with a cell that its file lacks.
#pragma once

#include <memory>

#include "molecule/trajectory.h"

namespace isolume {

/// The frames of `first`, then those of `second`. Throws Error (input) where their atom counts differ.
std::shared_ptr<const Trajectory> join_trajectories(std::shared_ptr<const Trajectory> first,
                                                    std::shared_ptr<const Trajectory> second);

/// The frames of `trajectory`, those without a cell with this one.
std::shared_ptr<const Trajectory> with_cell(std::shared_ptr<const Trajectory> trajectory, const Cell& cell);

/// The one frame of `trajectory` with the velocities of the one of `velocities`. Throws Error (input) where it has
/// more.
std::shared_ptr<const Trajectory> with_velocities(const Trajectory& trajectory, const Trajectory& velocities);

}  // namespace isolume
