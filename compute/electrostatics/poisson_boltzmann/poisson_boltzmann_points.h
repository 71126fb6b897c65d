// The potential and the field of Poisson-Boltzmann at points.
#pragma once

#include <span>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"

namespace isolume {

struct PoissonBoltzmannPoints {
  std::vector<double> potential;     ///< V
  std::vector<double> errors;        ///< V: of each, the difference to the solution with steps twice as long
  std::vector<glm::dvec3> field;     ///< V/angstrom, -grad of the potential; empty where not asked for
  std::vector<double> field_errors;  ///< V/angstrom: lengths of the differences likewise
  PoissonBoltzmannResult solved;     ///< of the grid's steps
};

/// poisson_boltzmann() on the grid; the values at the points by trilinear
/// interpolation between the nodes on the point's side of the dielectric surface. In the solute what is interpolated
/// is the reaction potential, and Coulomb's is summed at the point. The field is the gradient of a polynomial of degree
/// 2 through the nodes on that side among the 4 x 4 x 4 about the point, and Coulomb's field in the solute. Throws
/// Error as that does, and (usage) for points outside of the grid.
PoissonBoltzmannPoints poisson_boltzmann_at(std::span<const ChargedSphere> atoms, const Grid& grid,
                                            const PoissonBoltzmannOptions& options, std::span<const glm::dvec3> points,
                                            Device device, Job& job, bool with_field = false);

}  // namespace isolume
