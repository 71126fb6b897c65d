// Candidate sites of ions: a lattice without the points near atoms, and the solute's potential on it.
#include "compute/sampling/ion_sites.h"

#include <fmt/format.h>

#include <oneapi/tbb/parallel_sort.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <set>

#include "compute/base/memory.h"
#include "compute/base/parallel_for.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/direct/fast_direct.h"
#include "compute/sampling/ion_placement_bodies.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

constexpr double rounding = 1e-9;      // angstrom
constexpr double map_accuracy = 1e-5;  // of the fast sum, relative

double decimal(float value) {
  char text[48];
  const auto written = std::to_chars(text, text + sizeof text, value);
  double result = static_cast<double>(value);
  std::from_chars(text, written.ptr, result);
  return result;
}

}  // namespace

glm::dvec3 decimal_position(glm::vec3 position) {
  return {decimal(position.x), decimal(position.y), decimal(position.z)};
}

Grid ion_lattice(std::span<const glm::dvec3> atoms, double padding, double spacing) {
  if (atoms.empty()) throw Error("a lattice around no atoms", Error::Kind::usage);
  if (!(spacing > 0) || !(padding >= 0) || !std::isfinite(spacing + padding))
    throw Error(fmt::format("a lattice needs a spacing above 0 and a padding of 0 or more, not {} and {} angstrom",
                            spacing, padding),
                Error::Kind::usage);
  glm::dvec3 lower = atoms.front(), upper = atoms.front();
  for (const glm::dvec3& atom : atoms) {
    lower = glm::min(lower, atom);
    upper = glm::max(upper, atom);
  }
  const glm::dvec3 first = glm::floor((lower - padding) / spacing), last = glm::ceil((upper + padding) / spacing);
  const glm::dvec3 counts = last - first + 1.0;
  if (!(counts.x * counts.y * counts.z < 2147483648.0))
    throw Error(fmt::format("a lattice of {:g} angstrom over {:g} x {:g} x {:g} angstrom has more than 2^31 points; "
                            "choose a wider one (--spacing)",
                            spacing, upper.x - lower.x, upper.y - lower.y, upper.z - lower.z),
                Error::Kind::usage);
  Grid grid;
  grid.origin = first * spacing;
  grid.step = glm::dmat3(spacing);
  grid.counts = glm::ivec3(counts);
  return grid;
}

glm::ivec3 lattice_point(const Grid& lattice, std::uint32_t number) {
  LatticeWalk walk(lattice);
  walk.go(number);
  return walk.point();
}

glm::dvec3 IonSites::place(std::size_t site) const {
  if (points.empty()) return places[site];
  LatticeWalk walk(lattice);
  walk.go(points[site]);
  return walk.place();
}

LargeVector<std::uint32_t> free_lattice_points(const Grid& grid, std::span<const glm::dvec3> atoms, double distance,
                                               Job& job, std::uint64_t* tested) {
  const PhaseTimer timer("sites of ions");
  if (!grid.axis_aligned()) throw Error("the lattice of ions has edges along x, y and z", Error::Kind::usage);
  require_memory(grid.size() + atoms.size() * 24, Device::cpu(), "the lattice of ions");
  std::vector<glm::dvec3> sorted(atoms.begin(), atoms.end());
  oneapi::tbb::parallel_sort(sorted.begin(), sorted.end(),
                             [](const glm::dvec3& a, const glm::dvec3& b) { return a.x < b.x; });
  const double reach = std::max(0.0, distance - rounding);
  const glm::dvec3 step(grid.step[0][0], grid.step[1][1], grid.step[2][2]);
  const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y),
             nz = static_cast<std::size_t>(grid.counts.z), layer = ny * nz;
  LargeVector<std::uint8_t> taken(grid.size());  // x slowest; each layer's zeros are its thread's
  std::vector<std::size_t> open(nx + 1, 0);
  std::atomic<std::uint64_t> all_tested = 0;
  parallel_for(nx, job, "sites of ions", [&](std::size_t i) {
    const double x = grid.origin.x + static_cast<double>(i) * step.x;
    std::uint8_t* const at = &taken[i * layer];
    std::fill_n(at, layer, std::uint8_t{0});
    std::vector<int> left(ny, grid.counts.z);  // free points of each row
    std::size_t rest = layer;
    std::uint64_t compared = 0;
    const auto take = [&](const glm::dvec3& atom) {
      const double dx = x - atom.x, disc = reach * reach - dx * dx;
      if (disc <= 0) return;
      const double radius = std::sqrt(disc);
      const int j0 = std::max(0, static_cast<int>(std::ceil((atom.y - radius - grid.origin.y) / step.y)));
      const int j1 =
          std::min(grid.counts.y - 1, static_cast<int>(std::floor((atom.y + radius - grid.origin.y) / step.y)));
      for (int j = j0; j <= j1; ++j) {
        int& free = left[static_cast<std::size_t>(j)];
        if (free == 0) continue;
        const double dy = grid.origin.y + j * step.y - atom.y, over = disc - dy * dy;
        if (over <= 0) continue;
        const double half = std::sqrt(over);
        const int k0 = std::max(0, static_cast<int>(std::floor((atom.z - half - grid.origin.z) / step.z)));
        const int k1 =
            std::min(grid.counts.z - 1, static_cast<int>(std::ceil((atom.z + half - grid.origin.z) / step.z)));
        std::uint8_t* const row = at + static_cast<std::size_t>(j) * nz;
        int found = 0;
        for (int k = k0; k <= k1; ++k) {
          const double dz = grid.origin.z + k * step.z - atom.z;
          const auto near = static_cast<std::uint8_t>(dx * dx + dy * dy + dz * dz < reach * reach ? 1 : 0);
          found += near & (row[k] ^ 1);
          row[k] |= near;
        }
        compared += static_cast<std::uint64_t>(std::max(0, k1 - k0 + 1));
        free -= found;
        rest -= static_cast<std::size_t>(found);
      }
    };
    // Those nearest along x first, which take most.
    auto above =
        std::lower_bound(sorted.begin(), sorted.end(), x, [](const glm::dvec3& a, double to) { return a.x < to; });
    auto below = above;
    while (rest > 0) {
      const bool up = above != sorted.end() && above->x <= x + reach;
      const bool down = below != sorted.begin() && std::prev(below)->x >= x - reach;
      if (!up && !down) break;
      if (up && (!down || above->x - x <= x - std::prev(below)->x)) {
        take(*above++);
      } else {
        take(*--below);
      }
    }
    all_tested += compared;
    open[i + 1] = rest;
  });
  if (tested) *tested = all_tested;
  for (std::size_t i = 0; i < nx; ++i) open[i + 1] += open[i];
  require_memory(open[nx] * sizeof(std::uint32_t), Device::cpu(), "the sites of ions");
  LargeVector<std::uint32_t> points(open[nx]);
  parallel_for(nx, job, "sites of ions", [&](std::size_t i) {
    std::size_t n = open[i];
    if (open[i] == open[i + 1]) return;
    for (std::size_t p = i * layer; p < (i + 1) * layer; ++p)
      if (taken[p] == 0) points[n++] = static_cast<std::uint32_t>(p);
  });
  return points;
}

std::vector<std::uint32_t> free_places(std::span<const glm::dvec3> places, std::span<const glm::dvec3> atoms,
                                       double distance, Job& job) {
  const double reach = std::max(0.0, distance - rounding);
  std::vector<glm::dvec3> sorted(atoms.begin(), atoms.end());
  std::sort(sorted.begin(), sorted.end(), [](const glm::dvec3& a, const glm::dvec3& b) { return a.x < b.x; });
  std::vector<std::uint8_t> open(places.size(), 1);
  constexpr std::size_t block = 256;
  parallel_for((places.size() + block - 1) / block, job, "sites of ions", [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(places.size(), (b + 1) * block); ++i) {
      auto atom = std::lower_bound(sorted.begin(), sorted.end(), places[i].x - reach,
                                   [](const glm::dvec3& a, double low) { return a.x < low; });
      for (; atom != sorted.end() && atom->x <= places[i].x + reach; ++atom) {
        const glm::dvec3 d = *atom - places[i];
        if (glm::dot(d, d) >= reach * reach) continue;
        open[i] = 0;
        break;
      }
    }
  });
  std::vector<std::uint32_t> result;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (open[i] != 0) result.push_back(static_cast<std::uint32_t>(i));
  return result;
}

std::size_t most_apart(const IonSites& sites, double distance, std::size_t enough, Job& job) {
  const std::size_t count = sites.size();
  // A little less than the cube whose diagonal is the distance, so that its corners are not as far from each other.
  const double edge = (distance - rounding) / std::sqrt(3.0) * (1 - 1e-9);
  if (count == 0 || !(edge > 0)) return count;
  glm::dvec3 lower = sites.lattice.origin;
  if (sites.points.empty()) lower = glm::dvec3(std::numeric_limits<double>::max());
  LatticeWalk walk(sites.lattice);
  const auto place = [&](std::size_t i) {
    if (sites.points.empty()) return sites.places[i];
    walk.go(sites.points[i]);
    return walk.place();
  };
  for (const glm::dvec3& p : sites.places) lower = glm::min(lower, p);
  std::set<std::array<double, 3>> cubes;
  for (std::size_t i = 0; i < count && cubes.size() < enough; ++i) {
    if (i % 65536 == 0) job.check();
    const glm::dvec3 cube = glm::floor((place(i) - lower) / edge);
    cubes.insert({cube.x, cube.y, cube.z});
  }
  return cubes.size();
}

std::vector<glm::dvec3> atoms_and_images(std::span<const glm::dvec3> atoms, const Cell& cell, const Grid& grid,
                                         double reach) {
  std::vector<glm::dvec3> all(atoms.begin(), atoms.end());
  if (!cell.exists()) return all;
  const glm::dvec3 lower = grid.origin - reach,
                   upper = grid.point(grid.counts.x - 1, grid.counts.y - 1, grid.counts.z - 1) + reach;
  for (int n = 0; n < 125; ++n) {
    const glm::dvec3 steps(n % 5 - 2, n / 5 % 5 - 2, n / 25 - 2);
    if (steps == glm::dvec3(0)) continue;
    const glm::dvec3 shift = cell.vectors * steps;
    for (const glm::dvec3& atom : atoms) {
      const glm::dvec3 p = atom + shift;
      if (glm::all(glm::greaterThanEqual(p, lower)) && glm::all(glm::lessThanEqual(p, upper))) all.push_back(p);
    }
  }
  return all;
}

void fill_site_potential(std::span<const PointCharge> charges, IonSites& sites, Device device, Job& job,
                         double exact_pairs) {
  const std::size_t count = sites.size();
  sites.potential.clear();
  sites.map.reset();
  sites.uncertainty = 0;
  const double pairs = static_cast<double>(count) * static_cast<double>(charges.size());
  if (sites.points.empty() || pairs <= exact_pairs) {
    std::vector<glm::dvec3> places = sites.places;
    if (!sites.points.empty()) {
      places.resize(count);
      for (std::size_t i = 0; i < count; ++i) places[i] = sites.place(i);
    }
    sites.potential.resize(count);
    exact_potential(charges, places, sites.potential, device, job);
    return;
  }
  auto map = std::make_shared<DeviceArray<float>>(sites.lattice.size(), device, "potential of the lattice of ions");
  fast_direct_potential(charges, sites.lattice, {map_accuracy}, map->span(), job);
  std::mt19937_64 random(5);
  std::vector<glm::dvec3> sampled;
  std::vector<std::size_t> at;
  for (int n = 0; n < 4096 && count > 0; ++n) {
    const std::uint32_t number = sites.points[static_cast<std::size_t>(random() % count)];
    const glm::ivec3 p = lattice_point(sites.lattice, number);
    sampled.push_back(sites.lattice.point(p.x, p.y, p.z));
    at.push_back(sites.lattice.index(p.x, p.y, p.z));
  }
  const std::vector<float> found = ion_map_values(map->span(), at);
  std::vector<double> exact(sampled.size());
  exact_potential(charges, sampled, exact, device, job);
  double largest = 0;
  for (std::size_t n = 0; n < exact.size(); ++n)
    largest = std::max(largest, std::abs(exact[n] - static_cast<double>(found[n])));
  sites.map = std::move(map);
  sites.uncertainty = 4 * largest;
}

std::size_t ion_sites_memory(std::size_t sites) {
  return sites * (sizeof(glm::dvec3) + 2 * sizeof(double) + sizeof(std::uint32_t));
}

}  // namespace isolume
