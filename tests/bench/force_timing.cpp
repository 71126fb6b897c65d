// What the benchmarks of energies and forces share: systems, timing, and settings.
#include "tests/bench/force_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "compute/base/device_array.h"
#include "molecule/crystal/water_box.h"

namespace isolume::bench {

System water_system(double side) {
  System s;
  const Molecule water = make_water_box(side);
  s.positions = water.trajectory->frame(0).positions;
  std::vector<ExcludedPair> pairs;
  for (const Atom& atom : water.topology->atoms) s.problem.charges.push_back(atom.charge);
  for (const Residue& r : water.topology->residues) {
    for (std::uint32_t a = 0; a < r.atom_count; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) pairs.push_back({r.first_atom + b, r.first_atom + a, 0.0f});
    }
  }
  s.problem.exclusions = make_exclusions(s.problem.atoms(), std::move(pairs));
  s.problem.cell = Cell{glm::dmat3(side)};
  return s;
}

Result time_it(const Settings& s, Electrostatics& method, const std::vector<glm::vec3>& positions, bool sums) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  const auto at = DeviceArray<glm::vec3>::from_host(positions, s.device);
  DeviceArray<glm::vec3> forces(positions.size(), s.device);
  const ElectrostaticOutput out{forces.span(), {}, sums};
  Job job;
  Result r;
  for (int i = 0; i < 3; ++i) method.evaluate(at.span(), out, job);
  r.single = r.each = 1e300;
  for (int i = 0; i < s.repeats; ++i) {
    const auto begin = Clock::now();
    method.evaluate(at.span(), out, job);
    r.single = std::min(r.single, since(begin));
  }
  const int many = s.device.is_cuda() ? 20 : 1;
  for (int i = 0; i < s.repeats; ++i) {
    const auto begin = Clock::now();
    for (int k = 0; k < many; ++k) method.start(at.span(), out, job);
    method.stream().synchronize();
    r.each = std::min(r.each, since(begin) / many);
  }
  double best = 1e300;
  for (int i = 0; i < 5; ++i) {
    const LaunchRecord record;
    const auto begin = Clock::now();
    method.evaluate(at.span(), out, job);
    const double seconds = since(begin);
    if (seconds < best) {
      best = seconds;
      r.steps = record.entries();
    }
  }
  r.forces = forces.copy_to_host();
  return r;
}

void print_steps(const Result& r) {
  for (const LaunchEntry& e : r.steps) fmt::print("  {:10.4f} ms  {} ({})\n", e.seconds * 1e3, e.name, e.launches);
}

Settings settings_of(Words& words) {
  Settings s;
  s.device = words.device();
  s.order = words.integer("--order", s.order);
  s.repeats = std::max(1, words.integer("--repeats", s.repeats));
  s.errors = !words.flag("--no-errors");
  fmt::print("device {}, {} threads\n", to_string(s.device), thread_count());
  return s;
}

}  // namespace isolume::bench
