// How results are printed; the table of multilevel summation's time and error over sizes and accuracies.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "compute/base/device_array.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "compute/electrostatics/msm/msm.h"
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

void potential_table(const Settings& s, double smallest, double largest, double only) {
  fmt::print("{:>10} {:>7} {:>9} {:>12} {:>12} {:>11} {:>8}  {}\n", "atoms", "map", "accuracy", "time [ms]",
             "us/1000 atoms", "error", "of it", "parameters");
  for (const double atoms : {1e3, 1e4, 1e5, 1e6, 1e7}) {
    if (atoms < 0.99 * smallest || atoms > 1.01 * largest) continue;
    const double side = std::cbrt(atoms / 0.1023);
    const auto charges = water(side);
    const Grid grid{glm::dvec3(-4), glm::dmat3(1.0), glm::ivec3(static_cast<int>(side) + 9)};
    DeviceArray<float> out(grid.size(), s.device);
    for (const double accuracy : {1e-2, 2.5e-3, 5e-4, 1e-4}) {
      if (only > 0 && std::abs(accuracy - only) > 0.01 * only) continue;
      const MsmPlanned plan = plan_msm(accuracy, charges, grid, s.device);
      Job job;
      msm_potential(charges, grid, plan.options, out.span(), job);
      double best = 1e300;
      for (int i = 0; i < s.repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        msm_potential(charges, grid, plan.options, out.span(), job);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      const auto points = static_cast<std::size_t>(std::clamp(2e9 / atoms, 500.0, 2000.0));
      const MapError error = potential_error_on_device(charges, grid, out.span(), points, 1, job);
      fmt::print("{:10} {:5}^3 {:9.1e} {:12.3f} {:12.3f} {:11.2e} {:8.2f}  {}\n", charges.size(), grid.counts.x,
                 accuracy, best * 1e3, best * 1e9 / static_cast<double>(charges.size()), error.relative,
                 error.relative / accuracy, describe(plan.options));
      std::fflush(stdout);
    }
  }
}

}  // namespace isolume::bench
