// isolume compute potential --at: the potential at points, by any method.
#pragma once

#include "app/cli/compute/potential_work.h"

namespace isolume::cli {

/// Writes lines V in the unit, with `with_field` V,Ex,Ey,Ez, and of pb V,error for the points of --at; the report gets
/// method, error and result. Throws Error.
void potential_at_points(Run& run, const GridOptions& grid, const MethodOptions& method, bool with_field,
                         PotentialWork& work);

}  // namespace isolume::cli
