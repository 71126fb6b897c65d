// The reaction potential at a charge: a harmonic polynomial through the nodes of the solute about it.
#pragma once

#include "compute/electrostatics/poisson_boltzmann/pb_problem.h"

namespace isolume {

/// u at a point of the solute, where u is harmonic: the least-squares fit of the nine harmonic polynomials up to degree
/// 2 to the nodes of the solute among the 4 x 4 x 4 about the point, near ones weighing more. 0 where there is none.
double pb_harmonic_fit(const PbProblem& problem, std::span<const double> u, glm::dvec3 point);

}  // namespace isolume
