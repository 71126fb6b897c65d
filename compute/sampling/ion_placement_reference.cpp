// Ion placement in plain double precision: every sum from its beginning at every step.
#include <cmath>
#include <limits>

#include "compute/sampling/ion_placement_bodies.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

std::vector<PlacedIon> place_ions_reference(std::span<const PointCharge> solute, std::span<const glm::dvec3> places,
                                            std::span<const double> charges, const IonPlacementOptions& options) {
  std::vector<PlacedIon> placed;
  for (const double charge : charges) {
    std::vector<double> energies(places.size(), std::numeric_limits<double>::infinity());
    PlacedIon ion{places.size(), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), 0,
                  0};
    for (std::size_t i = 0; i < places.size(); ++i) {
      bool open = true;
      double sum = 0;
      for (std::size_t n = 0; n < placed.size(); ++n) {
        const double r = glm::distance(places[i], places[placed[n].site]);
        open = open && r > 0 && r >= options.ion_distance - ion_rounding;
        sum += charges[n] / r;
      }
      if (!open) continue;
      ++ion.candidates;
      for (const PointCharge& c : solute)
        sum += static_cast<double>(c.charge) / glm::distance(places[i], glm::dvec3(c.position));
      energies[i] = units::coulomb_kcal_angstrom / options.dielectric * charge * sum;
      ion.energy = std::min(ion.energy, energies[i]);
    }
    if (ion.candidates == 0) throw Error("no site is left", Error::Kind::usage);
    const double lowest = ion.energy, limit = lowest + ion_tie * std::abs(lowest);
    for (std::size_t i = places.size(); i-- > 0;) {
      if (energies[i] <= limit) {
        ion.site = i;
        ion.energy = energies[i];
        ++ion.ties;
      } else {
        ion.gap = std::min(ion.gap, energies[i] - lowest);
      }
    }
    placed.push_back(ion);
  }
  return placed;
}

}  // namespace isolume
