// The order of basis functions within a shell of a Molden file.
#pragma once

#include "formats/orbitals/orbital_assembly.h"

namespace isolume {

/// The (i, j, k) of Molden's n-th Cartesian function of a shell.
glm::ivec3 molden_powers(int l, int n);

/// m of Molden's n-th spherical function: 0, +1, -1, +2, -2, ...
int molden_m(int l, int n);

inline constexpr FunctionOrder molden_order = {molden_powers, molden_m};

}  // namespace isolume
