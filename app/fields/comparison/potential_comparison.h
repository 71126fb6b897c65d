// Methods of the potential on one grid: their maps, times and errors, and the differences to one of them.
#pragma once

#include <span>
#include <vector>

#include "app/fields/fields.h"
#include "compute/electrostatics/map_comparison.h"

namespace isolume {

/// All sides, with what they were made for.
struct PotentialComparison {
  Grid grid;
  std::size_t charges = 0;
  std::vector<ComparedSide> sides;
  std::size_t reference = 0;               ///< of the sides
  std::vector<MapDifference> differences;  ///< of each side less the reference; that of the reference is empty
};

/// Compares two to four settings of the potential for the charges, frame, device and spacing of a request; its own
/// settings do not count. The grid is the first's. Throws Error, as plan_potential() does.
PotentialComparison compare_potentials(FieldRequest request, std::span<const PotentialSettings> settings,
                                       std::size_t reference, int repeats, Job& job);

}  // namespace isolume
