// Times counting distances for radial distribution functions: all pairs, and those within a cutoff.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "compute/analysis/distance_counts.h"
#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "tests/bench/bench_program.h"

namespace isolume {
namespace {

struct Problem {
  const char* name;
  std::size_t points;
  bool two_sets;   ///< between two sets of so many points, else within one
  double maximum;  ///< angstrom, 0: half the edge
  bool long_run;   ///< minutes on the CPU
};

/// Points at the density of the oxygens of water, evenly spread at random (an ideal gas).
constexpr double density = 0.0334;  // 1/angstrom^3
constexpr Problem problems[] = {
    {"cutoff 10 A, 100 000", 100'000, false, 10, false},
    {"cutoff 10 A, 1 000 000", 1'000'000, false, 10, false},
    {"all pairs, 10 000", 10'000, false, 0, false},
    {"all pairs, 30 000", 30'000, false, 0, false},
    {"all pairs, 100 000", 100'000, false, 0, false},
    {"all pairs, 1 000 000 x 1 000 000", 1'000'000, true, 0, true},
    {"all pairs, 1 000 000 within", 1'000'000, false, 0, true},
};

std::vector<glm::vec3> gas(std::size_t count, double side, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  const auto next = [&] { return static_cast<float>(static_cast<double>(engine() >> 11) * 0x1.0p-53 * side); };
  std::vector<glm::vec3> points(count);
  for (glm::vec3& p : points) {
    p.x = next();
    p.y = next();
    p.z = next();
  }
  return points;
}

/// The largest difference between the numbers of pairs below the ends of bins and those of double precision, for pairs
/// of the first `some` points with all, as a part of all these pairs.
double difference(const std::vector<glm::vec3>& a, const std::vector<glm::vec3>& b, std::size_t some, const Cell& cell,
                  const DistanceBins& bins, Device device) {
  std::vector<glm::vec3> first(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(some, a.size())));
  std::vector<std::uint32_t> names(first.size()), others(b.size());
  std::iota(names.begin(), names.end(), 0u);
  std::iota(others.begin(), others.end(), &a == &b ? 0u : static_cast<std::uint32_t>(a.size()));
  std::vector<glm::vec3> second = b;
  const DistancePoints from{Span<const glm::vec3>(first.data(), first.size(), Device::cpu()), names},
      to{Span<const glm::vec3>(second.data(), second.size(), Device::cpu()), others};
  DeviceArray<std::uint64_t> counts(bins.count, device);
  Job job;
  count_distances(from, to, cell, bins, counts.span(), job);
  // The cell is a cube: the nearest image axis by axis, in double precision.
  const double side = cell.vectors[0].x, per_bin = bins.count / bins.maximum;
  std::vector<double> exact(bins.count, 0);
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (names[i] == others[j]) continue;
      glm::dvec3 d = glm::dvec3(second[j]) - glm::dvec3(first[i]);
      d -= side * glm::round(d / side);
      const double at = glm::length(d) * per_bin;
      if (at < bins.count) ++exact[static_cast<std::size_t>(at)];
    }
  double below = 0, worst = 0, all = 0;
  const std::vector<std::uint64_t> found = counts.copy_to_host();
  for (std::size_t k = 0; k < found.size(); ++k) {
    below += static_cast<double>(found[k]) - exact[k];
    all += exact[k];
    worst = std::max(worst, std::abs(below));
  }
  return worst / std::max(1.0, all);
}

void time_problem(const Problem& p, std::uint32_t bins_count, int repeats, Device device) {
  const double side = std::cbrt(static_cast<double>(p.points) / density);
  Cell cell;
  cell.vectors = glm::dmat3(side);
  const DistanceBins bins{p.maximum > 0 ? p.maximum : 0.5 * side, bins_count};
  std::vector<glm::vec3> a = gas(p.points, side, 1), b = p.two_sets ? gas(p.points, side, 2) : std::vector<glm::vec3>();
  const auto resident_a = DeviceArray<glm::vec3>::from_host(a, device);
  const auto resident_b = DeviceArray<glm::vec3>::from_host(b, device);
  DeviceArray<std::uint64_t> counts(bins.count, device);
  for (const bool resident : {false, true}) {
    if (resident && !device.is_cuda()) continue;
    const DistancePoints from{resident ? resident_a.span() : Span<const glm::vec3>(a.data(), a.size(), Device::cpu()),
                              {}};
    const DistancePoints to{resident ? resident_b.span() : Span<const glm::vec3>(b.data(), b.size(), Device::cpu()),
                            {}};
    std::vector<double> times;
    std::vector<LaunchEntry> steps;
    Job job;
    const auto once = [&] {
      if (p.two_sets) {
        count_distances(from, to, cell, bins, counts.span(), job);
      } else {
        count_distances_within(from, cell, bins, counts.span(), job);
      }
    };
    double total = 0;
    for (int i = 0; i <= repeats && total < 40; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      once();
      const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      total += taken;
      if (i > 0 || taken > 5) times.push_back(taken);  // the first warms up, unless it is long
    }
    if (times.front() < 5) {
      const LaunchRecord record;
      once();
      steps = record.entries();
    }
    std::sort(times.begin(), times.end());
    const std::vector<std::uint64_t> found = counts.copy_to_host();
    const double counted = static_cast<double>(std::accumulate(found.begin(), found.end(), std::uint64_t{0}));
    const double n = static_cast<double>(p.points), median = times[times.size() / 2];
    fmt::print("{:<34} {:<9} {:>10.3f} {:>10.3f} {:>10.3f} {:>12.3f} {:>12.3f}", p.name,
               device.is_cuda() ? (resident ? "on device" : "from host") : "cpu", median * 1e3, times.front() * 1e3,
               times.back() * 1e3, n * n / median / 1e9, counted * (p.two_sets ? 1 : 2) / median / 1e9);
    if (!resident) fmt::print("   {:.1e}", difference(a, p.two_sets ? b : a, 500, cell, bins, device));
    fmt::print("\n");
    for (const LaunchEntry& step : steps)
      fmt::print("      {:<40} {:>10.4f} ms  {} launches\n", step.name, step.seconds * 1e3, step.launches);
    std::fflush(stdout);
  }
}

int run(bench::Words& words) {
  const Device device = words.device();
  if (!words.asks_for("rdf")) return 0;
  const int bins = words.integer("--bins", 500), repeats = words.integer("--repeats", 9);
  const bool all = words.flag("--long") || device.is_cuda();
  const std::vector<std::string> wanted = words.rest();
  fmt::print(
      "Distances of points at the density of water's oxygens, {} bins, {}. \"Pairs\" are ordered ones (N^2); "
      "\"counted\" those "
      "within the maximum.\nError: the largest difference below the end of any bin, of 500 points with all, as part of "
      "all counted.\n\n{:<34} {:<9} {:>10} {:>10} {:>10} {:>12} {:>12}   {}\n",
      bins, to_string(device), "problem", "points", "median/ms", "least/ms", "most/ms", "G pairs/s", "G counted/s",
      "error");
  for (const Problem& p : problems) {
    const auto is_this = [&](const std::string& word) { return std::string(p.name).find(word) != std::string::npos; };
    if (!wanted.empty() ? std::none_of(wanted.begin(), wanted.end(), is_this) : (p.long_run && !all)) continue;
    time_problem(p, static_cast<std::uint32_t>(bins), repeats, device);
  }
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main("bench_rdf [--device D] [--bins N] [--repeats N] [--long] [WORD OF A PROBLEM...]",
                                    count, words, isolume::run);
}
