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

/// What is compared: a potential that is computed, or a map.
struct PotentialSide {
  PotentialSettings settings;               ///< of a map: its unit where it names none, and the temperature
  std::shared_ptr<const FieldAtoms> atoms;  ///< with their charges; null for those of the request
  std::shared_ptr<const Volume> map;        ///< instead of a method
  std::string title;                        ///< of the map
};

/// Compares two to four sides for the charges, frame, device and spacing of a request; its own settings do not count.
/// The grid is that of the first map, or without one of the first potential. Other
/// maps with other points are interpolated where `resample`. Throws Error, as plan_potential() does, and (usage) for
/// maps that have other points and are not to be interpolated, that end within the grid, or have no potential's unit.
PotentialComparison compare_potentials(FieldRequest request, std::span<const PotentialSide> sides,
                                       std::size_t reference, int repeats, bool resample, Job& job);

}  // namespace isolume
