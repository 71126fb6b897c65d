// What groups of charges add to the potential of Poisson-Boltzmann at points.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "compute/over_time/group_potential.h"

namespace isolume {

struct PoissonBoltzmannShares {
  std::vector<GroupShare> shares;    ///< [point * groups + group]
  std::vector<GroupShare> totals;    ///< at every point: of all charges in one solution
  std::vector<double> errors;        ///< V: of each total's potential, estimated with steps twice as long
  std::vector<double> field_errors;  ///< V/angstrom: of each total's field likewise
  PoissonBoltzmannResult solved;     ///< of all charges
  std::size_t solutions = 0;         ///< of the equation
  bool by_reciprocity = false;       ///< a unit charge at each point, instead of each group alone
};

/// Contributions of groups to the linearised Poisson-Boltzmann potential and field at points. The solute's dielectric
/// and the ions' layer are those of all atoms, so that the equation is linear in the charges and contributions add up
/// to the total.
///
/// Its Green's function is symmetric: the potential at r of a unit charge at an atom is that at the atom of a unit
/// charge at r. Where all points are deep enough in the solute for such a charge, and that takes fewer solutions than
/// there are groups, one solution for each point gives the shares of all charges; six more, with the unit charge 0.1
/// angstrom to either side, give their fields. Else there is one solution for each group, as with
/// poisson_boltzmann_at(). A charge within 1e-4 angstrom of a point adds its reaction potential there, not its own
/// Coulomb potential. Throws Error (usage) for the non-linear equation, whose contributions do not add up, and as
/// poisson_boltzmann_at().
PoissonBoltzmannShares poisson_boltzmann_shares(std::span<const ChargedSphere> atoms, const ChargeGroups& groups,
                                                const Grid& grid, const PoissonBoltzmannOptions& options,
                                                std::span<const glm::dvec3> points, Job& job);

/// Refuses the non-linear equation, with the reason.
void check_shares(const PoissonBoltzmannOptions& options);

}  // namespace isolume
