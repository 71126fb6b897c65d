// Times forces by multilevel summation on water, next to smooth particle-mesh Ewald at the same measured error.
#include <fmt/core.h>

#include <string>

#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/msm/msm_forces.h"
#include "tests/bench/force_timing.h"

namespace isolume::bench {
namespace {

void bench_msm(const Settings& s, double side) {
  const System system = water_system(side);
  const auto error_of = [&](const Result& r) {
    Job job;
    return electrostatic_error(system.problem, system.positions, r.forces, true, 60, job).relative;
  };
  struct Choice {
    double cutoff, spacing;
    int degree, smoothing;
  };
  for (const Choice c : {Choice{12, 2, 3, 2}, Choice{12, 2, 5, 3}, Choice{12, 1.5, 7, 4}, Choice{9, 1, 7, 4}}) {
    MsmOptions o;
    o.cutoff = c.cutoff;
    o.spacing = c.spacing;
    o.degree = c.degree;
    o.smoothing = c.smoothing;
    const auto msm = msm_electrostatics(system.problem, o, true, s.device);
    const Result r = time_it(s, *msm, system.positions, false);
    const double error = error_of(r);
    fmt::print("MSM, {} atoms, {}: {:.3f} ms, force error {:.2e}\n", system.positions.size(), msm->describe(),
               r.each * 1e3, error);
    print_steps(r);
    for (const double cutoff : {c.cutoff, 0.0}) {
      const auto plans = plan_spme(error, system.positions.size(), system.problem.cell, s.device, cutoff);
      const auto spme = spme_electrostatics(system.problem, plans.front().options, s.device);
      const Result q = time_it(s, *spme, system.positions, false);
      fmt::print("  SPME {}, {}: {:.3f} ms, force error {:.2e}\n", cutoff > 0 ? "of that cutoff" : "as planned",
                 spme->describe(), q.each * 1e3, error_of(q));
    }
    std::fflush(stdout);
  }
}

int run(Words& words) {
  if (!words.asks_for("msm-forces")) return 0;
  // 22,147 waters; the slides of Hardy (2010) have 21,950.
  const double side = words.number("--side", 86.6);
  const Settings s = settings_of(words);
  words.rest();
  bench_msm(s, side);
  return 0;
}

}  // namespace
}  // namespace isolume::bench

int main(int count, char** words) {
  return isolume::bench::bench_main("bench_msm-forces [--device D] [--repeats N] [--side A]", count, words,
                                    isolume::bench::run);
}
