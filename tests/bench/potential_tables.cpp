// How results are printed; tables of multilevel summation: time and error over sizes and accuracies, and error over the
// lattice's spacing.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "compute/device_array.h"
#include "compute/potential/error_estimate.h"
#include "compute/potential/msm.h"
#include "tests/bench/potential_systems.h"

namespace isolume::bench {

void print(const Settings& s, const Timing& timing) {
  if (s.json) {
    static bool first = true;
    fmt::print(
        "{}{{\"name\": \"{}\", \"device\": \"{}\", \"median_s\": {:.6g}, \"least_s\": {:.6g}, \"most_s\": {:.6g}",
        first ? "" : ",\n", timing.name, to_string(s.device), timing.median, timing.least, timing.most);
    first = false;
    for (const auto& [name, value] : timing.facts) fmt::print(", \"{}\": {:.6g}", name, value);
    fmt::print(", \"steps\": [");
    for (std::size_t i = 0; i < timing.steps.size(); ++i) {
      const LaunchEntry& e = timing.steps[i];
      fmt::print("{}{{\"name\": \"{}\", \"seconds\": {:.6g}, \"launches\": {}}}", i ? ", " : "", e.name, e.seconds,
                 e.launches);
    }
    fmt::print("]}}");
    std::fflush(stdout);
    return;
  }
  double listed = 0;
  fmt::print("{}\n  {:10.3f} ms in all, median of {} ({:.3f} to {:.3f})\n", timing.name, timing.median * 1e3,
             timing.repeats, timing.least * 1e3, timing.most * 1e3);
  if (timing.in_order.size() > 1) {
    fmt::print("             ");
    for (const double t : timing.in_order) fmt::print(" {:.1f}", t * 1e3);
    fmt::print(" ms one after the other\n");
  }
  for (const LaunchEntry& e : timing.steps) {
    fmt::print("  {:10.3f} ms  {} ({})\n", e.seconds * 1e3, e.name, e.launches);
    listed += e.seconds;
  }
  fmt::print("  {:10.3f} ms  sum of steps\n", listed * 1e3);
  for (const auto& [name, value] : timing.facts) fmt::print("  {:10.4g} {}\n", value, name);
  std::fflush(stdout);
}

void potential_table(const Settings& s, double largest) {
  fmt::print("{:>10} {:>7} {:>9} {:>12} {:>12} {:>11}  {}\n", "atoms", "map", "accuracy", "time [ms]", "us/1000 atoms",
             "error", "parameters");
  for (const double atoms : {1e3, 1e4, 1e5, 1e6, 1e7}) {
    if (atoms > largest) break;
    const double side = std::cbrt(atoms / 0.1023);
    const auto charges = water(side);
    const Grid grid{glm::dvec3(-4), glm::dmat3(1.0), glm::ivec3(static_cast<int>(side) + 9)};
    DeviceArray<float> out(grid.size(), s.device);
    for (const double accuracy : {1e-2, 2.5e-3, 5e-4, 1e-4}) {
      const MsmPlanned plan = plan_msm(accuracy, charges, grid, s.device);
      Job job;
      msm_potential(charges, grid, plan.options, out.span(), job);
      double best = 1e300;
      for (int i = 0; i < s.repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        msm_potential(charges, grid, plan.options, out.span(), job);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      const auto points = static_cast<std::size_t>(std::clamp(3e8 / atoms, 30.0, 1000.0));
      const MapError error = potential_error(charges, grid, out.copy_to_host(), points);
      fmt::print("{:10} {:5}^3 {:9.1e} {:12.3f} {:12.3f} {:11.2e}  {}\n", charges.size(), grid.counts.x, accuracy,
                 best * 1e3, best * 1e9 / static_cast<double>(charges.size()), error.relative, describe(plan.options));
      std::fflush(stdout);
    }
  }
}

namespace {

const char* name_of(MsmBasisKind basis) {
  return basis == MsmBasisKind::nodal ? "nodal" : "bspline";
}

/// The relative error of a map.
double error_of(const std::vector<PointCharge>& charges, const Grid& grid, const MsmOptions& options, Device device) {
  DeviceArray<float> out(grid.size(), device);
  Job job;
  msm_potential(charges, grid, options, out.span(), job);
  return potential_error(charges, grid, out.copy_to_host(), 2000).relative;
}

}  // namespace

void potential_slopes(const Settings& s) {
  const auto charges = water(30);
  const Grid grid{glm::dvec3(7.1), glm::dmat3(0.5), {31, 31, 9}};
  fmt::print("basis,p,taylor,a,h,relative_error\n");
  for (const MsmBasisKind basis : {MsmBasisKind::nodal, MsmBasisKind::bspline}) {
    for (const auto& [p, taylor] : {std::pair{3, 2}, {3, 3}, {5, 3}, {5, 4}, {7, 4}}) {
      for (const double a : {4.0, 6.0, 8.0}) {
        for (const double ratio : {2.0, 2.83, 4.0, 5.66, 8.0, 11.3, 16.0}) {
          MsmOptions options;
          options.cutoff = a;
          options.spacing = a / ratio;
          options.degree = p;
          options.smoothing = taylor;
          options.levels = 1;
          options.basis = basis;
          fmt::print("{},{},{},{},{:.4f},{:.4e}\n", name_of(basis), p, taylor, a, options.spacing,
                     error_of(charges, grid, options, s.device));
        }
      }
    }
  }
}

void potential_errors(const Settings& s) {
  constexpr double ratios[] = {2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 8};
  std::vector<std::vector<PointCharge>> boxes;
  std::vector<Grid> grids;
  for (const auto& [side, seed] : {std::pair{38.0, 1u}, {44.0, 2u}, {49.0, 3u}}) {
    const Molecule molecule = make_water_box(side, seed);
    const Frame frame = molecule.trajectory->frame(0);
    std::vector<PointCharge>& charges = boxes.emplace_back(frame.positions.size());
    for (std::size_t i = 0; i < charges.size(); ++i) {
      charges[i] = {frame.positions[i], molecule.topology->atoms[i].charge};
    }
    grids.push_back({glm::dvec3(0), glm::dmat3(0.5), glm::ivec3(static_cast<int>(2 * side) + 1)});
  }
  for (const MsmBasisKind basis : {MsmBasisKind::nodal, MsmBasisKind::bspline}) {
    for (const auto& [p, taylor] : {std::pair{3, 2}, {3, 3}, {5, 3}, {5, 4}, {7, 3}, {7, 4}}) {
      fmt::print("{} p = {}, Taylor {}, a/h =", name_of(basis), p, taylor);
      for (const double ratio : ratios) fmt::print(" {}", ratio);
      fmt::print("\n");
      for (const double a : {3.0, 4.0, 5.0, 6.0, 8.0, 12.0}) {
        fmt::print("  a = {:2}:", a);
        for (const double ratio : ratios) {
          MsmOptions options;
          options.cutoff = a;
          options.spacing = a / ratio;
          options.degree = p;
          options.smoothing = taylor;
          options.basis = basis;
          double squares = 0;
          for (std::size_t i = 0; i < boxes.size(); ++i) {
            const double error = error_of(boxes[i], grids[i], options, s.device);
            squares += error * error / static_cast<double>(boxes.size());
          }
          fmt::print(" {:.2e}", std::sqrt(squares));
        }
        fmt::print("\n");
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace isolume::bench
