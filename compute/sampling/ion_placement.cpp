// Ion placement: checks, the choice of the body, and the decision between sites that are nearly equal.
#include "compute/sampling/ion_placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/sampling/ion_placement_bodies.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

void check(const IonSites& sites, std::span<const double> charges, const IonPlacementOptions& options, Device device) {
  if (!(options.dielectric >= 1) || !std::isfinite(options.dielectric) || !(options.ion_distance >= 0) ||
      !std::isfinite(options.ion_distance))
    throw Error(fmt::format("ions: a dielectric of 1 or more and a distance of 0 or more are needed, not {} and {} "
                            "angstrom",
                            options.dielectric, options.ion_distance),
                Error::Kind::usage);
  if (sites.map ? sites.points.empty() || sites.map->size() != sites.lattice.size() || sites.map->device() != device
                : sites.potential.size() != sites.size())
    throw Error(fmt::format("ions: the potential is not that of the {} sites on {}", sites.size(), to_string(device)),
                Error::Kind::usage);
  if (sites.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error("ions: more than 2^32 sites", Error::Kind::usage);
  for (const double charge : charges)
    if (!std::isfinite(charge) || charge == 0) throw Error("ions: a charge that is 0 or no number", Error::Kind::usage);
}

// The sums in double precision at the sites that may be the best: of the solute, whose charges go to the device once,
// and of the ions placed so far.
class ExactSums {
 public:
  ExactSums(std::span<const PointCharge> solute, const IonSites& sites, Device device)
      : solute_(solute), sites_(sites), device_(device) {
    if (device.is_cuda() && sites.uncertainty > 0)
      there_ = DeviceArray<PointCharge>::from_host(solute, device, "ions: charges");
  }

  std::vector<double> at(std::span<const std::uint32_t> sites, const std::vector<PlacedIon>& placed,
                         std::span<const double> charges, Job& job) const {
    std::vector<glm::dvec3> places, ions;
    for (const std::uint32_t site : sites) places.push_back(sites_.place(site));
    for (const PlacedIon& ion : placed) ions.push_back(sites_.place(ion.site));
    std::vector<double> values(places.size());
    exact_potential(solute_, places, values, device_, job, there_.empty() ? Span<const PointCharge>() : there_.span());
    for (std::size_t n = 0; n < places.size(); ++n)
      for (std::size_t i = 0; i < ions.size(); ++i)
        values[n] += units::coulomb_volt_angstrom * charges[i] / glm::distance(places[n], ions[i]);
    return values;
  }

 private:
  std::span<const PointCharge> solute_;
  const IonSites& sites_;
  Device device_;
  DeviceArray<PointCharge> there_;
};

}  // namespace

std::vector<float> ion_map_values(Span<const float> map, std::span<const std::size_t> at) {
  if (map.device.is_cuda()) return ion_map_values_cuda(map, at);
  std::vector<float> values;
  for (const std::size_t i : at) values.push_back(map.data[i]);
  return values;
}

std::vector<PlacedIon> place_ions(std::span<const PointCharge> solute, const IonSites& sites,
                                  std::span<const double> charges, const IonPlacementOptions& options, Device device,
                                  Job& job) {
  check(sites, charges, options, device);
  require_memory(ion_sites_memory(sites.size()), device, "ion placement");
  job.check();
  const std::unique_ptr<IonField> field = device.is_cuda() ? ion_field_cuda(sites, device) : ion_field_cpu(sites, job);
  const ExactSums exact(solute, sites, device);
  const double kcal = units::ev_in_kcal_per_mol / options.dielectric;
  std::vector<PlacedIon> placed;
  for (std::size_t n = 0; n < charges.size(); ++n) {
    job.progress(static_cast<double>(n) / static_cast<double>(charges.size()), "ions");
    IonUpdate update{0, 0, 0, 0, -1};
    if (n > 0) {
      const glm::dvec3 last = sites.place(placed.back().site);
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
    if (sites.uncertainty > 0) hits.values = exact.at(hits.sites, placed, charges, job);
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
