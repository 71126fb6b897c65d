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

/// The spacing (angstrom, two digits after the point) at which an edge of this length has about 256 steps, at least
/// half an angstrom: of grids on which the Poisson-Boltzmann equation is solved.
inline double usual_spacing_of_solution(double longest_edge) {
  return std::max(0.5, std::ceil(longest_edge / 256 * 100) / 100);
}

}  // namespace isolume
