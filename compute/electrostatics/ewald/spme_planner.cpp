// The planner of SPME: what a choice of cutoff, order and mesh costs, and how far its forces are off.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <random>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/ewald/spme.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

using units::pi;

// Water of make_water_box(): atoms per angstrom^3, mean square charge, and the RMS force on an atom in kcal/(mol A).
constexpr double density = 0.1022;
constexpr double mean_square = (0.834 * 0.834 + 2 * 0.417 * 0.417) / 3;
constexpr double water_force = 23.85;
const double unit_force = units::coulomb_kcal_angstrom * mean_square * std::sqrt(density);

/// log10 of g in RMS mesh error = C q^2 sqrt(density alpha) g(alpha h), measured on water against a fine mesh
/// (`bench_spme errors`), by order (4 to 8) and alpha h.
constexpr std::array<double, 7> products{0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7};
constexpr std::array<std::array<double, 7>, 5> measured{{{-4.660, -4.165, -3.742, -3.377, -2.719, -2.113, -1.229},
                                                         {-5.844, -5.186, -4.637, -4.167, -3.313, -2.493, -1.161},
                                                         {-6.955, -6.150, -5.479, -4.897, -3.831, -2.922, -1.717},
                                                         {-8.011, -7.037, -6.249, -5.551, -4.273, -3.123, -1.538},
                                                         {-9.027, -7.895, -6.977, -6.153, -4.679, -3.487, -2.011}}};

double mesh_error(int order, double alpha, double h) {
  const auto& row = measured[static_cast<std::size_t>(order - 4)];
  const double x = std::log(alpha * h);
  std::size_t i = 0;
  while (i + 2 < products.size() && alpha * h > products[i + 1]) ++i;
  const double a = std::log(products[i]);
  const double b = std::log(products[i + 1]);
  const double g = row[i] + (row[i + 1] - row[i]) * (x - a) / (b - a);
  return std::sqrt(alpha) * std::pow(10.0, g);
}

/// Kolafa and Perram's estimate, in the same unit.
double pair_error(double alpha, double cutoff) {
  return 2 * std::exp(-alpha * alpha * cutoff * cutoff) / std::sqrt(cutoff);
}

double spacing_along(const Cell& cell, const SpmeOptions& o) {
  const glm::dvec3 edges = cell.lengths();
  return std::max({edges.x / o.mesh.x, edges.y / o.mesh.y, edges.z / o.mesh.z});
}

/// Seconds of each step per unit of its work, on a device.
struct Rates {
  double pairs = 0;      // a pair within the cutoff
  double spread = 0;     // a mesh point of an atom, there and back
  double transform = 0;  // a mesh point times log2 of their number, there and back, with the influence function
  double fixed = 0;      // an evaluation
};

Rates measure(Device device) {
  Rates r;
  // Two meshes on random charges, as dense as water.
  const double side = 48;
  std::mt19937 engine(3);
  const auto uniform = [&] { return static_cast<double>(engine()) * 0x1p-32; };
  ElectrostaticProblem problem;
  problem.cell = Cell{glm::dmat3(side)};
  std::vector<glm::vec3> positions;
  const auto atoms = static_cast<std::size_t>(density * side * side * side);
  for (std::size_t i = 0; i < atoms; ++i) {
    positions.emplace_back(glm::dvec3(uniform(), uniform(), uniform()) * side);
    problem.charges.push_back(i % 2 ? 0.5f : -0.5f);
  }
  const auto at = DeviceArray<glm::vec3>::from_host(positions, device, "measuring");
  DeviceArray<glm::vec3> forces(atoms, device, "measuring");
  SpmeOptions o;
  o.mesh = glm::ivec3(48);
  const auto method = spme_electrostatics(std::move(problem), o, device);
  Job job;
  std::map<std::string, double> least;
  for (int turn = 0; turn < 4; ++turn) {
    const LaunchRecord record;
    method->evaluate(at.span(), {forces.span(), {}, false}, job);
    std::map<std::string, double> now;
    for (const LaunchEntry& e : record.entries()) {
      const bool mesh = e.name == "mesh: charges" || e.name == "mesh: forces";
      const bool fourier = e.name.find("ransform") != std::string::npos || e.name == "mesh: influence";
      const bool pair = e.name == "pairs";
      now[mesh ? "spread" : fourier ? "transform" : pair ? "pairs" : "fixed"] += e.seconds;
    }
    for (const auto& [name, seconds] : now) {
      const auto known = least.find(name);
      if (known == least.end() || seconds < known->second) least[name] = seconds;
    }
  }
  const auto n = static_cast<double>(atoms);
  const double points = 48.0 * 48 * 48;
  r.pairs = least["pairs"] / (n * density * 4 / 3 * pi * 9 * 9 * 9);
  r.spread = least["spread"] / (n * 64);
  r.transform = least["transform"] / (points * std::log2(points));
  r.fixed = least["fixed"] / n;
  return r;
}

const Rates& rates(Device device) {
  static std::mutex mutex;
  static std::map<int, Rates> known;
  const std::lock_guard lock(mutex);
  const int key = device.is_cuda() ? device.index : -1;
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, measure(device)).first->second;
}

/// Of a map: every point sums the charges within the cutoff, and some next to it, and takes its share of the mesh.
double map_cost(const SpmeOptions& o, std::size_t points, std::size_t atoms, const Cell& cell, const Rates& r) {
  constexpr double next_to_it = 1.2;  // angstrom: a tile of points looks at the charges near all of them
  constexpr double of_a_pair = 0.05;  // what a point of the mesh costs, measured on an H200
  const double reach = o.cutoff + next_to_it;
  const double near = static_cast<double>(atoms) / cell.volume() * 4 / 3 * pi * reach * reach * reach;
  return static_cast<double>(points) * r.pairs * (near + of_a_pair * o.order * o.order * o.order);
}

double cost(const SpmeOptions& o, std::size_t atoms, std::size_t map_points, const Cell& cell, Device device) {
  const Rates& r = rates(device);
  const auto n = static_cast<double>(atoms);
  const double points = static_cast<double>(o.mesh.x) * o.mesh.y * o.mesh.z;
  const double neighbours = n / cell.volume() * 4 / 3 * pi * o.cutoff * o.cutoff * o.cutoff;
  const double pairs = map_points > 0 ? map_cost(o, map_points, atoms, cell, r) : n * neighbours * r.pairs;
  return pairs + n * o.order * o.order * o.order * r.spread + points * std::log2(points) * r.transform + n * r.fixed;
}

}  // namespace

double spme_expected_error(const SpmeOptions& options, const Cell& cell) {
  const SpmeOptions o = complete_spme(options, cell);
  const double pairs = pair_error(o.alpha, o.cutoff);
  const double mesh = mesh_error(o.order, o.alpha, spacing_along(cell, o));
  return std::sqrt(pairs * pairs + mesh * mesh) * unit_force / water_force;
}

std::vector<SpmePlanned> plan_spme(double accuracy, std::size_t atoms, const Cell& cell, Device device,
                                   double fixed_cutoff, std::size_t map_points) {
  constexpr double finest = 2e-6;
  if (!(accuracy >= finest)) {
    throw Error(fmt::format("SPME: an accuracy of {:g}; single precision reaches {:g}", accuracy, finest),
                Error::Kind::usage);
  }
  SpmeOptions probe;
  probe.cutoff = fixed_cutoff > 0 ? fixed_cutoff : 1e-3;
  complete_spme(probe, cell);
  const glm::dmat3 dual = glm::transpose(glm::inverse(cell.vectors));
  const double most = 0.5 / std::max({glm::length(dual[0]), glm::length(dual[1]), glm::length(dual[2])});
  std::vector<double> cutoffs;
  if (fixed_cutoff > 0) {
    cutoffs.push_back(fixed_cutoff);
  } else {
    // Maps have many more points than there are atoms: shorter cutoffs and finer meshes serve them better.
    if (map_points > 0)
      for (const double c : {3.0, 3.5, 4.0, 4.5, 5.0})
        if (c <= most) cutoffs.push_back(c);
    for (double c = 6; c <= 16; c += 1) {
      if (c <= most) cutoffs.push_back(c);
    }
    if (cutoffs.empty()) cutoffs.push_back(std::floor(most * 100) / 100);
  }
  // Each of the two parts may have its share of the error.
  const double share = accuracy / std::sqrt(2.0) * water_force / unit_force;
  std::vector<SpmePlanned> plans;
  for (const double cutoff : cutoffs) {
    SpmeOptions o;
    o.cutoff = cutoff;
    double low = 0;
    double high = 8 / cutoff;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (pair_error(middle, cutoff) > share ? low : high) = middle;
    }
    o.alpha = high;
    if (pair_error(o.alpha, cutoff) > share * 1.01) continue;
    for (o.order = 4; o.order <= 8; ++o.order) {
      double coarse = 3;
      while (coarse > 0.2 && mesh_error(o.order, o.alpha, coarse) > share) coarse *= 0.99;
      if (mesh_error(o.order, o.alpha, coarse) > share) continue;
      o.mesh = glm::ivec3(0);
      o.spacing = coarse;
      double points = 1;
      for (int axis = 0; axis < 3; ++axis) points *= std::ceil(cell.lengths()[axis] / coarse);
      if (points > 1e9) continue;
      SpmePlanned plan{complete_spme(o, cell), 0, 0};
      plan.expected_error = spme_expected_error(plan.options, cell);
      plan.seconds = cost(plan.options, atoms, map_points, cell, device);
      plans.push_back(plan);
    }
  }
  if (plans.empty()) {
    throw Error(
        fmt::format("SPME: no cutoff up to {:.4g} angstrom and no mesh gives an accuracy of {:g}", most, accuracy),
        Error::Kind::usage);
  }
  std::sort(plans.begin(), plans.end(),
            [](const SpmePlanned& a, const SpmePlanned& b) { return a.seconds < b.seconds; });
  if (plans.size() > 8) plans.resize(8);
  return plans;
}

}  // namespace isolume
