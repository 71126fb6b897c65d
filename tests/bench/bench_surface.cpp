// Times surfaces: Gaussian density, sort, marching cubes, and the potential on them, at the sizes published for others.
//
//     bench_surface [--device auto|cpu|cuda] [--repeats N] [--volume FILE] [--all-colours] [NAME...]
//
// NAME is a system of tests/bench/surface_systems.h, "marching-cubes" or "live-potential"; all without any. --volume
// writes the volume of "marching-cubes" as 256^3 floats, for the peers (tests/bench/peers/isosurface.py). --all-colours
// forms the colours of all points, as where no isovalue is known.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "compute/base/memory.h"
#include "compute/base/timing.h"
#include "compute/density/gaussian_density.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "compute/electrostatics/msm/msm.h"
#include "compute/isosurface/marching_cubes.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/surface_systems.h"

namespace isolume {
namespace {

struct Settings {
  Device device;
  int repeats = 0;  ///< 0: by the time that one takes
  std::string volume;
  bool all_colours = false;  ///< of every point, also of those that no vertex takes its colour from
};

struct Timing {
  double median = 0, least = 0, most = 0;  ///< seconds
  double processors = 0;                   ///< seconds of all of this program's threads, a call
  std::vector<LaunchEntry> steps;
};

Timing time_it(const Settings& settings, const std::function<void()>& compute) {
  const auto seconds_of = [&] {
    const auto begin = std::chrono::steady_clock::now();
    compute();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  seconds_of();
  const double once = seconds_of();
  const int repeats = settings.repeats > 0 ? settings.repeats : std::clamp(static_cast<int>(0.5 / once), 3, 100);
  std::vector<double> times;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < repeats; ++i) times.push_back(seconds_of());
  const double processors = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / repeats;
  std::sort(times.begin(), times.end());
  const LaunchRecord record;
  compute();
  return {times[times.size() / 2], times.front(), times.back(), processors, record.entries()};
}

double seconds_of(const Timing& timing, const std::string& begin) {
  double sum = 0;
  for (const LaunchEntry& step : timing.steps) {
    if (step.name.starts_with(begin)) sum += step.seconds;
  }
  return sum;
}

/// A surface's memory, which is kept.
struct SurfaceMemory {
  KeptArray<glm::vec3> positions, normals;
  KeptArray<glm::uvec3> triangles;
  KeptArray<glm::u8vec4> colours;

  void fill(MarchingCubes& cubes, const SurfaceCounts& counts, const SurfaceColours& by, Device device, Job& job) {
    const auto span = [&](auto& array, std::size_t count) {
      auto* data = array.room(count, device, "surface");
      return Span<std::remove_pointer_t<decltype(data)>>(data, count, device);
    };
    cubes.fill(span(positions, counts.vertices), span(normals, counts.vertices), span(triangles, counts.triangles), by,
               by.empty() ? Span<glm::u8vec4>() : span(colours, counts.vertices), job);
  }
};

template <class Value, class Colour>
void surface(const Settings& settings, const SurfaceSystem& system, const char* kind) {
  const Device device = settings.device;
  GaussianDensityOptions options;
  options.radius_scale = system.radius_scale;
  if (!settings.all_colours) options.coloured_surface = MarchingCubesOptions().isovalue;
  const Grid grid = gaussian_density_grid(system.atoms, options, system.spacing);
  DensityAtoms atoms(system.atoms, device);
  std::vector<glm::vec3> positions;
  for (const DensityAtom& atom : system.atoms) positions.push_back(atom.position);
  DensityWorkspace workspace;
  DeviceArray<Value> values(grid.size(), device, "values");
  DeviceArray<Colour> colours(grid.size(), device, "colours");
  MarchingCubes cubes(values.span(), grid, {});
  SurfaceMemory memory;
  SurfaceCounts counts;
  Job job;
  const auto whole = [&] {
    gaussian_density(atoms, grid, options, values.span(), colours.span(), job, workspace);
    cubes.reset(values.span(), grid, {});
    counts = cubes.count(job);
    memory.fill(cubes, counts, colours.span(), device, job);
  };
  const Timing resident = time_it(settings, whole);
  const Timing moved = time_it(settings, [&] {
    atoms.move(positions, job);
    whole();
  });
  const double density = seconds_of(resident, "surface density: tiles");
  const double all_density = seconds_of(resident, "surface density");
  const double cubes_time = seconds_of(resident, "isosurface");
  fmt::print("{:16} {:10} {:9} {:11} {:8.3f} {:8.3f} {:8.3f} {:9.3f} {:9.3f} ({:.3f}-{:.3f}) {:9} {:8.1f}\n",
             system.name, system.atoms.size(), kind, grid.size(), 1e3 * (all_density - density), 1e3 * density,
             1e3 * cubes_time, 1e3 * resident.median, 1e3 * moved.median, 1e3 * resident.least, 1e3 * resident.most,
             counts.vertices, 1 / resident.median);
  if (!device.is_cuda()) {
    // What a machine that others use as well does not change.
    fmt::print("    {:9.4f} ms of processors\n", 1e3 * resident.processors);
  }
  for (const LaunchEntry& step : resident.steps) {
    fmt::print("    {:9.4f} ms  {} ({})\n", 1e3 * step.seconds, step.name, step.launches);
  }
  std::fflush(stdout);
}

/// A gyroid whose period gives about half a million vertices at 256^3.
template <class Value>
void marching_cubes_alone(const Settings& settings, const char* kind) {
  constexpr int n = 256;
  Grid grid;
  grid.counts = glm::ivec3(n);
  const double k = 2 * units::pi / 140;
  std::vector<Value> volume;
  std::vector<float> floats;
  for (int z = 0; z < n; ++z) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const double value =
            std::sin(k * x) * std::cos(k * y) + std::sin(k * y) * std::cos(k * z) + std::sin(k * z) * std::cos(k * x);
        // Moved into 0 .. 1, which 8 bits hold.
        floats.push_back(static_cast<float>(0.5 + value / 3.2));
        volume.push_back(from_float<Value>(floats.back()));
      }
    }
  }
  if (!settings.volume.empty()) {
    std::ofstream file(settings.volume, std::ios::binary);
    file.write(reinterpret_cast<const char*>(floats.data()), static_cast<std::streamsize>(floats.size() * 4));
  }
  const auto there = DeviceArray<Value>::from_host(volume, settings.device);
  Job job;
  const MarchingCubesOptions options{0.53f, true};
  MarchingCubes cubes(there.span(), grid, options);
  SurfaceMemory memory;
  SurfaceCounts counts;
  const Timing timing = time_it(settings, [&] {
    counts = cubes.count(job);
    memory.fill(cubes, counts, {}, settings.device, job);
  });
  // As the program makes every surface after the first: into memory that is there, waited for once.
  Timing at_once;
  if (settings.device.is_cuda()) {
    Stream stream(settings.device);
    at_once = time_it(settings, [&] {
      const auto room = [&](auto& array) {
        return Span<std::remove_pointer_t<decltype(array.data())>>(array.data(), array.capacity(), settings.device);
      };
      cubes.start(room(memory.positions), room(memory.normals), room(memory.triangles), {}, {}, stream, job);
      stream.synchronize();
      cubes.finish();
    });
  }
  const Mesh mesh = marching_cubes(there.span(), grid, options, {}, job);
  fmt::print("marching cubes, {}^3 {}: {:.3f} ms ({:.3f}-{:.3f}), {} vertices, {} triangles, area {:.1f}, Euler {}\n",
             n, kind, 1e3 * timing.median, 1e3 * timing.least, 1e3 * timing.most, counts.vertices, counts.triangles,
             surface_area(mesh), euler_characteristic(mesh));
  if (settings.device.is_cuda()) {
    fmt::print("    counted and filled at once: {:.3f} ms ({:.3f}-{:.3f})\n", 1e3 * at_once.median, 1e3 * at_once.least,
               1e3 * at_once.most);
  } else {
    fmt::print("    {:9.4f} ms of processors\n", 1e3 * timing.processors);
  }
  for (const LaunchEntry& step : timing.steps) {
    fmt::print("    {:9.4f} ms  {} ({})\n", 1e3 * step.seconds, step.name, step.launches);
  }
  std::fflush(stdout);
}

/// The surface of 100 000 moving atoms coloured by their potential: positions up, density, MSM with its error, surface.
void live_potential(const Settings& settings) {
  const Device device = settings.device;
  SurfaceSystem system = surface_system("mscl");
  system.atoms.resize(100000);
  std::vector<PointCharge> charges;
  std::vector<glm::vec3> positions;
  for (std::size_t i = 0; i < system.atoms.size(); ++i) {
    positions.push_back(system.atoms[i].position);
    charges.push_back({system.atoms[i].position, i % 2 ? 0.4f : -0.4f});
  }
  const GaussianDensityOptions options;
  const Grid grid = gaussian_density_grid(system.atoms, options, 1.0);
  DensityAtoms atoms(system.atoms, device);
  DensityWorkspace workspace;
  DeviceArray<float> values(grid.size(), device), potential(grid.size(), device);
  MarchingCubes cubes(values.span(), grid, {});
  SurfaceMemory memory;
  SurfaceCounts counts;
  Job job;
  const MsmOptions msm = plan_msm(2.5e-3, charges, grid, device).options;
  SurfaceColours by;
  by.scalars = potential.span();
  by.lower = -5;
  by.upper = 5;
  by.map = {{0.8f, 0.1f, 0.1f}, {1, 1, 1}, {0.1f, 0.25f, 0.8f}};
  double sign = 0.01;
  MsmField field;
  MapError error;
  const Timing timing = time_it(settings, [&] {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      positions[i].x += static_cast<float>(sign);
      charges[i].position = positions[i];
    }
    sign = -sign;
    atoms.move(positions, job);
    gaussian_density(atoms, grid, options, values.span(), {}, job, workspace);
    field.reset(charges, grid, msm, device, job);
    field.map(0, grid.counts.z, potential.span(), job);
    error = potential_error_on_device(charges, grid, potential.span(), 195, 1, job, field.charges_on_device());
    cubes.reset(values.span(), grid, {});
    counts = cubes.count(job);
    memory.fill(cubes, counts, by, device, job);
  });
  fmt::print("live potential: {} atoms, {} points, {}: {:.3f} ms ({:.3f}-{:.3f}), {} vertices, error {:.1e}\n",
             positions.size(), grid.size(), describe(msm), 1e3 * timing.median, 1e3 * timing.least, 1e3 * timing.most,
             counts.vertices, error.relative);
  for (const LaunchEntry& step : timing.steps) {
    fmt::print("    {:9.4f} ms  {} ({})\n", 1e3 * step.seconds, step.name, step.launches);
  }
  std::fflush(stdout);
}

int run(bench::Words& words) {
  if (!words.asks_for("surface marching-cubes live-potential")) return 0;
  const Settings settings{words.device(), words.integer("--repeats", 0), words.text("--volume", ""),
                          words.flag("--all-colours")};
  std::vector<std::string> names = words.rest();
  if (names.empty()) {
    names = surface_system_names();
    names.insert(names.end(), {"marching-cubes", "live-potential"});
  }
  fmt::print(
      "{} (times in ms; whole: density, sort, marching cubes with normals and colours; moved: positions from the "
      "host first)\n",
      to_string(settings.device));
  fmt::print("{:16} {:>10} {:9} {:>11} {:>8} {:>8} {:>8} {:>9} {:>9} {:15} {:>9} {:>8}\n", "system", "atoms", "kept as",
             "points", "sort", "density", "cubes", "whole", "moved", "(whole: range)", "vertices", "frames/s");
  for (const std::string& name : names) {
    if (name == "marching-cubes") {
      marching_cubes_alone<float>(settings, "floats");
      marching_cubes_alone<Half>(settings, "halves");
      marching_cubes_alone<Unorm8>(settings, "8 bits");
    } else if (name == "live-potential") {
      live_potential(settings);
    } else {
      const SurfaceSystem system = surface_system(name);
      if (system.atoms.empty()) throw Error("no system '" + name + "'", Error::Kind::usage);
      fmt::print("{}: {}\n", name, system.shape);
      surface<float, glm::vec3>(settings, system, "float");
      surface<float, glm::u8vec4>(settings, system, "float+8");
      if (system.atoms.size() < 2000000) {
        surface<Half, HalfColour>(settings, system, "half");
        surface<Unorm8, glm::u8vec4>(settings, system, "8 bits");
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_surface [--device D] [--repeats N] [--volume FILE] [--all-colours] [NAME...]", count, words, isolume::run);
}
