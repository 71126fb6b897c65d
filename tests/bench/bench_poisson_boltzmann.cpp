// Times Poisson-Boltzmann on a molecule: one box, with focusing and the error's estimate, and frame after frame.
//
//     bench_poisson_boltzmann [--device auto|cpu|cuda] [--points N]... [--nonlinear] [--steps] FILE...
//
// FILE has charges and radii (PQR). --points are those along a side of a cube around the molecule with 10 angstrom
// about it (129). --steps prints where the time goes.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/poisson_boltzmann/poisson_boltzmann.h"
#include "formats/read.h"
#include "molecule/base/error.h"
#include "molecule/molecule.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

std::vector<ChargedSphere> spheres_of(const std::string& file) {
  const Molecule molecule = read_file(file);
  if (molecule.frame_count() == 0 || !molecule.topology->has_charges || !molecule.topology->has_radii)
    throw Error(file + ": expected atoms with charges and radii, as of a PQR file", Error::Kind::usage);
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<ChargedSphere> atoms;
  for (std::size_t i = 0; i < frame.positions.size(); ++i)
    atoms.push_back({frame.positions[i], molecule.topology->atoms[i].charge, molecule.topology->atoms[i].radius});
  return atoms;
}

struct Timing {
  double median = 0, least = 0, most = 0;  ///< seconds
};

Timing time_it(const std::function<void()>& compute) {
  const auto seconds_of = [&] {
    const auto begin = std::chrono::steady_clock::now();
    compute();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const double once = seconds_of();
  const int repeats = std::clamp(static_cast<int>(2 / once), 3, 15);
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) times.push_back(seconds_of());
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

void print(const char* what, const Timing& timing, const PoissonBoltzmannResult& result, Device device) {
  fmt::print("  {:24} {:10.2f} ms ({:.2f} to {:.2f})  {}x{}x{}, {} cycles, {} grids, {:.2f} kJ/mol, peak {}\n", what,
             1e3 * timing.median, 1e3 * timing.least, 1e3 * timing.most, result.counts.x, result.counts.y,
             result.counts.z, result.cycles, result.grids, 4.184 * result.solvation_energy,
             bytes_in_words(peak_memory(device)));
  std::fflush(stdout);
}

void run_one(const std::vector<ChargedSphere>& atoms, int points, bool nonlinear, bool steps, Device device) {
  glm::dvec3 lower(1e30), upper(-1e30);
  for (const ChargedSphere& atom : atoms) {
    lower = glm::min(lower, glm::dvec3(atom.position) - double{atom.radius});
    upper = glm::max(upper, glm::dvec3(atom.position) + double{atom.radius});
  }
  const double side = std::max({upper.x - lower.x, upper.y - lower.y, upper.z - lower.z}) + 20;
  Grid grid;
  grid.counts = glm::ivec3(points);
  grid.step = glm::dmat3(side / (points - 1));
  grid.origin = 0.5 * (lower + upper) - side / 2;
  DeviceArray<float> map(grid.size(), device, "map");
  PoissonBoltzmannOptions options;
  options.nonlinear = nonlinear;
  PoissonBoltzmannResult result;
  Job job;
  fmt::print("{} atoms, {}^3 points at {:.3f} A, {}\n", atoms.size(), points, side / (points - 1),
             nonlinear ? "non-linear" : "linear");
  const auto measure = [&](const char* what, const std::function<void()>& compute) {
    reset_peak_memory();
    const Timing timing = time_it(compute);
    print(what, timing, result, device);
    if (!steps) return;
    const LaunchRecord record;
    compute();
    for (const LaunchEntry& entry : record.entries())
      fmt::print("    {:9.3f} ms  {} ({})\n", 1e3 * entry.seconds, entry.name, entry.launches);
  };
  options.focus = options.estimate_error = false;
  measure("one box", [&] { result = poisson_boltzmann(atoms, grid, options, map.span(), job); });
  options.focus = options.estimate_error = true;
  measure("focused, error known", [&] { result = poisson_boltzmann(atoms, grid, options, map.span(), job); });
  // Atoms that shake by 0.05 A: every frame starts from the solution of the last.
  options.estimate_error = false;
  PoissonBoltzmannStart start;
  std::vector<ChargedSphere> moved = atoms;
  unsigned seed = 1;
  measure("frame after frame", [&] {
    for (std::size_t i = 0; i < atoms.size(); ++i)
      for (int axis = 0; axis < 3; ++axis) {
        seed = seed * 1664525u + 1013904223u;
        moved[i].position[axis] = atoms[i].position[axis] + 0.1f * (static_cast<float>(seed >> 8) / 16777216.0f - 0.5f);
      }
    result = poisson_boltzmann(moved, grid, options, map.span(), job, &start);
  });
}

int run(bench::Words& words) {
  if (!words.asks_for("poisson-boltzmann")) return 0;
  const Device device = words.device();
  std::vector<double> points = words.numbers("--points", 1);
  const bool nonlinear = words.flag("--nonlinear"), steps = words.flag("--steps");
  std::vector<std::string> files = words.rest();
  if (files.empty()) {
    fmt::print("poisson-boltzmann: no file is named\n");
    return 0;
  }
  if (points.empty()) points = {129};
  for (const std::string& file : files) {
    const std::vector<ChargedSphere> atoms = spheres_of(file);
    fmt::print("{}: ", file);
    for (const double count : points) run_one(atoms, static_cast<int>(count), nonlinear, steps, device);
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main("bench_poisson_boltzmann [--device D] [--points N] [--nonlinear] [--steps] FILE...",
                                    count, words, isolume::run);
}
