// The order of basis functions within a shell of Gaussian's files.
#pragma once

#include "formats/orbitals/molden_order.h"

namespace isolume {

/// (i, j, k) of the n-th Cartesian function: d and f as in Molden files; g and above with x in the outer and y in the
/// inner loop, both ascending (zzzz, yzzz, yyzz, ...).
glm::ivec3 gaussian_powers(int l, int n);

/// Spherical functions go 0, +1, -1, +2, -2, ...
inline constexpr FunctionOrder gaussian_order = {gaussian_powers, molden_m};

}  // namespace isolume
