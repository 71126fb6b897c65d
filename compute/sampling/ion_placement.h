// Ion placement: ions one by one at the best point of the potential.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compute/base/device.h"
#include "compute/base/job.h"
#include "compute/electrostatics/charges/point_charge.h"
#include "compute/sampling/ion_sites.h"

namespace isolume {

struct IonPlacementOptions {
  double dielectric = 80;   ///< of all space, >= 1
  double ion_distance = 5;  ///< angstrom between ions, >= 0
};

/// One ion after it was placed.
struct PlacedIon {
  std::size_t site;        ///< index into the sites
  double energy;           ///< kcal/mol, in the potential of the solute and of the ions placed before
  double gap;              ///< kcal/mol to the next site of another energy; infinite where there is none
  std::size_t ties;        ///< sites of this energy (relative difference 1e-9), this one included
  std::size_t candidates;  ///< sites that were open
};

/// Places ions in the order of `charges` (e). Each goes to the open site where q V / dielectric is lowest; of sites
/// that are equal to 1e-9 of the energy the first. Then its own potential q / (4 pi eps0 r) is added everywhere, and
/// the sites nearer to it than ion_distance are closed (Stone et al., J. Comput. Chem. 28, 2618 (2007),
/// doi:10.1002/jcc.20829). Where the sites' potential is uncertain, all that could be the lowest are summed again in
/// double precision, so that the result is that of place_ions_reference().
///
/// @param solute  host memory, whose potential `sites` has
/// @param device  that updates and searches
/// Throws Error (usage) for wrong options and where an ion finds no open site, with how many did.
std::vector<PlacedIon> place_ions(std::span<const PointCharge> solute, const IonSites& sites,
                                  std::span<const double> charges, const IonPlacementOptions& options, Device device,
                                  Job& job);

/// The same in double precision with plain loops over all charges and ions at every step; for tests.
std::vector<PlacedIon> place_ions_reference(std::span<const PointCharge> solute, std::span<const glm::dvec3> places,
                                            std::span<const double> charges, const IonPlacementOptions& options);

}  // namespace isolume
