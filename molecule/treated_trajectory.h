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

}  // namespace isolume
