// Times the computations at the sizes that were published for others, with their accuracy next to the time.
//
//     bench_compute [--device=auto|cpu|cuda|cuda:N] [Google Benchmark's options]
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/direct/direct.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "compute/isosurface/marching_cubes.h"
#include "molecule/base/units.h"

namespace isolume {
namespace {

Device device;

double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1.0p-53;
}

glm::dvec3 in_cube(std::mt19937_64& random, double side) {
  const double x = uniform(random);
  const double y = uniform(random);
  return side * glm::dvec3(x, y, uniform(random));
}

/// Waters thrown into a cube at the density of water.
struct Water {
  double side;
  std::vector<PointCharge> charges;
  std::vector<DensityAtom> atoms;

  explicit Water(std::size_t count) : side(std::cbrt(static_cast<double>(count) / 0.1)) {
    std::mt19937_64 random(1);
    glm::dvec3 oxygen(0);
    for (std::size_t i = 0; i < count; ++i) {
      const bool heavy = i % 3 == 0;
      if (heavy) oxygen = in_cube(random, side);
      const glm::vec3 at(heavy ? oxygen : oxygen + in_cube(random, 1.1) - 0.55);
      charges.push_back({at, heavy ? -0.834f : 0.417f});
      atoms.push_back({at, heavy ? 1.52f : 1.1f, glm::vec3(heavy, 0.5f, !heavy)});
    }
  }
};

Grid cubic(glm::dvec3 origin, double step, glm::ivec3 counts) {
  Grid grid;
  grid.origin = origin;
  grid.step = glm::dmat3(step);
  grid.counts = counts;
  return grid;
}

std::vector<glm::ivec3> sample(const Grid& grid, std::size_t count) {
  std::mt19937_64 random(2);
  std::vector<glm::ivec3> points;
  for (std::size_t i = 0; i < count; ++i) points.emplace_back(in_cube(random, 1) * glm::dvec3(grid.counts));
  return points;
}

/// A line of the table at the end.
struct Row {
  std::string name;
  std::string problem;
  double wall = 0;     ///< seconds of a whole call whose inputs and outputs are where the interface has them
  double kernels = 0;  ///< seconds of what was launched on a CUDA device, by events
  double work = 0;     ///< evaluations, points or vertices
  double limit = 0;    ///< seconds that the device needs at least, 0 where not known
  double error = 0;
};
std::vector<Row> rows;

/// Runs `compute` per iteration, then puts the time of each named step into the counters.
template <class Compute>
Row measure(benchmark::State& state, const Compute& compute) {
  compute();
  std::vector<double> times;
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    compute();
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  Row row;
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  row.wall = times[times.size() / 2];
  LaunchRecord record;
  compute();
  for (const LaunchEntry& entry : record.entries()) {
    state.counters[entry.name + " [ms]"] = 1e3 * entry.seconds;
    if (entry.cuda) row.kernels += entry.seconds;
  }
  if (device.is_cuda()) state.counters["kernels [ms]"] = 1e3 * row.kernels;
  return row;
}

/// Notes a benchmark's line. Google Benchmark runs each until it knows how many iterations it wants: the last counts.
void note(benchmark::State& state, Row row, std::string name, std::string problem, double work, double limit,
          double error) {
  state.counters["error"] = error;
  row.name = std::move(name);
  row.problem = std::move(problem);
  row.work = work;
  row.limit = device.is_cuda() ? limit : 0;
  row.error = error;
  std::erase_if(rows, [&](const Row& r) { return r.name == row.name && r.problem == row.problem; });
  rows.push_back(std::move(row));
}

void print_rows() {
  std::printf("\n%-16s %-7s %-38s %10s %12s %10s %9s %9s\n", "name", "device", "problem", "wall [ms]", "kernels [ms]",
              "rate [/s]", "limit[ms]", "error");
  for (const Row& r : rows) {
    std::printf("%-16s %-7s %-38s %10.3f %12.3f %10.3g %9.3f %9.1e\n", r.name.c_str(), to_string(device).c_str(),
                r.problem.c_str(), 1e3 * r.wall, 1e3 * r.kernels, r.work / r.wall, 1e3 * r.limit, r.error);
  }
}

// What an H200 can do: inverse roots and exponentials, bytes of memory, fused multiply-adds, each a second.
constexpr double roots = 4.17e12;
constexpr double bytes = 4.2e12;
constexpr double multiply_adds = 28e12;

void direct(benchmark::State& state) {
  const Water water(static_cast<std::size_t>(state.range(0)));
  const auto n = static_cast<int>(state.range(1));
  const Grid grid = cubic(glm::dvec3(0.1), water.side / n, glm::ivec3(n));
  DeviceArray<float> out(grid.size(), device);
  const Row row = measure(state, [&] {
    Job job;
    direct_potential(water.charges, grid, out.span(), job);
  });
  const std::vector<float> values = out.copy_to_host();
  const double evaluations = static_cast<double>(water.charges.size()) * static_cast<double>(grid.size());
  note(state, row, "direct sum", fmt::format("{} charges, {}^3 points", water.charges.size(), n), evaluations,
       evaluations / roots, potential_error(water.charges, grid, values, 400).relative);
  state.counters["evaluations/s"] = benchmark::Counter(evaluations, benchmark::Counter::kIsIterationInvariantRate);
}

void density(benchmark::State& state) {
  const Water water(static_cast<std::size_t>(state.range(0)));
  const GaussianDensityOptions options;
  const Grid grid = gaussian_density_grid(water.atoms, options, static_cast<double>(state.range(1)) / 100);
  DeviceArray<float> out(grid.size(), device);
  DeviceArray<glm::vec3> colours(state.range(2) ? grid.size() : 0, device);
  const Row row = measure(state, [&] {
    Job job;
    gaussian_density(water.atoms, grid, options, out.span(), colours.span(), job);
  });
  const std::vector<float> values = out.copy_to_host();
  double largest = 0;
  double scale = 0;
  for (const glm::ivec3 at : sample(grid, 60)) {
    Grid one = grid;
    one.origin = grid.point(at.x, at.y, at.z);
    one.counts = glm::ivec3(1);
    double expected = 0;
    gaussian_density_reference(water.atoms, one, options, {&expected, 1}, {});
    largest = std::max(largest, std::abs(double{values[grid.index(at.x, at.y, at.z)]} - expected));
    scale = std::max(scale, expected);
  }
  // A multiply-add for every point within an atom's cutoff, and all the values written.
  double within = 0;
  for (const DensityAtom& atom : water.atoms) within += std::pow(double{options.cutoff_sigmas} * atom.radius, 3);
  within *= 4.0 / 3 * units::pi / std::pow(grid.step[0][0], 3);
  const auto points = static_cast<double>(grid.size());
  const double limit = within / multiply_adds * (state.range(2) ? 4 : 1) + points * (state.range(2) ? 16 : 4) / bytes;
  note(state, row, "surface density",
       fmt::format("{} atoms, {} points{}", water.atoms.size(), grid.size(), state.range(2) ? ", colours" : ""), points,
       limit, largest / scale);
  state.counters["points"] = points;
}

void isosurface(benchmark::State& state) {
  // A gyroid whose period gives about half a million vertices at 256^3.
  const auto n = static_cast<int>(state.range(0));
  const Grid grid = cubic(glm::dvec3(0), 1, glm::ivec3(n));
  const double k = 2 * units::pi / 140 * 256 / n;
  std::vector<float> volume(grid.size());
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const double value =
            std::sin(k * x) * std::cos(k * y) + std::sin(k * y) * std::cos(k * z) + std::sin(k * z) * std::cos(k * x);
        volume[grid.index(x, y, z)] = static_cast<float>(value);
      }
    }
  }
  const auto there = DeviceArray<float>::from_host(volume, device);
  MarchingCubesOptions options;
  options.isovalue = 0.1f;
  Job job;
  MarchingCubes cubes(there.span(), grid, options);
  const SurfaceCounts counts = cubes.count(job);
  DeviceArray<glm::vec3> positions(counts.vertices, device);
  DeviceArray<glm::vec3> normals(counts.vertices, device);
  DeviceArray<glm::uvec3> triangles(counts.triangles, device);
  const Row row = measure(state, [&] {
    cubes.count(job);
    cubes.fill(positions.span(), normals.span(), triangles.span(), {}, {}, job);
  });
  // How far vertices are from the function's own surface, in steps.
  double largest = 0;
  for (const glm::vec3 p : positions.copy_to_host()) {
    const glm::dvec3 s = glm::sin(k * glm::dvec3(p));
    const glm::dvec3 c = glm::cos(k * glm::dvec3(p));
    const double value = s.x * c.y + s.y * c.z + s.z * c.x - 0.1;
    const glm::dvec3 slope = k * glm::dvec3(c.x * c.y - s.z * s.x, c.y * c.z - s.x * s.y, c.z * c.x - s.y * s.z);
    largest = std::max(largest, std::abs(value) / glm::length(slope));
  }
  const auto vertices = static_cast<double>(counts.vertices);
  note(state, row, "isosurface", fmt::format("{}^3 points, {} vertices", n, counts.vertices), vertices,
       (static_cast<double>(grid.size()) * 4 + vertices * 24 + static_cast<double>(counts.triangles) * 12) / bytes,
       largest);
  state.counters["vertices"] = vertices;
}

void add_benchmarks() {
  const auto add = [](const char* name, void (*function)(benchmark::State&)) {
    return benchmark::RegisterBenchmark(name, function)->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  // The CPU's share of the published problem of 100,000 atoms is a tenth: the time is proportional.
  add("direct sum, atoms x points", direct)->Args({device.is_cuda() ? 100000 : 10000, 128});
  add("surface density, atoms, 0.01 angstrom, colours", density)
      ->Args({955225, 100, 0})
      ->Args({955225, 100, 1})
      ->Args({111016, 50, 1});
  add("isosurface, points along a side", isosurface)->Arg(256);
}

}  // namespace
}  // namespace isolume

int main(int argc, char** argv) {
  std::string wish = "auto";
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--device=")) {
      wish = argument.substr(std::strlen("--device="));
    } else if (argument == "--device" && i + 1 < argc) {
      wish = argv[++i];
    } else {
      rest.push_back(argv[i]);
    }
  }
  try {
    isolume::device = isolume::choose_device(wish);
    for (const isolume::DeviceInfo& info : isolume::list_devices()) {
      if (info.device == isolume::device) std::fprintf(stderr, "device: %s\n", info.name.c_str());
    }
    isolume::add_benchmarks();
    int count = static_cast<int>(rest.size());
    benchmark::Initialize(&count, rest.data());
    if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
    benchmark::RunSpecifiedBenchmarks();
    isolume::print_rows();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
