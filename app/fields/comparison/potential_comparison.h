// Methods of the potential on one grid: their maps, times and errors, and the differences to one of them.
#pragma once

#include <memory>
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
/// settings do not count. The grid is the first's. `own`: empty, or for each side the atoms that it has with their
/// charges, null for those of the request. Throws Error, as plan_potential() does.
PotentialComparison compare_potentials(FieldRequest request, std::span<const PotentialSettings> settings,
                                       std::size_t reference, int repeats, Job& job,
                                       std::span<const std::shared_ptr<const FieldAtoms>> own = {});

}  // namespace isolume
