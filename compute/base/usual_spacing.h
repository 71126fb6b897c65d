// The spacing of a grid where none is asked for.
#pragma once

#include <algorithm>
#include <cmath>

namespace isolume {

/// The spacing (angstrom, two digits after the point) at which a box of `volume` cubic angstrom has about `points`
/// points, within `finest` and `coarsest`.
inline double usual_spacing(double volume, double points, double finest, double coarsest) {
  return std::ceil(std::clamp(std::cbrt(volume / points), finest, coarsest) * 100) / 100;
}

}  // namespace isolume
