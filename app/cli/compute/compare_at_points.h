// isolume compute compare --at: potentials at points, and the differences to one of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/cli/compute/potential_work.h"
#include "compute/electrostatics/map_comparison.h"

namespace isolume::cli {

/// The potential of a side at points, and how good it is; `side` is without a map.
struct SideAtPoints {
  ComparedSide side;
  std::vector<double> values;  ///< volts
};

/// Computes a method `repeats` times at points, as compute potential --at does, and measures its error there: none (0
/// points) of the sums that are in double precision, of pb that estimated by steps twice as long. `spacing` is of the
/// grid of pb (angstrom, 0: by size). Throws Error.
SideAtPoints method_at_points(Run& run, const PotentialWork& work, const MethodOptions& method,
                              std::span<const glm::dvec3> points, double spacing, int repeats);

/// A map of a file (`unit`: volts for each of its units) interpolated at points. Throws Error (usage) for points
/// outside of it.
SideAtPoints map_at_points(const Volume& map, const std::string& file, double unit, std::span<const glm::dvec3> points);

/// Of each side less the reference at the same points, without values; that of the reference is empty.
std::vector<MapDifference> differences_at(std::span<const glm::dvec3> points, std::span<const SideAtPoints> sides,
                                          std::size_t reference);

/// Lines with the potential of each side, and that of each other side less the reference, times `factor`; to stdout
/// where `out` is empty.
void write_sides_at_points(const std::string& out, std::span<const SideAtPoints> sides, std::size_t reference,
                           double factor);

}  // namespace isolume::cli
