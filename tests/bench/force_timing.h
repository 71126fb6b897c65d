// What the benchmarks of energies and forces share: systems, timing, and settings.
#pragma once

#include <string>
#include <vector>

#include "compute/base/timing.h"
#include "compute/electrostatics/energy/electrostatics.h"
#include "tests/bench/bench_program.h"

namespace isolume::bench {

struct Settings {
  Device device;
  int order = 4;
  int repeats = 20;
  bool errors = true;
};

struct System {
  ElectrostaticProblem problem;
  std::vector<glm::vec3> positions;
};

/// Water in a cube, its molecules' own pairs excluded.
System water_system(double side);

struct Result {
  double each = 0;    // of many evaluations that are started one after the other
  double single = 0;  // of one that is waited for
  std::vector<LaunchEntry> steps;
  std::vector<glm::vec3> forces;
};

/// Times evaluations of all forces, positions and forces on the device; the best of many groups.
Result time_it(const Settings& settings, Electrostatics& method, const std::vector<glm::vec3>& positions, bool sums);
void print_steps(const Result& result);

/// --device D, --order N, --repeats N, --no-errors. Says which device it is.
Settings settings_of(Words& words);

}  // namespace isolume::bench
