// A trajectory with its periodic cell treated as frames are read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "molecule/topology.h"
#include "molecule/trajectory.h"
#include "molecule/whole_molecules.h"

namespace isolume {

/// A trajectory whose frames are treated when they are read. `atoms`: those of Mode::centre. The trajectory itself
/// where there is nothing to do; a treated one is treated again from its source.
std::shared_ptr<const Trajectory> treated_trajectory(std::shared_ptr<const Trajectory> trajectory,
                                                     std::shared_ptr<const Topology> topology, CellTreatment::Mode mode,
                                                     std::vector<std::uint32_t> atoms = {});

/// Whether what makes molecules whole is kept of the trajectory for which it was made last (of at most 200 000 atoms),
/// until another one asks: who reads a molecule that is kept does not have it made again. Off before the first call.
void keep_last_tree(bool wanted);

}  // namespace isolume
