// The dielectric as a product over the atoms: of splines about their spheres, or of Gaussians.
#pragma once

#include <span>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

namespace isolume {

/// The share of the solvent: of an atom 0 up to R - w from its centre, 1 from R + w on, between them
/// 3/4 (s/w)^2 - 1/4 (s/w)^3 with s = distance - R + w; of all atoms the product (Im, Beglov, Roux, Comput. Phys.
/// Commun. 111, 59 (1998)). Of degree 7, 35 t^4 - 84 t^5 + 70 t^6 - 20 t^7 with t = s/(2 w): three derivatives are 0 at
/// both ends (Schnieders, Baker, Ren, Ponder, J. Chem. Phys. 126, 124114 (2007)).
struct PbSpline {
  std::vector<float> node;     ///< at the nodes
  std::vector<float> x, y, z;  ///< in the middle of the edge to the next node along the axis
};

/// `problem` has its box; `width` is w, `degree` 3 or 7.
PbSpline pb_spline(std::span<const ChargedSphere> atoms, double width, int degree, const PbProblem& problem, Job& job);

/// The same of factors 1 - exp(-r^2 / (sigma R)^2); charges have a radius of 1 angstrom or more.
PbSpline pb_gaussian(std::span<const ChargedSphere> atoms, double sigma, const PbProblem& problem, Job& job);

}  // namespace isolume
