// isolume compute potential --at: the potential at points, by any method.
#pragma once

#include "app/cli/compute/potential_work.h"

namespace isolume::cli {

/// --method pb at points: the box of the atoms and the points, as wide as a solution needs. `spacing` in angstrom, 0
/// for 0.5 or, of a large box, more.
Grid grid_around(const std::vector<ChargedSphere>& spheres, const std::vector<glm::dvec3>& points, double spacing);

/// Writes lines V in the unit, with `with_field` V,Ex,Ey,Ez, and of pb V,error for the points of --at; the report gets
/// method, error and result. Throws Error.
void potential_at_points(Run& run, const GridOptions& grid, const MethodOptions& method, bool with_field,
                         PotentialWork& work);

}  // namespace isolume::cli
