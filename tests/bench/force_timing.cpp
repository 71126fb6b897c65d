// What the benchmarks of energies and forces share: systems, timing, and the words of the command line.
#include "tests/bench/force_timing.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>

#include "compute/device_array.h"
#include "molecule/water_box.h"

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

bool parse_words(int count, char** words, Settings& s, double& side, std::string& what) {
  std::string device = "auto";
  const auto number = [](const char* text) {
    double value = 0;
    std::from_chars(text, text + std::strlen(text), value);
    return value;
  };
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const char* next = i + 1 < count ? words[i + 1] : "";
    if (word == "--device") {
      device = next, ++i;
    } else if (word == "--order") {
      s.order = static_cast<int>(number(next)), ++i;
    } else if (word == "--repeats") {
      s.repeats = std::max(1, static_cast<int>(number(next))), ++i;
    } else if (word == "--side") {
      side = number(next), ++i;
    } else if (word == "--no-errors") {
      s.errors = false;
    } else if (word.starts_with("--benchmark")) {
      continue;
    } else if (word.starts_with("--")) {
      return false;
    } else {
      what = word;
    }
  }
  s.device = choose_device(device);
  fmt::print("device {}, {} threads\n", to_string(s.device), thread_count());
  return true;
}

}  // namespace isolume::bench
