// Times maps of models, their correlation with another map, and the search of all places of a model in a map.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <numeric>
#include <optional>
#include <random>
#include <string>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/density_maps/density_map.h"
#include "compute/density_maps/map_series.h"
#include "compute/density_maps/map_windows.h"
#include "compute/density_maps/rigid_fit.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

/// Wall clock and time of all processors, seconds.
struct Clocks {
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::clock_t work = std::clock();
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); }
  double processors() const { return static_cast<double>(std::clock() - work) / CLOCKS_PER_SEC; }
};

using Random = std::mt19937;
double number(Random& engine) {
  return static_cast<double>(engine()) * 0x1p-32;
}

/// A shell of atoms of protein's density, as a virus has.
std::vector<MapAtom> made_shell(std::size_t count, double resolution) {
  Random engine(3);
  const double thick = 40, radius = std::sqrt(static_cast<double>(count) / 0.05 / (4 * M_PI * thick));
  const auto sigma = static_cast<float>(map_sigma(MapConvention::chimerax, resolution, 0));
  std::vector<MapAtom> atoms;
  while (atoms.size() < count) {
    const glm::dvec3 p(2 * number(engine) - 1, 2 * number(engine) - 1, 2 * number(engine) - 1);
    const double length = glm::length(p);
    if (length > 1 || length < 0.1) continue;
    atoms.push_back({glm::vec3(p / length * (radius + thick * (number(engine) - 0.5))), sigma, 7});
  }
  return atoms;
}

/// A slim lump of two halves, as long as a subunit of GroEL.
RigidModel made_subunit(std::size_t count) {
  Random engine(4);
  RigidModel model;
  while (model.positions.size() < count) {
    const glm::dvec3 p(2 * number(engine) - 1, 2 * number(engine) - 1, 2 * number(engine) - 1);
    if (glm::length(p) > 1) continue;
    const bool upper = number(engine) > 0.45;
    model.positions.push_back(p * glm::dvec3(20, upper ? 24 : 16, 26) +
                              (upper ? glm::dvec3(12, 0, 30) : glm::dvec3(0, 0, -20)));
    model.weights.push_back(6 + 2 * number(engine));
  }
  return model;
}

/// A frame of made-up motion: each atom is moved a little.
std::vector<glm::vec3> moved(const std::vector<MapAtom>& atoms, int frame) {
  std::vector<glm::vec3> positions;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const float turn = static_cast<float>(frame) + static_cast<float>(i % 97);
    positions.push_back(atoms[i].position + 0.2f * glm::vec3(std::sin(turn), std::cos(turn), std::sin(2 * turn)));
  }
  return positions;
}

void print_steps(const LaunchRecord& record, int frames) {
  for (const LaunchEntry& entry : record.entries()) {
    if (entry.cuda) fmt::print("           {:<32} {:.3f} ms a frame\n", entry.name, 1e3 * entry.seconds / frames);
  }
}

/// One frame at a time with everything copied, and frames in line with positions copied, in turns.
void time_correlation(Device device, std::size_t count, double resolution, double spacing, int frames) {
  std::vector<MapAtom> atoms = made_shell(count, resolution);
  const Grid grid = density_map_grid(atoms, spacing);
  Job job;
  DeviceArray<float> map(grid.size(), device, "map");
  density_map(atoms, grid, map.span(), job);
  const MapComparison comparison{std::as_const(map).span(), 0, 0};
  const std::vector<float> values = map.copy_to_host();
  std::vector<std::uint32_t> numbers(atoms.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::vector<std::vector<glm::vec3>> places{moved(atoms, 0), moved(atoms, 1), moved(atoms, 2)};
  MapSeries series({atoms, numbers, grid, values}, device);
  const auto name = [&](const char* what) {
    return fmt::format("{:<8} {} of {} atoms, {} A, {} x {} x {} points {} A apart", to_string(device), what, count,
                       resolution, grid.counts.x, grid.counts.y, grid.counts.z, spacing);
  };
  for (int turn = 0; turn < (device.is_cuda() ? 3 : 1); ++turn) {
    double single = 0, in_line = 0;
    const auto each = [&](bool timed) {
      const Clocks clocks;
      const int some = timed ? frames : 1;
      for (int f = 0; f < some; ++f) {
        for (std::size_t i = 0; i < atoms.size(); ++i) atoms[i].position = places[static_cast<std::size_t>(f % 3)][i];
      }
      const double copying = clocks.seconds();
      for (int f = 0; f < some; ++f) {
        single = compared_density_map(atoms, grid, comparison, {nullptr, 0, device}, job).all.correlation();
      }
      if (timed)
        fmt::print("{}: {:.3f} ms a frame, {:.3f} ms of processors\n", name("single maps"),
                   1e3 * (clocks.seconds() - copying) / some, 1e3 * (clocks.processors() - copying) / some);
    };
    each(false);
    each(true);
    const auto line = [&](bool timed) {
      const int some = timed ? frames : 3;
      const Clocks clocks;
      series.put(places[0], job);
      for (int f = 0; f < some; ++f) {
        if (f + 1 < some) series.put(places[static_cast<std::size_t>((f + 1) % 3)], job);
        in_line = series.take(job).all.correlation();
      }
      if (timed)
        fmt::print("{}: {:.3f} ms a frame, {:.3f} ms of processors; r = {:.9f}, single {:.9f}\n", name("series"),
                   1e3 * clocks.seconds() / some, 1e3 * clocks.processors() / some, in_line, single);
    };
    line(false);
    line(true);
  }
  // Steps apart: events take time themselves.
  const LaunchRecord record;
  for (int f = 0; f < frames; ++f) {
    series.put(places[static_cast<std::size_t>(f % 3)], job);
    series.take(job);
  }
  print_steps(record, frames);
}

/// Windows of residues and the mask by distance.
void time_windows(Device device, std::size_t count, double resolution, double spacing, int frames) {
  const std::vector<MapAtom> atoms = made_shell(count, resolution);
  const Grid grid = density_map_grid(atoms, spacing);
  Job job;
  DeviceArray<float> map(grid.size(), device, "map");
  density_map(atoms, grid, map.span(), job);
  DeviceArray<std::uint8_t> mask(grid.size(), device, "mask");
  std::vector<glm::dvec3> positions;
  std::vector<std::vector<std::uint32_t>> residues;
  for (std::uint32_t i = 0; i < atoms.size(); ++i) {
    // Eight atoms that are near one another.
    positions.push_back(glm::dvec3(atoms[i - i % 8].position) + glm::dvec3(i % 2, i / 2 % 2, i / 4 % 2) * 2.0);
    if (i % 8 == 0) residues.emplace_back();
    residues.back().push_back(i);
  }
  const MapPair both{std::as_const(map).span(), std::as_const(map).span()};
  double near = 0, windows = 0, points = 0;
  std::optional<LaunchRecord> record;
  for (int f = -1; f < frames; ++f) {
    const Clocks clocks;
    points_near(grid, positions, 4, mask.span(), job);
    points = masked_sums(both, std::as_const(mask).span(), job).count;
    if (f >= 0) near += clocks.seconds();
    const Clocks again;
    window_sums(grid, both, positions, residues, 3, job);
    if (f >= 0) windows += again.seconds();
    if (f + 2 == frames) record.emplace();  // the last frame's steps, whose events take time themselves
  }
  const std::string where = fmt::format("{} atoms, {} x {} x {} points {} A apart", count, grid.counts.x, grid.counts.y,
                                        grid.counts.z, spacing);
  fmt::print("{:<8} mask of {}: {:.3f} ms a frame, {:.0f} points within 4 A\n", to_string(device), where,
             1e3 * near / frames, points);
  fmt::print("{:<8} windows of {}: {:.3f} ms a frame, {} residues\n", to_string(device), where, 1e3 * windows / frames,
             residues.size());
  if (record) print_steps(*record, 1);
}

void time_search(Device device, std::size_t count, double resolution, double angle) {
  const RigidModel model = made_subunit(count);
  const auto sigma = static_cast<float>(map_sigma(MapConvention::chimerax, resolution, 0));
  // Seven subunits in a ring.
  std::vector<MapAtom> atoms;
  for (int n = 0; n < 7; ++n) {
    const glm::dquat turn = glm::angleAxis(2 * M_PI * n / 7, glm::dvec3(0, 0, 1));
    for (std::size_t i = 0; i < count; ++i)
      atoms.push_back(
          {glm::vec3(turn * (model.positions[i] + glm::dvec3(48, 0, 0))), sigma, static_cast<float>(model.weights[i])});
  }
  const Grid grid = density_map_grid(atoms, resolution / 4);
  Job job;
  std::vector<float> values(grid.size());
  density_map(atoms, grid, {values.data(), values.size(), Device::cpu()}, job);
  const MapSpline map(grid, smoothed_map(grid, values, static_cast<double>(sigma), job));
  MapSearchOptions options;
  options.resolution = resolution;
  options.angle = angle;
  options.device = device;
  for (int turn = 0; turn < (device.is_cuda() ? 2 : 1); ++turn) {
    MapSearchStatistics statistics;
    const Clocks clocks;
    const auto places = search_map(map, model, options, job, &statistics);
    const double rmsd = [&] {
      double nearest = 1e9;
      for (int n = 0; n < 7; ++n) {
        const glm::dquat ring = glm::angleAxis(2 * M_PI * n / 7, glm::dvec3(0, 0, 1));
        nearest = std::min(nearest, rmsd_of_places(model, {ring, ring * glm::dvec3(48, 0, 0)}, places.front().motion));
      }
      return nearest;
    }();
    fmt::print(
        "{:<8} search: {} atoms, {} A, {} turns of {} degrees, {} x {} x {} points {:.2f} A apart: {:.3f} s, "
        "{:.3f} s of processors; best {:.3f} A from its place\n",
        to_string(device), count, resolution, statistics.rotations, statistics.angle, statistics.mesh.x,
        statistics.mesh.y, statistics.mesh.z, statistics.spacing, clocks.seconds(), clocks.processors(), rmsd);
    std::fflush(stdout);
  }
}

int run(bench::Words& words) {
  const Device device = words.device();
  const auto atoms = static_cast<std::size_t>(words.integer("--atoms", 702'000));
  const auto subunit = static_cast<std::size_t>(words.integer("--subunit", 3'847));
  const int frames = static_cast<int>(words.integer("--frames", 5));
  const std::string only = words.text("--only", "");
  if (only != "search") time_correlation(device, atoms, 10, 4, frames);
  if (only != "search") time_correlation(device, atoms, 10, 2.5, frames);
  if (only != "search") time_windows(device, atoms, 10, 2.5, frames);
  if (only == "correlation") return 0;
  // 4.7 degrees, and as many turns as PowerFit's 4.71 degrees has (70 728).
  for (const double angle : {5.93, 4.7}) time_search(device, subunit, 23, angle);
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_maps [--device D] [--atoms N] [--subunit N] [--frames N] [--only correlation|search]", count, words,
      isolume::run);
}
