// Atoms near others, by distance and by bonds.
#pragma once

#include <cstdint>
#include <vector>

#include "molecule/selection/selection_context.h"
#include "molecule/selection/selection_tree.h"

namespace isolume {

using Mask = std::vector<std::uint8_t>;  ///< one byte per atom, 0 or 1

/// Of the atoms in `among`, those within the distance of one in `centres`; see Near.
Mask select_near(const Near& near, const Mask& centres, const Mask& among, const Frame& frame);

/// Atoms by their number of bonds from `start`; see Bonded.
Mask select_bonded(const Bonded& bonded, const Mask& start, const BondTable& bonds);

}  // namespace isolume
