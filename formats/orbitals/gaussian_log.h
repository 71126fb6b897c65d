// Gaussian logs: geometries, and orbitals where the log prints basis and coefficients.
#pragma once

#include "formats/bytes/format.h"

namespace isolume {

/// Output of Gaussian 03 to 16: the geometries in standard orientation, else in input orientation, are frames; orbitals
/// of pop=full belong to the geometry before them, their basis is that of gfinput. Without it they are left out with a
/// warning that says so. Throws Error (input).
extern const Format gaussian_log_format;

}  // namespace isolume
