// Times maps of the potential by one device and by several, as the command line shares them.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/host_values.h"
#include "compute/electrostatics/direct/exact_sum.h"
#include "compute/electrostatics/potential_map.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Charges at random in a box with a tenth of one in a cubic angstrom.
std::vector<ChargedSphere> random_charges(std::size_t count, double side) {
  std::mt19937_64 engine(4);
  const auto next = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
  std::vector<ChargedSphere> spheres(count);
  for (ChargedSphere& sphere : spheres) {
    for (int axis = 0; axis < 3; ++axis) sphere.position[axis] = static_cast<float>(next() * side);
    sphere.charge = static_cast<float>(2 * next() - 1);
  }
  return spheres;
}

struct Timed {
  double seconds = 0;
  HostValues values;
  std::vector<WorkerRecord> workers;
};

/// One map, into memory that nobody has touched yet.
Timed time_map(const std::vector<ChargedSphere>& spheres, const Grid& grid, const std::vector<Device>& devices) {
  Job job;
  Timed timed;
  const auto begin = Clock::now();
  timed.values = HostValues(grid.size(), 0, "", "map");
  timed.workers = potential_map_in_slabs(spheres, grid, DirectOptions{}, devices, timed.values.span(), job).workers;
  timed.seconds = since(begin);
  return timed;
}

/// The RMS error at some points of the grid, as a part of the RMS there, against sums in double precision.
double error_of(const std::vector<ChargedSphere>& spheres, const Grid& grid, std::span<const float> values) {
  std::vector<glm::dvec3> points;
  std::vector<double> found;
  for (std::size_t n = 0; n < 500; ++n) {
    const std::size_t at = n * 7'368'787 % grid.size();
    const auto nx = static_cast<std::size_t>(grid.counts.x), ny = static_cast<std::size_t>(grid.counts.y);
    points.push_back(
        grid.point(static_cast<int>(at % nx), static_cast<int>(at / nx % ny), static_cast<int>(at / nx / ny)));
    found.push_back(static_cast<double>(values[at]));
  }
  std::vector<double> exact(points.size());
  Job job;
  exact_potential(point_charges_of(spheres, 1), points, exact, Device::cpu(), job);
  double off = 0, all = 0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    off += (found[n] - exact[n]) * (found[n] - exact[n]);
    all += exact[n] * exact[n];
  }
  return std::sqrt(off / all);
}

int run(bench::Words& words) {
  const int points = words.integer("--points", 568), count = words.integer("--charges", 100'000);
  const int repeats = std::max(1, words.integer("--repeats", 3));
  const std::string wish = words.text("--devices", "cuda:0,1");
  words.rest();
  auto begin = Clock::now();
  list_devices();
  fmt::print("start of all devices: {:.3f} s\n", since(begin));
  std::vector<Device> devices;
  for (std::size_t at = 0; at <= wish.size();) {
    const std::size_t end = std::min(wish.find(',', at), wish.size());
    const std::string word = wish.substr(at, end - at);
    devices.push_back(choose_device(word.find_first_not_of("0123456789") == std::string::npos ? "cuda:" + word : word));
    at = end + 1;
  }
  begin = Clock::now();
  const DeviceArray<float> first(1, devices.front(), "the first bytes on the device");
  fmt::print("first bytes on {}: {:.3f} s\n", to_string(devices.front()), since(begin));
  const double side = std::cbrt(count / 0.1), margin = 10;
  const std::vector<ChargedSphere> spheres = random_charges(static_cast<std::size_t>(count), side);
  const Grid grid{glm::dvec3(-margin), glm::dmat3((side + 2 * margin) / (points - 1)), glm::ivec3(points)};
  // As programs that make one map: the first of several devices is measured before it has computed anything.
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Timed one = time_map(spheres, grid, {devices.front()}), all = time_map(spheres, grid, devices);
    fmt::print("direct sum, {} charges, {}^3 points: one device {:.3f} s, {} devices {:.3f} s, efficiency {:.1f} %;",
               count, points, one.seconds, devices.size(), all.seconds,
               100 * one.seconds / (static_cast<double>(devices.size()) * all.seconds));
    fmt::print(" errors {:.1e} and {:.1e};", error_of(spheres, grid, one.values.span()),
               error_of(spheres, grid, all.values.span()));
    for (const WorkerRecord& worker : all.workers)
      fmt::print(" {}: {} tiles, {} layers, {:.3f} s;", worker.name, worker.tiles, worker.parts, worker.seconds);
    fmt::print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_devices [--devices cuda:0,1] [--points 568] [--charges 100000] [--repeats 3]\n", count, words,
      isolume::run);
}
