// Built-in benchmarks: a few computations of known size.
#include "app/cli/quick_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/electrostatics/method.h"

namespace isolume::cli {
namespace {

constexpr int charges = 4000, side = 64;  // in a cube of 40 angstrom, as dense as a protein

std::vector<ChargedSphere> random_charges() {
  std::mt19937 engine(1);
  const auto real = [&engine] { return static_cast<float>(engine()) / 4294967296.0f; };
  std::vector<ChargedSphere> made;
  for (int i = 0; i < charges; ++i) {
    const float x = 40 * real(), y = 40 * real(), z = 40 * real();
    made.push_back({{x, y, z}, real() - 0.5f, 1.5f});
  }
  return made;
}

struct Timing {
  const char* name;
  double seconds = 0;  ///< of the quickest of `times`
  int times = 0;
};

Timing time_of(const char* name, PotentialMethod method, Run& run) {
  using Clock = std::chrono::steady_clock;
  const std::vector<ChargedSphere> spheres = random_charges();
  const Grid grid{glm::dvec3(0), glm::dmat3(40.0 / (side - 1)), glm::ivec3(side)};
  DeviceArray<float> map(grid.size(), run.device, "map");
  Timing timing{name};
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    potential(spheres, grid, usual_options(method), map.span(), run.job());
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    timing.seconds = timing.times == 0 ? seconds : std::min(timing.seconds, seconds);
    ++timing.times;
  } while (std::chrono::duration<double>(Clock::now() - begin).count() < 1);
  return timing;
}

}  // namespace

void quick_bench(Run& run, bool json) {
  const Timing timings[] = {time_of("direct sum", PotentialMethod::direct, run),
                            time_of("screened sum (Debye-Hueckel)", PotentialMethod::debye_hueckel, run),
                            time_of("multilevel summation", PotentialMethod::msm, run)};
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Timing& timing : timings) {
    const double pairs = double(charges) * side * side * side / timing.seconds;
    list.push_back({{"name", timing.name},
                    {"charges", charges},
                    {"points", side * side * side},
                    {"seconds", timing.seconds},
                    {"times", timing.times},
                    {"pairs_per_second", pairs}});
    if (!json)
      fmt::print("{}: {} charges, {} points, {:.1f} ms (best of {}), worth {:.2f} billion pairs a second on {}\n",
                 timing.name, charges, side * side * side, 1e3 * timing.seconds, timing.times, 1e-9 * pairs,
                 to_string(run.device));
  }
  if (json) fmt::print("{}\n", nlohmann::ordered_json{{"device", to_string(run.device)}, {"benchmarks", list}}.dump(2));
}

}  // namespace isolume::cli
