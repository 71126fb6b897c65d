// The potential of Poisson-Boltzmann at the points of --at, each with its error.
#pragma once

#include <string>
#include <vector>

#include "app/cli/compute/potential_work.h"

namespace isolume::cli {

/// Solves on a box of the atoms and the points (seen from the charges' origin) with steps of options.spacing, by size
/// where that is 0, and writes lines V,error in the unit; the report gets method, error and result.
void solution_at_points(Run& run, const GridOptions& options, const std::string& unit, PotentialWork& work,
                        const std::vector<glm::dvec3>& points);

}  // namespace isolume::cli
