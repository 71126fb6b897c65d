// Bader's atoms: the weight method on a grid, and integrals over atomic grids.
#include "compute/electron_density/bader.h"

#include <fmt/core.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "compute/base/checks.h"
#include "compute/base/device_array.h"
#include "compute/base/parallel_for.h"
#include "compute/electron_density/density_derivatives.h"
#include "compute/electron_density/density_measures.h"
#include "compute/electron_density/hirshfeld.h"
#include "compute/orbitals/electron_density.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "molecule/elements.h"

namespace isolume {
namespace {

constexpr double near_nucleus = 0.5;      // angstrom
constexpr double least_maximum = 1e-3;    // bohr^-3
constexpr double least_of_volume = 1e-3;  // bohr^-3
constexpr float least_part = 1e-6f;
constexpr double least_amount = 1e-9;  // electrons of a point whose path is not worth while

void check_right_angles(const Grid& grid) {
  check_grid(grid, "Bader's basins");
  for (int a = 0; a < 3; ++a) {
    const glm::dvec3 u = grid.step[a], v = grid.step[(a + 1) % 3];
    if (std::abs(glm::dot(u, v)) > 1e-9 * glm::length(u) * glm::length(v))
      throw Error("Bader's basins need a grid with right angles", Error::Kind::usage);
  }
  if (grid.size() > std::numeric_limits<std::uint32_t>::max())
    throw Error(fmt::format("Bader's basins: {} points are more than 2^32", grid.size()), Error::Kind::usage);
}

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

BaderBasins::BaderBasins(std::span<const float> density, const Grid& grid, std::span<const glm::dvec3> nuclei, Job& job)
    : grid_(grid),
      to_grid_(glm::inverse(grid.step)),
      maxima_(nuclei.begin(), nuclei.end()),
      has_maximum_(nuclei.size(), false) {
  check_right_angles(grid);
  if (density.size() != grid.size())
    throw Error(fmt::format("Bader's basins: {} values for a grid of {} points", density.size(), grid.size()),
                Error::Kind::usage);
  if (nuclei.empty()) throw Error("Bader's basins need nuclei", Error::Kind::usage);
  std::vector<std::uint32_t> order(grid.size());
  std::iota(order.begin(), order.end(), 0u);
  oneapi::tbb::parallel_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return density[a] != density[b] ? density[a] > density[b] : a < b;
  });
  job.check();
  owners_.assign(grid.size(),
                 std::numeric_limits<std::int32_t>::min());  // not yet known
  const auto counts = glm::u64vec3(grid.counts);
  const std::size_t strides[3] = {1, counts.x, counts.x * counts.y};
  double faces[3];  // over the distance
  for (int axis = 0; axis < 3; ++axis) faces[axis] = 1 / glm::dot(grid.step[axis], grid.step[axis]);
  std::vector<Share> sums;
  for (std::size_t n = 0; n < order.size(); ++n) {
    if (n % 65536 == 0) {
      job.check();
      job.progress(static_cast<double>(n) / static_cast<double>(order.size()), "basins");
    }
    const std::size_t point = order[n];
    const std::size_t at[3] = {point % counts.x, point / counts.x % counts.y, point / counts.x / counts.y};
    std::array<std::size_t, 6> higher;
    std::array<double, 6> flows;
    std::size_t count = 0;
    double all = 0;
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool up : {false, true}) {
        if (up ? at[axis] + 1 >= counts[axis] : at[axis] == 0) continue;
        const std::size_t other = up ? point + strides[axis] : point - strides[axis];
        if (owners_[other] == std::numeric_limits<std::int32_t>::min()) continue;
        higher[count] = other;
        flows[count] = faces[axis] * (double{density[other]} - double{density[point]});
        all += flows[count++];
      }
    }
    if (count == 0) {
      const glm::dvec3 place =
          units::angstrom_in_bohr *
          grid.point(static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2]));
      owners_[point] = static_cast<std::int32_t>(basin_of_maximum(place, density[point], nuclei));
      continue;
    }
    if (!(all > 0)) {  // as large as its neighbours
      owners_[point] = owners_[higher[0]];
      continue;
    }
    const std::int32_t first = owners_[higher[0]];
    const bool same = first >= 0 && std::all_of(higher.begin(), higher.begin() + count,
                                                [&](std::size_t h) { return owners_[h] == first; });
    if (same) {
      owners_[point] = first;
      continue;
    }
    sums.clear();
    for (std::size_t h = 0; h < count; ++h) {
      Share own{};
      for (const Share& share : shares(higher[h], own)) {
        const auto found = std::ranges::find(sums, share.basin, &Share::basin);
        const auto part = static_cast<float>(flows[h] / all) * share.part;
        if (found == sums.end()) {
          sums.push_back({share.basin, part});
        } else {
          found->part += part;
        }
      }
    }
    std::erase_if(sums, [](const Share& share) { return share.part < least_part; });
    float whole = 0;
    for (const Share& share : sums) whole += share.part;
    for (Share& share : sums) share.part /= whole;
    if (sums.size() == 1) {
      owners_[point] = static_cast<std::int32_t>(sums[0].basin);
      continue;
    }
    owners_[point] = -1 - static_cast<std::int32_t>(firsts_.size());
    firsts_.push_back(static_cast<std::uint32_t>(shares_.size()));
    shares_.insert(shares_.end(), sums.begin(), sums.end());
  }
  firsts_.push_back(static_cast<std::uint32_t>(shares_.size()));
  set_certain(job);
}

void BaderBasins::set_certain(Job& job) {
  // Points that are not like their neighbours, then what is within three points
  // of those, axis by axis.
  constexpr int reach = 3;
  const glm::ivec3 n = grid_.counts;
  std::vector<std::uint8_t> near(grid_.size(), 0);
  const std::size_t strides[3] = {1, static_cast<std::size_t>(n.x),
                                  static_cast<std::size_t>(n.x) * static_cast<std::size_t>(n.y)};
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        const std::size_t at = grid_.index(i, j, k);
        const int place[3] = {i, j, k};
        bool unlike = owners_[at] < 0;
        for (int axis = 0; axis < 3 && !unlike; ++axis)
          unlike = place[axis] + 1 < n[axis] && owners_[at + strides[axis]] != owners_[at];
        near[at] = unlike;
      }
    }
  }
  std::vector<std::uint8_t> wider(near.size());
  for (int axis = 0; axis < 3; ++axis) {
    job.check();
    for (int k = 0; k < n.z; ++k) {
      for (int j = 0; j < n.y; ++j) {
        for (int i = 0; i < n.x; ++i) {
          const int place[3] = {i, j, k};
          const std::size_t at = grid_.index(i, j, k);
          std::uint8_t any = 0;
          for (int d = std::max(-reach, -place[axis]); d <= std::min(reach, n[axis] - 1 - place[axis]); ++d)
            any |= near[at + static_cast<std::size_t>(d) * strides[axis]];
          wider[at] = any;
        }
      }
    }
    near.swap(wider);
  }
  certain_.resize(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) certain_[i] = near[i] == 0;
}

std::int32_t BaderBasins::certain(glm::dvec3 point) const {
  const glm::dvec3 at = glm::round(to_grid_ * (units::bohr_in_angstrom * point - grid_.origin));
  for (int axis = 0; axis < 3; ++axis) {
    if (!(at[axis] >= 0 && at[axis] <= grid_.counts[axis] - 1)) return -1;
  }
  const std::size_t index = grid_.index(static_cast<int>(at.x), static_cast<int>(at.y), static_cast<int>(at.z));
  return certain_[index] ? owners_[index] : -1;
}

std::size_t BaderBasins::basin_of_maximum(glm::dvec3 place, float density, std::span<const glm::dvec3> nuclei) {
  std::size_t nearest = 0;
  for (std::size_t a = 1; a < nuclei.size(); ++a) {
    if (glm::distance(place, nuclei[a]) < glm::distance(place, nuclei[nearest])) nearest = a;
  }
  double step = 0;
  for (int axis = 0; axis < 3; ++axis) step = std::max(step, glm::length(grid_.step[axis]));
  const double near = units::angstrom_in_bohr * std::max(near_nucleus, 2 * step);
  if (glm::distance(place, nuclei[nearest]) <= near) {
    has_maximum_[nearest] = true;
    return nearest;
  }
  if (double{density} < least_maximum) return nearest;
  maxima_.push_back(place);
  return maxima_.size() - 1;
}

std::span<const BaderBasins::Share> BaderBasins::shares(std::size_t point, Share& own) const {
  const std::int32_t owner = owners_[point];
  if (owner >= 0) {
    own = {static_cast<std::uint32_t>(owner), 1};
    return {&own, 1};
  }
  const auto list = static_cast<std::size_t>(-1 - owner);
  const std::size_t end = list + 1 < firsts_.size() ? firsts_[list + 1] : shares_.size();
  return {shares_.data() + firsts_[list], end - firsts_[list]};
}

std::vector<std::size_t> BaderBasins::without_maximum() const {
  std::vector<std::size_t> atoms;
  for (std::size_t a = 0; a < has_maximum_.size(); ++a) {
    if (!has_maximum_[a]) atoms.push_back(a);
  }
  return atoms;
}

void BaderBasins::add(glm::dvec3 point, double amount, std::span<double> sums) const {
  const glm::dvec3 inside = glm::clamp(to_grid_ * (units::bohr_in_angstrom * point - grid_.origin), glm::dvec3(0),
                                       glm::dvec3(grid_.counts - 1));
  const glm::ivec3 first = glm::min(glm::ivec3(inside), glm::max(grid_.counts - 2, 0));
  const glm::dvec3 part = inside - glm::dvec3(first);
  for (int corner = 0; corner < 8; ++corner) {
    double weight = amount;
    glm::ivec3 at = first;
    for (int axis = 0; axis < 3; ++axis) {
      const bool up = corner >> axis & 1;
      weight *= up ? part[axis] : 1 - part[axis];
      at[axis] = std::min(at[axis] + up, grid_.counts[axis] - 1);
    }
    if (weight == 0) continue;
    Share own{};
    for (const Share& share : shares(grid_.index(at.x, at.y, at.z), own))
      sums[share.basin] += weight * double{share.part};
  }
}

std::vector<double> BaderBasins::volumes(std::span<const float> density, double least) const {
  std::vector<double> sums(size(), 0.0);
  for (std::size_t i = 0; i < density.size(); ++i) {
    if (double{density[i]} < least) continue;
    Share own{};
    for (const Share& share : shares(i, own)) sums[share.basin] += double{share.part};
  }
  const double cell = std::abs(glm::determinant(grid_.step)) * std::pow(units::angstrom_in_bohr, 3);
  for (double& sum : sums) sum *= cell;
  return sums;
}

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
  check_right_angles(grid);
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

std::size_t bader_memory(const Grid& grid) {
  // The density twice while it comes back, the order, the owners; a tenth of
  // the points with four parts.
  return grid.size() * (2 * sizeof(float) + sizeof(std::uint32_t) + sizeof(std::int32_t) + 6);
}

}  // namespace isolume
