// Ion placement: checks, the choice of the body, and the decision between sites that are nearly equal.
#include "compute/sampling/ion_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/memory.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/sampling/ion_placement_bodies.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

void check(const IonSites& sites, std::span<const double> charges, const IonPlacementOptions& options) {
  if (!(options.dielectric >= 1) || !std::isfinite(options.dielectric) || !(options.ion_distance >= 0) ||
      !std::isfinite(options.ion_distance))
    throw Error(fmt::format("ions: a dielectric of 1 or more and a distance of 0 or more are needed, not {} and {} "
                            "angstrom",
                            options.dielectric, options.ion_distance),
                Error::Kind::usage);
  if (sites.potential.size() != sites.places.size())
    throw Error(fmt::format("ions: {} potentials for {} sites", sites.potential.size(), sites.places.size()),
                Error::Kind::usage);
  if (sites.places.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("ions: more than 2^32 sites", Error::Kind::usage);
  for (const double charge : charges)
    if (!std::isfinite(charge) || charge == 0) throw Error("ions: a charge that is 0 or no number", Error::Kind::usage);
}

// The sums in double precision at the sites that may be the best: of the solute, and of the ions placed so far.
std::vector<double> exact_at(std::span<const PointCharge> solute, const IonSites& sites,
                             std::span<const std::uint32_t> at, const std::vector<PlacedIon>& placed,
                             std::span<const double> charges, Device device, Job& job) {
  std::vector<glm::dvec3> places;
  for (const std::uint32_t site : at) places.push_back(sites.places[site]);
  std::vector<double> values(places.size());
  exact_potential(solute, places, values, device, job);
  for (std::size_t n = 0; n < places.size(); ++n)
    for (std::size_t i = 0; i < placed.size(); ++i)
      values[n] += units::coulomb_volt_angstrom * charges[i] / glm::distance(places[n], sites.places[placed[i].site]);
  return values;
}

}  // namespace

std::vector<PlacedIon> place_ions(std::span<const PointCharge> solute, const IonSites& sites,
                                  std::span<const double> charges, const IonPlacementOptions& options, Device device,
                                  Job& job) {
  check(sites, charges, options);
  require_memory(ion_sites_memory(sites.places.size()), device, "ion placement");
  job.check();
  const std::unique_ptr<IonField> field = device.is_cuda() ? ion_field_cuda(sites, device) : ion_field_cpu(sites);
  const double kcal = units::ev_in_kcal_per_mol / options.dielectric;
  std::vector<PlacedIon> placed;
  for (std::size_t n = 0; n < charges.size(); ++n) {
    job.progress(static_cast<double>(n) / static_cast<double>(charges.size()), "ions");
    IonUpdate update{0, 0, 0, 0, -1};
    if (n > 0) {
      const glm::dvec3 last = sites.places[placed.back().site];
      const double closest = std::max(0.0, options.ion_distance - ion_rounding);
      update = {last.x, last.y, last.z, units::coulomb_volt_angstrom * charges[n - 1], closest * closest};
    }
    const IonBest best = field->step(update, charges[n], job);
    if (best.open == 0)
      throw Error(fmt::format("only {} of {} ions fit: no site is left that is {:g} angstrom from the others; lower "
                              "the distances or the count",
                              n, charges.size(), options.ion_distance),
                  Error::Kind::usage);
    const double doubt = 2 * sites.uncertainty * std::abs(charges[n]);
    IonHits hits = field->within(best.energy + doubt + ion_tie * std::abs(best.energy), charges[n], job);
    if (sites.uncertainty > 0) hits.values = exact_at(solute, sites, hits.sites, placed, charges, device, job);
    double lowest = std::numeric_limits<double>::infinity();
    for (const double value : hits.values) lowest = std::min(lowest, charges[n] * value);
    const double limit = lowest + ion_tie * std::abs(lowest);
    PlacedIon ion{0, 0, hits.next, 0, best.open};
    for (std::size_t i = hits.sites.size(); i-- > 0;) {
      const double energy = charges[n] * hits.values[i];
      if (energy <= limit) {
        ion.site = hits.sites[i];
        ion.energy = energy * kcal;
        ++ion.ties;
      } else {
        ion.gap = std::min(ion.gap, energy);
      }
    }
    ion.gap = (ion.gap - lowest) * kcal;
    placed.push_back(ion);
  }
  return placed;
}

}  // namespace isolume
