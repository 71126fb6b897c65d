// The planner of SPME: what a choice of cutoff, order and mesh costs, and how far its forces are off.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <random>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/ewald/spme_map.h"
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

constexpr double side = 48;  // of the cell in which rates are measured

/// Random charges, as dense as water.
std::vector<PointCharge> charges_to_measure() {
  std::mt19937 engine(3);
  const auto uniform = [&] { return static_cast<double>(engine()) * 0x1p-32; };
  std::vector<PointCharge> charges(static_cast<std::size_t>(density * side * side * side));
  for (std::size_t i = 0; i < charges.size(); ++i) {
    charges[i].position = glm::dvec3(uniform(), uniform(), uniform()) * side;
    charges[i].charge = i % 2 ? 0.5f : -0.5f;
  }
  return charges;
}

Rates measure(Device device) {
  Rates r;
  ElectrostaticProblem problem;
  problem.cell = Cell{glm::dmat3(side)};
  std::vector<glm::vec3> positions;
  for (const PointCharge& charge : charges_to_measure()) {
    positions.push_back(charge.position);
    problem.charges.push_back(charge.charge);
  }
  const std::size_t atoms = positions.size();
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

/// The same for a map of the potential.
struct MapRates {
  double pairs = 0;   // a point and an atom that it meets
  double gather = 0;  // a mesh point of a point
};

/// Atoms that a point meets. Points go through the atoms together that are around a tile of them (CPU), or a warp's
/// points (CUDA).
double met_by_a_point(double per_volume, double cutoff, Device device) {
  const double reach = cutoff + (device.is_cuda() ? 1.2 : 2.8);
  return per_volume * 4 / 3 * pi * reach * reach * reach;
}

MapRates measure_map(Device device) {
  const Cell cell{glm::dmat3(side)};
  SpmeOptions o;
  o.cutoff = 4;
  o.mesh = glm::ivec3(48);
  const std::vector<PointCharge> charges = charges_to_measure();
  const int count = device.is_cuda() ? 128 : 48;
  Grid grid;
  grid.counts = glm::ivec3(count);
  grid.step = glm::dmat3(side / count);
  DeviceArray<float> values(grid.size(), device, "measuring");
  Job job;
  const auto least = [&](SpmeMap what) {
    SpmeField field(charges, cell, o, what, device, job);
    double seconds = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 3; ++turn) {
      const auto begin = std::chrono::steady_clock::now();
      field.map(grid, values.span(), job);
      seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return seconds;
  };
  const double mesh = least(SpmeMap::smooth), all = least(SpmeMap::full);
  const auto points = static_cast<double>(grid.size());
  return {std::max(0.0, all - mesh) / (points * met_by_a_point(density, o.cutoff, device)), mesh / (points * 64)};
}

/// Measured at the first use.
template <class Measured>
const Measured& kept(Device device, Measured (*measured_on)(Device)) {
  static std::mutex mutex;
  static std::map<int, Measured> known;
  const std::lock_guard lock(mutex);
  const int key = device.is_cuda() ? device.index : -1;
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, measured_on(device)).first->second;
}

double points_of(const SpmeOptions& o) {
  return static_cast<double>(o.mesh.x) * o.mesh.y * o.mesh.z;
}

double cost(const SpmeOptions& o, std::size_t atoms, const Cell& cell, Device device) {
  const Rates& r = kept(device, measure);
  const auto n = static_cast<double>(atoms);
  const double points = points_of(o);
  const double neighbours = n / cell.volume() * 4 / 3 * pi * o.cutoff * o.cutoff * o.cutoff;
  return n * neighbours * r.pairs + n * o.order * o.order * o.order * r.spread +
         points * std::log2(points) * r.transform + n * r.fixed;
}

double map_cost(const SpmeOptions& o, std::size_t atoms, std::size_t map_points, const Cell& cell, Device device) {
  const Rates& r = kept(device, measure);
  const MapRates& m = kept(device, measure_map);
  const auto n = static_cast<double>(atoms), at = static_cast<double>(map_points);
  const double points = points_of(o), splines = o.order * o.order * o.order;
  return at * (met_by_a_point(n / cell.volume(), o.cutoff, device) * m.pairs + splines * m.gather) +
         n * splines * r.spread + points * std::log2(points) * r.transform + n * r.fixed;
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
    const double least = map_points > 0 ? 3 : 6;
    for (double c = least; c <= 16; c += c < 6 ? 0.5 : 1) {
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
      plan.seconds = map_points > 0 ? map_cost(plan.options, atoms, map_points, cell, device)
                                    : cost(plan.options, atoms, cell, device);
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
