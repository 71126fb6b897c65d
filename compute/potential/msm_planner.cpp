// Which parameters of multilevel summation reach an accuracy in the least time.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "compute/device_array.h"
#include "compute/potential/msm.h"
#include "compute/potential/msm_plan.h"
#include "compute/potential/near_sum_cpu.h"
#include "compute/potential/potential_checks.h"
#include "compute/timing.h"
#include "molecule/units.h"

namespace isolume {

namespace {

constexpr double finest = 2e-5;  // relative error that single precision allows with certainty

constexpr std::array<double, 6> cutoffs{3, 4, 5, 6, 8, 12};
constexpr std::array<double, 7> ratios{3, 3.5, 4, 4.5, 5, 6, 8};

/// Relative RMS errors on maps of 0.5 angstrom in three boxes of water of 38 to 49 angstrom (make_water_box, seeds 1 to
/// 3), against direct_potential(): rows by cutoff, columns by a/h; levels chosen automatically.
struct ErrorTable {
  int degree;
  int smoothing;
  double error[cutoffs.size()][ratios.size()];
};
const ErrorTable tables[] = {
    {3,
     2,
     {{1.13e-02, 7.95e-03, 5.38e-03, 3.79e-03, 2.79e-03, 1.52e-03, 7.15e-04},
      {1.09e-02, 7.71e-03, 4.95e-03, 3.71e-03, 2.76e-03, 1.64e-03, 6.46e-04},
      {1.02e-02, 7.44e-03, 5.05e-03, 3.97e-03, 2.56e-03, 1.61e-03, 7.08e-04},
      {8.63e-03, 6.92e-03, 5.02e-03, 3.52e-03, 2.59e-03, 1.54e-03, 6.89e-04},
      {8.28e-03, 6.20e-03, 3.87e-03, 3.51e-03, 2.65e-03, 1.74e-03, 6.57e-04},
      {5.67e-03, 4.02e-03, 3.01e-03, 2.73e-03, 2.35e-03, 1.47e-03, 6.97e-04}}},
    {5,
     3,
     {{6.49e-03, 3.59e-03, 2.27e-03, 1.40e-03, 9.33e-04, 3.97e-04, 1.40e-04},
      {6.15e-03, 3.23e-03, 2.08e-03, 1.26e-03, 8.72e-04, 4.22e-04, 1.20e-04},
      {5.45e-03, 3.03e-03, 1.92e-03, 1.19e-03, 8.07e-04, 4.07e-04, 1.29e-04},
      {4.71e-03, 2.92e-03, 1.79e-03, 1.19e-03, 7.71e-04, 3.80e-04, 1.24e-04},
      {3.83e-03, 2.11e-03, 1.50e-03, 1.01e-03, 6.94e-04, 3.39e-04, 1.17e-04},
      {2.57e-03, 1.58e-03, 1.12e-03, 7.15e-04, 5.04e-04, 2.69e-04, 9.79e-05}}},
    {7,
     3,
     {{4.65e-03, 2.46e-03, 1.57e-03, 9.50e-04, 6.33e-04, 2.75e-04, 9.58e-05},
      {4.10e-03, 2.16e-03, 1.41e-03, 8.69e-04, 5.88e-04, 2.91e-04, 8.41e-05},
      {3.50e-03, 1.88e-03, 1.24e-03, 7.74e-04, 5.37e-04, 2.74e-04, 9.03e-05},
      {3.15e-03, 1.74e-03, 1.12e-03, 7.24e-04, 5.04e-04, 2.53e-04, 8.60e-05},
      {2.52e-03, 1.34e-03, 8.89e-04, 5.88e-04, 4.20e-04, 2.17e-04, 7.70e-05},
      {1.66e-03, 9.09e-04, 6.21e-04, 4.29e-04, 3.04e-04, 1.58e-04, 5.99e-05}}},
    {7,
     4,
     {{5.40e-03, 2.82e-03, 1.37e-03, 8.22e-04, 4.52e-04, 1.58e-04, 4.39e-05},
      {4.74e-03, 2.52e-03, 1.22e-03, 7.39e-04, 4.28e-04, 1.69e-04, 3.64e-05},
      {4.48e-03, 2.20e-03, 1.12e-03, 6.71e-04, 3.92e-04, 1.66e-04, 4.00e-05},
      {3.75e-03, 1.97e-03, 1.00e-03, 6.11e-04, 3.49e-04, 1.49e-04, 3.81e-05},
      {3.01e-03, 1.58e-03, 8.34e-04, 5.35e-04, 3.05e-04, 1.33e-04, 3.33e-05},
      {1.90e-03, 1.06e-03, 6.03e-04, 3.83e-04, 2.30e-04, 9.47e-05, 2.75e-05}}},
};

/// Larger boxes have more levels, each with its share: up to a tenth more has been seen at 247 angstrom.
constexpr double larger_boxes = 1.15;

/// Index and fraction of x in a table of increasing numbers, by logarithms; beyond the ends the last interval goes on.
template <std::size_t n>
std::pair<std::size_t, double> place(const std::array<double, n>& table, double x) {
  std::size_t i = 0;
  while (i + 2 < n && x > table[i + 1]) ++i;
  return {i, std::log(x / table[i]) / std::log(table[i + 1] / table[i])};
}

double table_error(const ErrorTable& table, double a, double ratio) {
  const auto [i, s] = place(cutoffs, std::clamp(a, cutoffs.front(), cutoffs.back()));
  const auto [j, t] = place(ratios, ratio);
  const auto row = [&](std::size_t k, double at) {
    return std::log(table.error[k][j]) * (1 - at) + std::log(table.error[k][j + 1]) * at;
  };
  return larger_boxes * std::exp(row(i, t) * (1 - s) + row(i + 1, t) * s);
}

/// Seconds per unit of each kind of work on a device.
struct Rates {
  double pair = 0;     ///< a charge and a point that are looked at together
  double point = 0;    ///< of the map
  double spread = 0;   ///< a charge and a node
  double fourier = 0;  ///< n log2 n
  double node = 0;     ///< of level 0: restriction, prolongation, copies
  double charge = 0;
  double fixed = 0;
};

/// The work that parameters mean.
struct Work {
  double pairs = 0, points = 0, spread = 0, fourier = 0, nodes = 0, charges = 0;
};

double product(glm::ivec3 n) {
  return static_cast<double>(n.x) * static_cast<double>(n.y) * static_cast<double>(n.z);
}

Work work_of(const MsmPlan& plan, double charges, double charges_near, Device device) {
  Work w;
  const double a = plan.options.cutoff;
  const RowFrame& f = plan.frame;
  const double volume = f.ax * f.by * f.cz;
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
    const double vector = near_sum_lanes() * f.ax;
    for (int m = 0; m * vector < 2 * a; ++m) {
      const double chord = 0.5 * m * vector;
      reached += units::pi * (a * a - chord * chord) * vector;
    }
  }
  w.pairs = charges_near * reached / volume;
  w.points = static_cast<double>(plan.grid.size());
  const double taps = plan.basis.taps();
  w.spread = charges * (device.is_cuda() ? std::pow(7.0 + taps, 3) : taps * taps * 8);
  for (const MsmLevel& level : plan.levels) {
    const double n = product(level.padded);
    w.fourier += n * std::log2(n + 1);
  }
  w.nodes = product(plan.levels.front().counts);
  w.charges = charges;
  return w;
}

double seconds(const Rates& r, const Work& w) {
  return r.pair * w.pairs + r.point * w.points + r.spread * w.spread + r.fourier * w.fourier + r.node * w.nodes +
         r.charge * w.charges + r.fixed;
}

/// Times two small maps.
Rates measure(Device device) {
  const double side = device.is_cuda() ? 90 : 36;
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
  struct Sample {
    Work work;
    double near = 0, spread = 0, fourier = 0, node = 0, charge = 0, other = 0;
  };
  const auto sample = [&](const MsmOptions& options) {
    Sample s;
    const MsmPlan plan(charges, grid, options, device);
    const auto count = static_cast<double>(charges.size());
    s.work = work_of(plan, count, count, device);
    DeviceArray<float> out(grid.size(), device, "planner");
    Job job;
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 3; ++repeat) {
      const LaunchRecord record;
      msm_potential(charges, grid, options, out.span(), job);
      Sample now;
      double total = 0;
      for (const LaunchEntry& e : record.entries()) {
        const auto is = [&](const char* name) { return e.name.find(name) != std::string::npos; };
        double& part = is("short range")                                                         ? now.near
                       : is("charges to lattice")                                                ? now.spread
                       : is("ourier") || is("FFT") || is("lattice product") || is("lattice sum") ? now.fourier
                       : is("restriction") || is("prolongation")                                 ? now.node
                       : is("interpolation")                                                     ? now.other
                                                                                                 : now.charge;
        part += e.seconds;
        total += e.seconds;
      }
      if (total >= best) continue;
      best = total;
      now.work = s.work;
      s = now;
    }
    return s;
  };
  MsmOptions options;
  options.cutoff = 3;
  options.refine_roots = false;
  const Sample small = sample(options);
  options.cutoff = 6;
  const Sample large = sample(options);
  Rates r;
  r.pair = std::max(large.near - small.near, 0.2 * large.near) / (large.work.pairs - small.work.pairs);
  r.point = std::max(small.near - r.pair * small.work.pairs, 0.05 * small.near) / small.work.points +
            small.other / small.work.points;
  r.spread = small.spread / small.work.spread;
  r.fourier = small.fourier / small.work.fourier;
  r.node = small.node / small.work.nodes;
  r.charge = small.charge / small.work.charges;
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

double msm_expected_error(const MsmOptions& options) {
  const double ratio = options.cutoff / options.spacing;
  // Smoothings that are not in the table: as the nearest of the same degree.
  const ErrorTable* best = nullptr;
  for (const ErrorTable& table : tables) {
    if (table.degree != options.degree) continue;
    if (!best || std::abs(table.smoothing - options.smoothing) < std::abs(best->smoothing - options.smoothing)) {
      best = &table;
    }
  }
  if (!best) throw Error("MSM: interpolation of degree 3, 5 or 7", Error::Kind::usage);
  return table_error(*best, options.cutoff, ratio) * (best->smoothing == options.smoothing ? 1.0 : 1.4);
}

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
  for (const ErrorTable& table : tables) {
    for (double a = 3; a <= 12.01; a *= 1.0905) {
      // The widest spacing that is fine enough.
      double low = 3;
      double high = 24;
      if (table_error(table, a, high) > accuracy) continue;
      for (int step = 0; step < 30; ++step) {
        const double middle = 0.5 * (low + high);
        (table_error(table, a, middle) > accuracy ? low : high) = middle;
      }
      MsmOptions options = request;
      options.cutoff = a;
      options.spacing = a / high;
      options.degree = table.degree;
      options.smoothing = table.smoothing;
      options.levels = 0;
      options.lattice = MsmLattice::automatic;
      options.refine_roots = accuracy < 1e-3;
      try {
        const MsmPlan plan(corners, solid, options, device);
        const double time = seconds(rates, work_of(plan, static_cast<double>(charges.size()), near, device));
        if (time >= best.seconds) continue;
        best = {options, table_error(table, a, high), time};
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
