// Times what is done over frames: averages of maps, with their statistics where they are kept, volume maps by
// Gaussians, and probes with the shares of groups.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/electrostatics/method.h"
#include "compute/field_lines/line_tracing.h"
#include "compute/over_time/frame_pipeline.h"
#include "compute/over_time/group_potential.h"
#include "compute/over_time/running_statistics.h"
#include "compute/over_time/volume_map.h"
#include "molecule/crystal/water_box.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

struct Settings {
  Device device;
  double side = 100;  // angstrom, of the box of water
  int points = 256;   // along each axis
  int frames = 50;
  double accuracy = usual_accuracy;
  double cutoff = 0;  // angstrom; 0: planned
};

/// Water whose atoms shake, so that no frame is like another.
std::vector<std::vector<ChargedSphere>> frames_of_water(double side, int count) {
  const Molecule molecule = make_water_box(side, 1);
  const Frame frame = molecule.trajectory->frame(0);
  std::mt19937 engine(5);
  std::vector<std::vector<ChargedSphere>> frames(static_cast<std::size_t>(count));
  for (std::vector<ChargedSphere>& spheres : frames)
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      const auto shaken = [&] { return 0.3f * (static_cast<float>(engine()) * 0x1p-32f - 0.5f); };
      const glm::vec3 place = frame.positions[i] + glm::vec3(shaken(), shaken(), shaken());
      spheres.push_back({place, molecule.topology->atoms[i].charge, 1});
    }
  return frames;
}

template <class Body>
double seconds_per_frame(int frames, const Body& body) {
  body(0);  // warms up
  std::vector<double> taken;
  for (int t = 0; t < frames; ++t) {
    const auto begin = std::chrono::steady_clock::now();
    body(t);
    taken.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  double sum = 0;
  for (const double t : taken) sum += t;
  return sum / static_cast<double>(frames);
}

void say(const char* what, double seconds) {
  fmt::print("{:<56} {:>9.3f} ms a frame, 10 000 frames in {:>7.1f} s\n", what, seconds * 1e3, seconds * 1e4);
  std::fflush(stdout);
}

void time_average(const Settings& s) {
  const auto frames = frames_of_water(s.side, 8);
  Cell cell;
  cell.vectors = glm::dmat3(s.side);
  const Grid grid{glm::dvec3(0), glm::dmat3(s.side / s.points), glm::ivec3(s.points)};
  SpmeMethod method;
  method.cell = cell;
  method.fixed_cutoff = s.cutoff;
  PotentialOptions options = method;
  const double expected = choose_parameters(s.accuracy, frames[0], grid, s.device, options);
  const SpmeOptions& chosen = std::get<SpmeMethod>(options).spme;
  fmt::print("{} atoms, {}^3 points, {}; cutoff {:.2f} A, order {}, mesh {}, expected error {:.1e}\n", frames[0].size(),
             s.points, to_string(s.device), chosen.cutoff, chosen.order, chosen.mesh.x, expected);
  DeviceArray<float> map(grid.size(), s.device);
  Job job;
  PotentialRoom room;
  const auto make = [&](int t) {
    potential(frames[static_cast<std::size_t>(t) % frames.size()], grid, options, map.span(), job, &room);
  };
  say("map by SPME", seconds_per_frame(s.frames, make));
  const MapError error = measured_error(frames[static_cast<std::size_t>(s.frames - 1) % frames.size()], grid, options,
                                        std::as_const(map).span(), job, 1000);
  fmt::print("measured error {:.1e} of the RMS at {} points\n", error.relative, error.points);
  {
    const LaunchRecord record;
    make(0);
    for (const LaunchEntry& step : record.entries())
      fmt::print("      {:<44} {:>9.4f} ms {:>5} launches\n", step.name, step.seconds * 1e3, step.launches);
  }
  RunningStatistics there(grid.size(), s.device), here(grid.size());
  say("statistics on the device, alone",
      seconds_per_frame(s.frames, [&](int) { there.add(std::as_const(map).span(), 1, job); }));
  there = RunningStatistics(grid.size(), s.device);
  say("map and statistics on the device", seconds_per_frame(s.frames, [&](int t) {
        make(t);
        there.add(std::as_const(map).span(), 1, job);
      }));
  const int fewer = std::min(s.frames, 10);
  say("map, copied, and statistics on the processors", seconds_per_frame(fewer, [&](int t) {
        make(t);
        const std::vector<float> values = map.copy_to_host();
        here.add(std::span<const float>(values), job);
      }));
  if (fewer == s.frames) {
    const auto a = there.levels(), b = here.levels();
    double worst = 0;
    for (std::size_t i = 0; i < grid.size(); ++i)
      worst = std::max(worst, std::abs(a[0].mean[i] - b[0].mean[i]) / (1e-6 + std::sqrt(a[0].squares[i])));
    fmt::print("largest difference of the means {:.1e} of their deviations\n", worst);
  }
  const auto begin = std::chrono::steady_clock::now();
  std::vector<float> means(grid.size()), errors(grid.size());
  there.fill(means, errors, job);
  fmt::print("means and standard errors at the end: {:.2f} s\n",
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

void time_volume_map(const Settings& s) {
  const Molecule molecule = make_water_box(62.2, 1);
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<WeightedAtom> atoms;
  for (std::size_t i = 0; i < frame.positions.size(); ++i)
    atoms.push_back({glm::dvec3(frame.positions[i]), i % 3 == 0 ? 1.52 : 1.1, 1});
  Cell cell;
  cell.vectors = glm::dmat3(62.2);
  const Grid grid = Grid::covering(glm::dvec3(-5), glm::dvec3(67.2), 1);
  std::vector<float> values(grid.size());
  fmt::print("volume map by Gaussians of {} atoms at {} points, one thread\n", atoms.size(), grid.size());
  for (const bool periodic : {false, true}) {
    const std::clock_t begin = std::clock();
    say(periodic ? "with all images" : "without a cell", seconds_per_frame(s.frames, [&](int) {
          volume_map(atoms, periodic ? cell : Cell{}, grid, VolumeSpread::gaussian, 0, values);
        }));
    const double processor = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    fmt::print("{:<56} {:>9.3f} ms a frame\n", "  of the processor", 1e3 * processor / (s.frames + 1));
  }
}

void time_probes(const Settings& s) {
  const auto frames = frames_of_water(62.2, 8);
  const std::size_t atoms = frames[0].size();
  std::vector<std::uint32_t> group(atoms);
  for (std::size_t i = 0; i < atoms; ++i) group[i] = static_cast<std::uint32_t>(std::min<std::size_t>(i / 15, 159));
  const ChargeGroups groups(group, 160);
  std::vector<glm::dvec3> points;
  for (int p = 0; p < 10; ++p) points.emplace_back(20 + p, 25 + 2 * p, 30);
  constexpr std::size_t count = 1000;
  fmt::print("10 probes by 160 groups of {} charges, {} threads\n", atoms, thread_count());
  std::vector<std::vector<GroupShare>> found(2);
  for (const Device device : {Device::cpu(), s.device}) {
    std::vector<GroupShare>& shares = found[device.is_cuda() ? 1 : 0];
    Job job;
    const auto one = [&](std::size_t t, std::vector<GroupShare>& out) {
      out.resize(points.size() * groups.size());
      group_potentials(frames[t % frames.size()], groups, DirectOptions{}, points, out, job, device);
    };
    one(0, shares);
    const auto begin = std::chrono::steady_clock::now();
    in_order(
        count, 4 * static_cast<std::size_t>(thread_count()), job,
        [&](std::size_t t) {
          std::vector<GroupShare> out;
          one(t, out);
          return out;
        },
        [&](std::size_t t, std::vector<GroupShare>&& out) {
          if (t == 0) shares = std::move(out);
        });
    const double all = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("  {:<8} {:8.3f} s for {} frames; one alone {:.3f} ms\n", to_string(device), all, count,
               1e3 * seconds_per_frame(20, [&](int t) { one(static_cast<std::size_t>(t), shares); }));
    std::fflush(stdout);
    if (!s.device.is_cuda()) return;
  }
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < found[0].size(); ++i) {
    worst = std::max(worst, std::abs(found[0][i].potential - found[1][i].potential));
    scale = std::max(scale, std::abs(found[0][i].potential));
  }
  fmt::print("  largest difference {:.1e} of the largest share\n", worst / scale);
}

void time_lines(const Settings& s) {
  // Two hundred charges in a box, and lines from evenly spread places on their surfaces.
  const Grid grid = Grid::covering(glm::dvec3(-20), glm::dvec3(20), 0.25);
  std::mt19937 engine(2);
  const auto random = [&] { return static_cast<double>(engine()) * 0x1p-32; };
  std::vector<PointCharge> charges;
  std::vector<glm::vec4> spheres;
  for (int i = 0; i < 200; ++i) {
    const glm::vec3 place(24 * random() - 12, 24 * random() - 12, 24 * random() - 12);
    charges.push_back({place, i % 2 ? 1.0f : -1.0f});
    spheres.emplace_back(place, 2.0f);
  }
  DeviceArray<float> map(grid.size(), s.device);
  Job job;
  direct_potential(charges, grid, map.span(), job);
  const std::vector<float> values = map.copy_to_host();
  std::vector<LineSeed> seeds;
  for (const glm::vec4& sphere : spheres)
    for (const glm::vec3& place : places_around(glm::dvec3(glm::vec3(sphere)), 2.0, 5))
      seeds.push_back({glm::dvec3(place), sphere.x > 0 ? 1.0 : -1.0});
  LineTracing options;
  options.step = 0.125;
  options.most = 1600;
  options.least = 1e-6;
  fmt::print("{} field lines through {}^3 points\n", seeds.size(), grid.counts.x);
  for (const Device device : {Device::cpu(), s.device}) {
    const Span<const float> there =
        device.is_cuda() ? Span<const float>(map.span()) : Span<const float>(values.data(), values.size(), device);
    std::size_t points = 0;
    const double seconds = seconds_per_frame(5, [&](int) {
      points = 0;
      for (const TracedLine& line : trace_lines(grid, there, seeds, spheres, options, job))
        points += line.line.points.size();
    });
    fmt::print("  {:<8} {:8.2f} ms, {} points\n", to_string(device), seconds * 1e3, points);
    if (!s.device.is_cuda()) return;
  }
}

int run(bench::Words& words) {
  Settings s;
  s.device = words.device();
  s.side = words.number("--side", s.side);
  s.points = words.integer("--points", s.points);
  s.frames = words.integer("--frames", s.frames);
  s.accuracy = words.number("--accuracy", s.accuracy);
  s.cutoff = words.number("--cutoff", s.cutoff);
  const std::string only = words.text("--only", "");
  if (only.empty() || only == "average") time_average(s);
  if (only.empty() || only == "probe") time_probes(s);
  if (only.empty() || only == "volmap") time_volume_map(s);
  if (only.empty() || only == "lines") time_lines(s);
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_over-time [--only average|probe|volmap|lines] [--device D] [--side A] [--points N] [--frames N] "
      "[--accuracy E] [--cutoff A]",
      count, words, isolume::run);
}
