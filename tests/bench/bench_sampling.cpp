// Times ions that are placed on the potential of a capsid-like shell, and the map of a small molecule's free energy.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <random>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/sampling/ion_placement.h"
#include "compute/sampling/probe.h"
#include "compute/sampling/probe_field.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The steps of a computation, the longest first.
void print_steps(const LaunchRecord& record) {
  std::vector<LaunchEntry> steps = record.entries();
  std::sort(steps.begin(), steps.end(),
            [](const LaunchEntry& a, const LaunchEntry& b) { return a.seconds > b.seconds; });
  for (const LaunchEntry& step : steps)
    fmt::print("  {:>9.3f} ms {:>5} {} {}\n", 1e3 * step.seconds, step.launches, step.cuda ? "device" : "host  ",
               step.name);
}

double number(std::mt19937& engine) {
  return static_cast<double>(engine()) * 0x1p-32;
}

/// A shell of charges at the density of protein, as a capsid's: most of its box is free.
std::vector<PointCharge> made_shell(std::size_t count) {
  std::mt19937 engine(5);
  const double thick = 40, radius = std::sqrt(static_cast<double>(count) / 0.1 / (4 * M_PI * thick));
  std::vector<PointCharge> charges;
  while (charges.size() < count) {
    const glm::dvec3 p(2 * number(engine) - 1, 2 * number(engine) - 1, 2 * number(engine) - 1);
    const double length = glm::length(p);
    if (length > 1 || length < 0.1) continue;
    // Charges of neighbours make up for each other.
    const double q = (charges.size() % 2 == 0 ? 1 : -1) * (0.1 + 0.4 * number(engine));
    charges.push_back({glm::vec3(p / length * (radius + thick * (number(engine) - 0.5))), static_cast<float>(q)});
  }
  return charges;
}

void time_ions(Device device, std::size_t count, std::size_t ions, int repeats, bool steps) {
  const std::vector<PointCharge> charges = made_shell(count);
  std::vector<glm::dvec3> atoms;
  for (const PointCharge& charge : charges) atoms.emplace_back(charge.position);
  std::vector<double> kinds;
  for (std::size_t i = 0; i < ions; ++i) kinds.push_back(i % 2 == 0 ? 1 : -1);
  for (int n = 0; n < repeats; ++n) {
    Job job;
    std::optional<LaunchRecord> record;
    if (steps) record.emplace();
    const auto begin = std::chrono::steady_clock::now();
    const Grid grid = ion_lattice(atoms, 12, 1);
    IonSites sites;
    sites.lattice = grid;
    sites.points = free_lattice_points(grid, atoms, 5, job);
    const double lattice = seconds_since(begin);
    fill_site_potential(charges, sites, device, job);
    const double potential = seconds_since(begin);
    const auto placed = place_ions(charges, sites, kinds, {}, device, job);
    const double all = seconds_since(begin);
    fmt::print(
        "{:<8} ions: {} of {} charges, {} sites: lattice {:.3f} s, potential {:.3f} s, ions {:.3f} s, all {:.3f} s; "
        "uncertainty {:.1e} V, first {:.4f} kcal/mol\n",
        to_string(device), placed.size(), charges.size(), sites.size(), lattice, potential - lattice, all - potential,
        all, sites.uncertainty, placed.front().energy);
    if (steps) print_steps(*record);
    std::fflush(stdout);
  }
}

void time_ligand(Device device, std::size_t count, int side, int rotations, int repeats, bool steps) {
  std::mt19937 engine(6);
  // A cube at the density of a protein in water, on a grid that covers it.
  const double edge = std::cbrt(static_cast<double>(count) / 0.1);
  std::vector<ProbedAtom> atoms;
  for (std::size_t i = 0; i < count; ++i) {
    const bool heavy = i % 3 == 0;
    atoms.push_back({edge * glm::dvec3(number(engine), number(engine), number(engine)), heavy ? 3.4 : 1.2,
                     heavy ? 0.1 : 0.03, 0, 0});
  }
  Grid grid;
  grid.step = glm::dmat3(edge / (side - 1));
  grid.counts = glm::ivec3(side);
  const Probe& probe = built_in_probe("O2");
  const std::vector<glm::dquat> turns = probe_orientations(probe, rotations);
  DeviceArray<float> values(grid.size(), device, "free energy");
  for (int n = 0; n <= repeats; ++n) {
    Job job;
    std::optional<LaunchRecord> record;
    if (steps) record.emplace();
    const auto begin = std::chrono::steady_clock::now();
    probe_free_energy(atoms, {}, probe, turns, grid, {}, values.span(), job);
    const double time = seconds_since(begin);
    if (n == 0) continue;  // the first one warms up
    const std::vector<float> found = values.copy_to_host();
    double error = 0;
    std::vector<glm::dvec3> points;
    std::vector<std::size_t> at;
    for (int p = 0; p < 200; ++p) {
      at.push_back(engine() % found.size());
      const int i = static_cast<int>(at.back() % static_cast<std::size_t>(side));
      const int j = static_cast<int>(at.back() / static_cast<std::size_t>(side) % static_cast<std::size_t>(side));
      const int k = static_cast<int>(at.back() / static_cast<std::size_t>(side) / static_cast<std::size_t>(side));
      points.push_back(grid.point(i, j, k));
    }
    std::vector<double> energies(points.size() * turns.size());
    probe_energies(atoms, {}, probe, turns, points, {}, energies, job);
    std::size_t open = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double exact = mean_free_energy(std::span(energies).subspan(p * turns.size(), turns.size()));
      if (exact >= probe_ceiling) continue;
      ++open;
      error = std::max(error, std::abs(static_cast<double>(found[at[p]]) - exact));
    }
    fmt::print(
        "{:<8} ligand map: {} atoms, {} x {} x {} points, O2, {} rotations: {:.1f} ms; error {:.1e} kT at {} "
        "of {} points\n",
        to_string(device), count, side, side, side, turns.size(), 1e3 * time, error, open, points.size());
    if (steps) print_steps(*record);
    std::fflush(stdout);
  }
}

int run(bench::Words& words) {
  const Device device = words.device();
  const auto charges = static_cast<std::size_t>(words.integer("--charges", 1'000'000));
  const auto ions = static_cast<std::size_t>(words.integer("--ions", 100));
  const auto atoms = static_cast<std::size_t>(words.integer("--atoms", 25'000));
  const int side = words.integer("--side", 128), rotations = words.integer("--rotations", 60);
  const int repeats = words.integer("--repeats", device.is_cuda() ? 3 : 1);
  const std::string only = words.text("--only", "");
  const bool steps = words.flag("--steps");
  if (only != "ligand") time_ions(device, charges, ions, repeats, steps);
  if (only != "ions") time_ligand(device, atoms, side, rotations, repeats, steps);
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_sampling [--device D] [--charges N] [--ions N] [--atoms N] [--side N] [--rotations N] [--repeats N] "
      "[--only ions|ligand] [--steps]",
      count, words, isolume::run);
}
