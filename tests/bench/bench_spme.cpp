// Times smooth particle-mesh Ewald: the mesh part of three usual sizes, of cubes of growing size, and all of it on
// water, with the time of each step and the measured error.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "compute/base/device_array.h"
#include "compute/electrostatics/energy/energy_error.h"
#include "compute/electrostatics/ewald/spme.h"
#include "compute/electrostatics/msm/msm_plan.h"
#include "compute/fft/fft_plan.h"
#include "tests/bench/force_timing.h"

namespace isolume::bench {
namespace {

/// Charges anywhere in a box, as in the paper of Harvey and De Fabritiis (2009).
System random_system(std::size_t atoms, glm::dvec3 edges) {
  System s;
  std::mt19937 engine(7);
  const auto uniform = [&] { return static_cast<double>(engine()) * 0x1p-32; };
  s.problem.cell.vectors = glm::dmat3(edges.x, 0, 0, 0, edges.y, 0, 0, 0, edges.z);
  for (std::size_t i = 0; i < atoms; ++i) {
    s.positions.emplace_back(glm::dvec3(uniform(), uniform(), uniform()) * edges);
    s.problem.charges.push_back(i % 2 ? 0.4f : -0.4f);
  }
  return s;
}

double relative(const std::vector<glm::vec3>& forces, const std::vector<glm::dvec3>& expected) {
  double squares = 0;
  double scale = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const glm::dvec3 d = glm::dvec3(forces[i]) - expected[i];
    squares += glm::dot(d, d);
    scale += glm::dot(expected[i], expected[i]);
  }
  return std::sqrt(squares / scale);
}

void bench_sizes(const Settings& s) {
  struct Size {
    const char* name;
    std::size_t atoms;
    glm::dvec3 edges;
    glm::ivec3 mesh;
  };
  for (const Size& size : {Size{"DHFR's size", 23558, {62.23, 62.23, 62.23}, {64, 64, 64}},
                           Size{"ApoA1's size", 92224, {108.86, 108.86, 77.76}, {108, 108, 80}},
                           Size{"STMV's size", 1066628, {216.83, 216.83, 216.83}, {216, 216, 216}}}) {
    const System system = random_system(size.atoms, size.edges);
    SpmeOptions o;
    o.order = s.order;
    o.mesh = size.mesh;
    const auto method = spme_mesh(system.problem, o, s.device);
    const Result plain = time_it(s, *method, system.positions, false);
    const Result sums = time_it(s, *method, system.positions, true);
    fmt::print("mesh of {} ({} atoms), {}\n", size.name, size.atoms, method->describe());
    fmt::print("  {:10.4f} ms forces, {:.4f} ms where each is waited for\n", plain.each * 1e3, plain.single * 1e3);
    fmt::print("  {:10.4f} ms forces, energy and virial, {:.4f} ms where each is waited for\n", sums.each * 1e3,
               sums.single * 1e3);
    print_steps(sums);
    if (s.errors && size.atoms < 100000) {
      const auto expected = spme_mesh_reference(system.problem, o, precise(system.positions));
      fmt::print("  force error against double precision {:.2e} relative\n", relative(plain.forces, expected.forces));
    }
    std::fflush(stdout);
  }
}

/// Three-point water of a GROMACS file (.gro): atoms in the order O H H, in nm.
System water_of_gro(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::size_t atoms = 0;
  std::getline(in, line);
  if (!(in >> atoms) || !std::getline(in, line)) throw Error("no .gro file: " + path, Error::Kind::usage);
  System s;
  for (std::size_t i = 0; i < atoms && std::getline(in, line) && line.size() >= 44; ++i) {
    glm::vec3 p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = 10 * std::stof(line.substr(20 + 8 * static_cast<std::size_t>(axis), 8));
    s.positions.push_back(p);
    s.problem.charges.push_back(i % 3 == 0 ? -0.834f : 0.417f);
  }
  glm::dvec3 edges;
  if (s.positions.size() != atoms || !(in >> edges.x >> edges.y >> edges.z)) {
    throw Error(path + " ends early", Error::Kind::usage);
  }
  s.problem.cell.vectors = glm::dmat3(10 * edges.x, 0, 0, 0, 10 * edges.y, 0, 0, 0, 10 * edges.z);
  return s;
}

/// The mesh part on the water that GROMACS has (tests/bench/peers/spme_gromacs.py): every evaluation is waited for, and
/// before each the atoms move as far as hydrogens do in `step` fs at 300 K. Mean, as GROMACS' log has it, and median,
/// of the steps too.
void bench_gro(const Settings& s, const std::string& path, glm::ivec3 mesh, double step) {
  System system = water_of_gro(path);
  SpmeOptions o;
  o.order = s.order;
  o.mesh = mesh;
  const auto method = spme_mesh(system.problem, o, s.device);
  const float most = static_cast<float>(0.0157 * std::sqrt(3.0) * step);  // sqrt(kT/m), angstrom
  std::mt19937 engine(7);
  std::vector<glm::vec3> velocities;
  const auto uniform = [&] { return most * (static_cast<float>(engine()) * 0x1p-31f - 1); };
  for (std::size_t i = 0; i < system.positions.size(); ++i) velocities.emplace_back(uniform(), uniform(), uniform());
  std::vector<glm::vec3> forces(system.positions.size());
  std::vector<double> times;
  std::map<std::string, std::vector<double>> steps;
  Job job;
  for (int i = 0; i < s.repeats + s.repeats / 4; ++i) {
    // Forth and back, as bonds and neighbours make them.
    const float turn = i / 20 % 2 == 0 ? 1.0f : -1.0f;
    for (std::size_t k = 0; k < velocities.size(); ++k) system.positions[k] += turn * velocities[k];
    const auto at = DeviceArray<glm::vec3>::from_host(system.positions, s.device);
    DeviceArray<glm::vec3> out(forces.size(), s.device);
    const LaunchRecord record;
    const auto begin = std::chrono::steady_clock::now();
    method->evaluate(at.span(), {out.span(), {}, false}, job);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (i < s.repeats / 4) continue;
    times.push_back(taken.count());
    for (const LaunchEntry& e : record.entries()) steps[e.name].push_back(e.seconds);
  }
  std::sort(times.begin(), times.end());
  double mean = 0;
  for (const double t : times) mean += t / static_cast<double>(times.size());
  fmt::print("{} atoms, mesh {} x {} x {}, order {}: {:.4f} ms a step, median {:.4f}, {:.4f} to {:.4f}\n",
             system.positions.size(), mesh.x, mesh.y, mesh.z, s.order, mean * 1e3, times[times.size() / 2] * 1e3,
             times.front() * 1e3, times.back() * 1e3);
  for (auto& [name, seconds] : steps) {
    std::sort(seconds.begin(), seconds.end());
    fmt::print("  {:10.4f} ms, least {:.4f}: {}\n", seconds[seconds.size() / 2] * 1e3, seconds.front() * 1e3, name);
  }
}

void bench_cubes(const Settings& s) {
  fmt::print("cubes at 0.1 atoms/A^3, mesh of about 1 A: ms\n{:>8} {:>9} {:>6} {:>10}  steps\n", "side", "atoms",
             "mesh", "forces");
  for (const double side : {16.0, 24.0, 32.0, 48.0, 64.0, 80.0, 96.0, 128.0, 160.0, 192.0, 224.0, 256.0}) {
    const auto atoms = static_cast<std::size_t>(0.1 * side * side * side);
    const System system = random_system(atoms, glm::dvec3(side));
    SpmeOptions o;
    o.cutoff = std::min(9.0, side / 2);
    o.order = s.order;
    o.mesh = glm::ivec3(good_fft_size(static_cast<int>(side)));
    const auto method = spme_mesh(system.problem, o, s.device);
    Settings fewer = s;
    fewer.repeats = atoms > 300000 ? 3 : s.repeats;
    const Result r = time_it(fewer, *method, system.positions, false);
    fmt::print("{:8.0f} {:9} {:6} {:10.4f} ", side, atoms, o.mesh.x, r.each * 1e3);
    for (const LaunchEntry& e : r.steps) fmt::print(" {} {:.4f}", e.name, e.seconds * 1e3);
    fmt::print("\n");
    std::fflush(stdout);
  }
}

void bench_water(const Settings& s, double side) {
  const System system = water_system(side);
  for (const double accuracy : {5e-4, 1e-4}) {
    const auto plans = plan_spme(accuracy, system.positions.size(), system.problem.cell, s.device);
    fmt::print("water, {} atoms, planned for {:g}:\n", system.positions.size(), accuracy);
    for (const SpmePlanned& p : plans) {
      fmt::print("    {}: {:.2e}, {:.3f} ms\n", describe(p.options), p.expected_error, p.seconds * 1e3);
    }
    const auto method = spme_electrostatics(system.problem, plans.front().options, s.device);
    const Result r = time_it(s, *method, system.positions, false);
    fmt::print("  {:10.4f} ms forces\n", r.each * 1e3);
    print_steps(r);
    if (!s.errors) continue;
    Job job;
    const ForceError e = electrostatic_error(system.problem, system.positions, r.forces, true, 100, job);
    fmt::print("  force error {:.2e} relative ({} atoms)\n", e.relative, e.atoms);
    std::fflush(stdout);
  }
}

/// What spme_expected_error() is made of: the mesh's error on water by order and alpha h, as log10 of g in
/// C q^2 sqrt(density alpha) g, and the RMS force.
void bench_errors() {
  const double side = 24;
  const System s = water_system(side);
  const auto exact = ewald_energy_reference(s.problem, precise(s.positions));
  double squares = 0;
  double charges = 0;
  for (const glm::dvec3 f : exact.forces) squares += glm::dot(f, f);
  for (const float q : s.problem.charges) charges += static_cast<double>(q) * static_cast<double>(q);
  const auto n = static_cast<double>(s.positions.size());
  fmt::print("water: {} atoms, RMS force {:.5g} kcal/(mol A), mean square charge {:.5g}, density {:.5g}\n",
             s.positions.size(), std::sqrt(squares / n), charges / n, n / (side * side * side));
  const double unit = 332.06371 * charges / n * std::sqrt(n / (side * side * side));
  for (int order = 4; order <= 8; ++order) {
    fmt::print("order {}:", order);
    for (const double product : {0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.7}) {
      // At the same alpha a mesh of order 8 that is twice as fine, or more, is exact for this purpose.
      SpmeOptions o;
      o.cutoff = 9;
      o.mesh = glm::ivec3(30);
      o.alpha = product / (side / 30);
      o.order = order;
      SpmeOptions fine = o;
      fine.order = 8;
      fine.mesh = glm::ivec3(product > 0.4 ? 84 : 64);
      const auto coarse_forces = spme_mesh_reference(s.problem, o, precise(s.positions)).forces;
      const auto fine_forces = spme_mesh_reference(s.problem, fine, precise(s.positions)).forces;
      double error = 0;
      for (std::size_t i = 0; i < fine_forces.size(); ++i) {
        const glm::dvec3 d = coarse_forces[i] - fine_forces[i];
        error += glm::dot(d, d);
      }
      fmt::print(" {:.3f}", std::log10(std::sqrt(error / n) / (unit * std::sqrt(o.alpha))));
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

int run(Words& words) {
  if (!words.asks_for("spme")) return 0;
  const double side = words.number("--side", 62);
  const std::string gro = words.text("--gro", "");
  const std::vector<double> mesh = words.numbers("--mesh", 3);
  const double step = words.number("--move", 0.5);
  const Settings s = settings_of(words);
  if (!gro.empty()) {
    if (mesh.size() != 3) throw Error("--gro FILE needs --mesh NX NY NZ", Error::Kind::usage);
    bench_gro(s, gro, glm::ivec3(mesh[0], mesh[1], mesh[2]), step);
    return 0;
  }
  const std::vector<std::string> rest = words.rest();
  const std::string what = rest.empty() ? "all" : rest[0];
  if (what == "all" || what == "sizes") bench_sizes(s);
  if (what == "all" || what == "cubes") bench_cubes(s);
  if (what == "all" || what == "water") bench_water(s, side);
  if (what == "errors") bench_errors();
  return 0;
}

}  // namespace
}  // namespace isolume::bench

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_spme [all|sizes|cubes|water|errors] [--device D] [--order N] [--repeats N] [--side A] [--no-errors]\n"
      "bench_spme --gro FILE --mesh NX NY NZ [--move FS] [--device D] [--order N] [--repeats N]",
      count, words, isolume::bench::run);
}
