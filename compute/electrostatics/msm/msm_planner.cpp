// Which parameters of multilevel summation reach an accuracy in the least time.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/float_lanes.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/charges/potential_checks.h"
#include "compute/electrostatics/msm/msm_errors.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "molecule/base/units.h"

namespace isolume {

namespace {

constexpr double finest = 2e-5;  // relative error that single precision allows with certainty

/// Seconds per unit of each kind of work on a device.
struct Rates {
  double pair = 0;     ///< a charge and a point that are looked at together
  double point = 0;    ///< of the map
  double spread = 0;   ///< a charge and a node
  double fourier = 0;  ///< n log2 n
  double node = 0;     ///< of level 0: restriction, prolongation, copies
  double level = 0;    ///< of a lattice of any size: launches
  double charge = 0;
  double fixed = 0;
};

/// The work that parameters mean.
struct Work {
  double pairs = 0, points = 0, spread = 0, fourier = 0, nodes = 0, levels = 0, charges = 0;
};

double product(glm::ivec3 n) {
  return static_cast<double>(n.x) * static_cast<double>(n.y) * static_cast<double>(n.z);
}

/// Charges and points that are looked at together.
double pairs_of(const RowFrame& f, double a, double charges_near, Device device) {
  double reached = 0;
  if (device.is_cuda()) {
    // All points of a warp look at every charge near their box: a rounded box of points for each charge.
    const double x = 7 * f.ax;
    const double y = 3 * f.by;
    const double z = 3 * f.cz;
    reached =
        x * y * z + 2 * a * (x * y + y * z + z * x) + units::pi * a * a * (x + y + z) + 4 * units::pi / 3 * a * a * a;
  } else {
    // Rows are covered by whole vectors.
    const double vector = float_lanes() * f.ax;
    for (int m = 0; m * vector < 2 * a; ++m) {
      const double chord = 0.5 * m * vector;
      reached += units::pi * (a * a - chord * chord) * vector;
    }
  }
  return charges_near * reached / (f.ax * f.by * f.cz);
}

Work work_of(const MsmPlan& plan, double charges, double charges_near, Device device) {
  Work w;
  w.pairs = pairs_of(plan.frame, plan.options.cutoff, charges_near, device);
  w.points = static_cast<double>(plan.grid.size());
  const double taps = plan.basis.taps();
  w.spread = charges * (device.is_cuda() ? std::pow(7.0 + taps, 3) : taps * taps * 8);
  for (const MsmLevel& level : plan.levels) {
    const double n = product(level.padded);
    w.fourier += n * std::log2(n + 1);
  }
  w.nodes = product(plan.levels.front().counts);
  w.levels = static_cast<double>(plan.levels.size());
  w.charges = charges;
  return w;
}

double seconds(const Rates& r, const Work& w) {
  return r.pair * w.pairs + r.point * w.points + r.spread * w.spread + r.fourier * w.fourier + r.node * w.nodes +
         r.level * w.levels + r.charge * w.charges + r.fixed;
}

/// What a map of charges thrown into a cube took, by kind of work.
struct Sample {
  Work work;
  double near = 0, spread = 0, fourier = 0, node = 0, charge = 0, other = 0;
  double total = 0;
  double wall = 0;
};

Sample sample(Device device, double side, double cutoff) {
  const int n = static_cast<int>(side * 2);
  const Grid grid{glm::dvec3(0), glm::dmat3(0.5), glm::ivec3(n)};
  std::mt19937_64 random(1);
  const auto uniform = [&] { return static_cast<float>(random() >> 40) * 0x1.0p-24f; };
  std::vector<PointCharge> charges(static_cast<std::size_t>(0.1 * side * side * side));
  for (PointCharge& c : charges) {
    const float x = uniform();
    const float y = uniform();
    c.position = glm::vec3(x, y, uniform()) * static_cast<float>(side);
    c.charge = uniform() - 0.5f;
  }
  MsmOptions options;
  options.cutoff = cutoff;
  options.refine_roots = false;
  const MsmPlan plan(charges, grid, options, device);
  const auto count = static_cast<double>(charges.size());
  DeviceArray<float> out(grid.size(), device, "planner");
  Job job;
  Sample best;
  best.total = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 3; ++repeat) {
    const LaunchRecord record;
    const auto begin = std::chrono::steady_clock::now();
    msm_potential(charges, grid, options, out.span(), job);
    Sample now;
    now.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (const LaunchEntry& e : record.entries()) {
      const auto is = [&](const char* name) { return e.name.find(name) != std::string::npos; };
      double& part = is("short range")                                                         ? now.near
                     : is("charges to lattice")                                                ? now.spread
                     : is("ourier") || is("FFT") || is("lattice product") || is("lattice sum") ? now.fourier
                     : is("restriction") || is("prolongation")                                 ? now.node
                     : is("interpolation")                                                     ? now.other
                                                                                               : now.charge;
      part += e.seconds;
      now.total += e.seconds;
    }
    if (now.total < best.total) best = now;
  }
  best.work = work_of(plan, count, count, device);
  return best;
}

/// Times a few maps. On CUDA a small one shows what takes as long whatever its size.
Rates measure(Device device) {
  const double side = device.is_cuda() ? 120 : 36;
  const Sample small = sample(device, side, 3);
  const Sample large = sample(device, side, 6);
  Rates r;
  r.pair = std::max(large.near - small.near, 0.2 * large.near) / (large.work.pairs - small.work.pairs);
  r.point = std::max(small.near - r.pair * small.work.pairs, 0.05 * small.near) / small.work.points +
            small.other / small.work.points;
  r.spread = small.spread / small.work.spread;
  r.charge = std::max(small.charge, small.wall - small.total + small.charge) / small.work.charges;
  double fourier = small.fourier;
  double node = small.node;
  if (device.is_cuda()) {
    const Sample tiny = sample(device, 24, 3);
    r.level = (tiny.fourier + tiny.node) / tiny.work.levels;
    const double fixed = small.work.levels / tiny.work.levels;
    fourier = std::max(fourier - fixed * tiny.fourier, 0.2 * fourier);
    node = std::max(node - fixed * tiny.node, 0.2 * node);
  }
  r.fourier = fourier / small.work.fourier;
  r.node = node / small.work.nodes;
  return r;
}

const Rates& rates_of(Device device) {
  static std::mutex mutex;
  static std::map<int, Rates> known;
  const std::lock_guard lock(mutex);
  const int key = device.is_cuda() ? device.index : -1;
  const auto found = known.find(key);
  if (found != known.end()) return found->second;
  return known.emplace(key, measure(device)).first->second;
}

}  // namespace

MsmPlanned plan_msm(double accuracy, std::span<const PointCharge> charges, const Grid& grid, Device device,
                    const MsmOptions& request) {
  if (!(accuracy >= finest) || !std::isfinite(accuracy)) {
    throw Error(
        fmt::format("MSM: a relative error of {}; expected {} or more, as single precision allows", accuracy, finest),
        Error::Kind::usage);
  }
  check_grid(grid, "MSM");
  check_charges(charges);
  if (charges.empty()) throw Error("MSM: there are no charges", Error::Kind::usage);
  const Grid solid = solid_grid(grid, "MSM");
  const RowFrame frame(solid);
  glm::dvec3 map_lower;
  glm::dvec3 map_upper;
  grid_bounds(solid, frame, map_lower, map_upper);
  // The corners of what the charges fill stand for them.
  glm::dvec3 lower(std::numeric_limits<double>::infinity());
  glm::dvec3 upper = -lower;
  double near = 0;
  for (const PointCharge& c : charges) {
    const glm::dvec3 p = frame.to_frame(c.position);
    lower = glm::min(lower, p);
    upper = glm::max(upper, p);
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      inside = inside && p[axis] > map_lower[axis] - 4 && p[axis] < map_upper[axis] + 4;
    }
    near += inside ? 1 : 0;
  }
  if (request.periodic[0] && request.periodic[1] && request.periodic[2]) {
    const glm::dvec3 extent = map_upper - map_lower + 4.0;
    near = static_cast<double>(charges.size()) * extent.x * extent.y * extent.z / request.cell.volume();
  }
  std::vector<PointCharge> corners;
  const glm::dmat3 back = glm::transpose(frame.turn);
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 p((corner & 1) ? upper.x : lower.x, (corner & 2) ? upper.y : lower.y,
                       (corner & 4) ? upper.z : lower.z);
    corners.push_back({glm::vec3(frame.origin + back * p), 1.0f});
  }
  const Rates& rates = rates_of(device);
  MsmPlanned best;
  best.seconds = std::numeric_limits<double>::infinity();
  for (const MsmChoice choice : msm_choices()) {
    // The long filtered kernels of these lose more to single precision: 3.9e-5 for 2e-5 of the table at a million.
    if (choice.basis == MsmBasisKind::bspline && choice.degree == 7 && accuracy < 1e-4) continue;
    // Up to 10 angstrom, for which the allowances are.
    for (double a = 3; a < 10.1; a *= 1.0905) {
      // Longer cutoffs have more pairs: no need to plan what these alone make slower than what is known.
      if (rates.pair * pairs_of(frame, a, near, device) >= best.seconds) break;
      const auto ratio = msm_least_ratio(accuracy, [&](double r) { return msm_largest_error(choice, a, r); });
      if (!ratio) continue;
      MsmOptions options = request;
      options.cutoff = a;
      options.spacing = a / *ratio;
      options.degree = choice.degree;
      options.smoothing = choice.smoothing;
      options.basis = choice.basis;
      options.levels = 0;
      options.lattice = MsmLattice::automatic;
      options.refine_roots = accuracy < 1e-3;
      try {
        const MsmPlan plan(corners, solid, options, device);
        const double time = seconds(rates, work_of(plan, static_cast<double>(charges.size()), near, device));
        if (time >= best.seconds) continue;
        best = {options, msm_largest_error(choice, a, *ratio), time};
      } catch (const Error&) {
        continue;  // too many nodes
      }
    }
  }
  if (!std::isfinite(best.seconds)) {
    throw Error(fmt::format("MSM: no parameters reach a relative error of {} on this grid", accuracy),
                Error::Kind::usage);
  }
  return best;
}

}  // namespace isolume
