// Bader's charges: integrals over atomic grids, with paths along the gradient near the surfaces.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/base/device_array.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/electron_density/topology/bader.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

constexpr double least_of_volume = 1e-3;  // bohr^-3
constexpr double least_amount = 1e-9;     // electrons of a point whose path is not worth while

/// Where a path upwards has come to a nucleus, bohr. The maximum next to a
/// hydrogen is up to 0.1 bohr from it.
double end_of_path(int element) {
  return element == 1 ? 0.12 : 0.3;
}

/// Paths that follow the gradient upwards, all at once.
class Paths {
 public:
  Paths(const DensityEvaluator& evaluator, const BaderBasins& basins, std::span<const glm::dvec3> nuclei,
        std::span<const int> elements, Device device)
      : evaluator_(evaluator), basins_(basins), nuclei_(nuclei), elements_(elements), device_(device) {}

  /// Basins of points; -1 where a path found no end.
  std::vector<std::int32_t> follow(std::vector<glm::dvec3> places, Job& job) const {
    std::vector<std::int32_t> ends(places.size(), -1);
    std::vector<std::uint32_t> left(places.size());
    std::iota(left.begin(), left.end(), 0u);
    for (int step = 0; step < most_steps && !left.empty(); ++step) {
      const std::vector<glm::dvec3> first = directions(places, job);
      std::vector<glm::dvec3> middles(places.size());
      std::vector<double> lengths(places.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        lengths[i] = std::clamp(0.2 * nearest(places[i]).second, 0.02, 0.1);
        middles[i] = places[i] + 0.5 * lengths[i] * first[i];
      }
      const std::vector<glm::dvec3> second = directions(middles, job);
      std::size_t kept = 0;
      for (std::size_t i = 0; i < places.size(); ++i) {
        const glm::dvec3 to = places[i] + lengths[i] * second[i];
        const std::int32_t end = end_at(to);
        if (end >= 0) {
          ends[left[i]] = end;
          continue;
        }
        if (second[i] == glm::dvec3(0)) continue;  // nothing draws it anywhere
        places[kept] = to;
        left[kept++] = left[i];
      }
      places.resize(kept);
      left.resize(kept);
    }
    return ends;
  }

 private:
  static constexpr int most_steps = 300;

  std::vector<glm::dvec3> directions(std::span<const glm::dvec3> places, Job& job) const {
    std::vector<glm::dvec3> ways;
    ways.reserve(places.size());
    for (const DensityDerivatives& value : evaluator_.at(places, DensityOrder::gradient, job, device_)) {
      const double length = glm::length(value.gradient);
      ways.push_back(length > 1e-12 ? value.gradient / length : glm::dvec3(0));
    }
    return ways;
  }
  std::pair<std::size_t, double> nearest(glm::dvec3 place) const {
    std::pair<std::size_t, double> best{0, 1e300};
    for (std::size_t a = 0; a < nuclei_.size(); ++a) {
      const double distance = glm::distance(place, nuclei_[a]);
      if (distance < best.second) best = {a, distance};
    }
    return best;
  }
  std::int32_t end_at(glm::dvec3 place) const {
    const auto [atom, distance] = nearest(place);
    if (distance < end_of_path(elements_[atom])) return static_cast<std::int32_t>(atom);
    return basins_.certain(place);
  }

  const DensityEvaluator& evaluator_;
  const BaderBasins& basins_;
  std::span<const glm::dvec3> nuclei_;
  std::span<const int> elements_;
  Device device_;
};

/// Adds the electrons of the basins, by an atomic grid about each nucleus.
std::vector<double> integrate(const DensityEvaluator& evaluator, const BaderBasins& basins,
                              std::span<const glm::dvec3> nuclei, std::span<const int> elements,
                              const AtomicGridSize& size, Device device, BaderCharges& result, Job& job) {
  const Paths paths(evaluator, basins, nuclei, elements, device);
  std::vector<double> sums(basins.size(), 0.0);
  result.electrons = 0;
  result.points = result.traced = 0;
  for (std::size_t centre = 0; centre < nuclei.size(); ++centre) {
    job.progress(static_cast<double>(centre) / static_cast<double>(nuclei.size()), "Bader charges");
    const AtomicGrid around = atomic_grid(nuclei, elements, centre, size);
    result.points += around.points.size();
    Job quiet;
    const auto values = evaluator.at(around.points, DensityOrder::value, quiet, device);
    job.check();
    std::vector<glm::dvec3> starts;
    std::vector<std::size_t> of_start;
    // In order, so that the number of threads does not matter.
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double amount = values[i].density * around.weights[i];
      result.electrons += amount;
      const std::int32_t basin = basins.certain(around.points[i]);
      if (basin >= 0) {
        sums[static_cast<std::size_t>(basin)] += amount;
      } else if (amount < least_amount) {
        basins.add(around.points[i], amount, sums);
      } else {
        starts.push_back(around.points[i]);
        of_start.push_back(i);
      }
    }
    result.traced += starts.size();
    const std::vector<std::int32_t> ends = paths.follow(std::move(starts), job);
    for (std::size_t n = 0; n < ends.size(); ++n) {
      const std::size_t i = of_start[n];
      const double amount = values[i].density * around.weights[i];
      if (ends[n] >= 0) {
        sums[static_cast<std::size_t>(ends[n])] += amount;
      } else {
        basins.add(around.points[i], amount, sums);
      }
    }
  }
  return sums;
}

}  // namespace

BaderCharges bader_charges(const Orbitals& orbitals, std::span<const int> elements, std::span<const double> charges,
                           const Grid& grid, Device device, Job& job) {
  const std::size_t atoms = orbitals.centres.size();
  if (elements.size() != atoms || charges.size() != atoms)
    throw Error("Bader: an element and a charge for each centre are needed", Error::Kind::usage);
  for (std::size_t a = 0; a < atoms; ++a) {
    if (std::abs(charges[a] - elements[a]) < 1e-6) continue;
    throw Error(fmt::format("Bader: atom {} ({}) has an effective core ({:g} e "
                            "left), so that its density has no "
                            "maximum at the nucleus",
                            a + 1, element(elements[a]).symbol, charges[a]),
                Error::Kind::usage);
  }
  const SpinEvaluator spins(orbitals, false);
  std::vector<float> density;
  {
    DeviceArray<float> values(grid.size(), device, "density of the basins");
    measure_on_grid(spins, *find_density_measure("electron"), grid, values.span(), job);
    density = values.copy_to_host();
  }
  const BaderBasins basins(density, grid, orbitals.centres, job);
  const DensityEvaluator evaluator(orbitals, density_weights(orbitals, DensityKind::electron));
  BaderCharges result;
  const auto sums_of = [&](const AtomicGridSize& size) {
    return integrate(evaluator, basins, orbitals.centres, elements, size, device, result, job);
  };
  const std::vector<double> fewer = sums_of({80, 16}), sums = sums_of({80, 24});
  const std::vector<double> volumes = basins.volumes(density, least_of_volume);
  for (std::size_t a = 0; a < atoms; ++a) {
    result.charges.push_back(charges[a] - sums[a]);
    result.volumes.push_back(volumes[a]);
    result.change = std::max(result.change, std::abs(sums[a] - fewer[a]));
  }
  for (std::size_t b = atoms; b < basins.size(); ++b) result.others.push_back({basins.maxima()[b], sums[b]});
  result.no_maximum = basins.without_maximum();
  return result;
}

}  // namespace isolume
