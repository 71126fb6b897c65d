// Times the potential methods on water boxes, with their parameters, their measured error and the time of each step.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "compute/device_array.h"
#include "compute/potential/cutoff.h"
#include "compute/potential/debye_hueckel.h"
#include "compute/potential/direct.h"
#include "compute/potential/error_estimate.h"
#include "compute/potential/fast_direct.h"
#include "compute/potential/msm.h"
#include "compute/timing.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/potential_systems.h"

namespace isolume {
namespace {

using bench::map_of;
using bench::Settings;
using bench::Timing;
using bench::water;

/// Runs compute(out, job) `repeats` times after one warm-up, timed from outside, then once more for the steps.
template <class Compute>
Timing time_it(const Settings& s, std::size_t values, const std::string& name, std::vector<float>* result,
               const Compute& compute) {
  DeviceArray<float> out(values, s.device);
  Job job;
  compute(out.span(), job);
  std::vector<double> times;
  for (int i = 0; i < std::max(1, s.repeats); ++i) {
    const auto begin = std::chrono::steady_clock::now();
    compute(out.span(), job);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  const std::vector<double> in_order = times;
  std::sort(times.begin(), times.end());
  const LaunchRecord record;
  compute(out.span(), job);
  if (result) *result = out.copy_to_host();
  return {name, times.size(), times[times.size() / 2], times.front(), times.back(), record.entries(), {}, in_order};
}

/// The product as a number of evaluations or pairs.
double pairs_of(std::size_t charges, std::size_t points) {
  return static_cast<double>(charges) * static_cast<double>(points);
}

void add_error(Timing& timing, const MapError& error) {
  timing.facts.emplace_back("V RMS error", error.rms);
  timing.facts.emplace_back("V largest error", error.max);
  timing.facts.emplace_back("relative error", error.relative);
}

void bench_msm(const Settings& s, const std::vector<MsmOptions>& choices) {
  const auto charges = water(s.side);
  const Grid grid = map_of(s);
  for (const MsmOptions& options : choices) {
    std::vector<float> values;
    Timing timing = time_it(
        s, grid.size(), fmt::format("MSM {} atoms, {}^3 points, {}", charges.size(), grid.counts.x, describe(options)),
        &values, [&](Span<float> out, Job& job) { msm_potential(charges, grid, options, out, job); });
    if (s.error_points > 0) add_error(timing, potential_error(charges, grid, values, s.error_points));
    print(s, timing);
  }
}

void bench_cutoff(const Settings& s) {
  const auto charges = water(s.side);
  const Grid grid = map_of(s);
  for (const double cutoff : {6.0, 12.0}) {
    const CutoffOptions options{cutoff, 0.8 * cutoff, CutoffForm::shifted, {}};
    Timing timing = time_it(
        s, grid.size(), fmt::format("cutoff {} atoms, {}^3 points, {} A", charges.size(), grid.counts.x, cutoff),
        nullptr, [&](Span<float> out, Job& job) { cutoff_potential(charges, grid, options, out, job); });
    const double density = static_cast<double>(charges.size()) / (s.side * s.side * s.side);
    const double inside = s.side * s.side * s.side / (s.spacing * s.spacing * s.spacing);
    timing.facts.emplace_back("useful pairs/s", inside * density * 4.18879 * cutoff * cutoff * cutoff / timing.median);
    print(s, timing);
  }
}

void bench_debye_hueckel(const Settings& s) {
  std::vector<ChargedSphere> spheres;
  for (const PointCharge& c : water(99.2)) {
    spheres.push_back({c.position, c.charge, c.charge < 0 ? 1.7f : 1.0f});
  }
  const auto report = [&](std::size_t count, const Grid& grid, bool faces) {
    const std::span<const ChargedSphere> some(spheres.data(), std::min(count, spheres.size()));
    const std::size_t points = faces ? debye_hueckel_face_points(grid) : grid.size();
    Timing timing = time_it(s, points, fmt::format("Debye-Hueckel {} spheres, {} points", some.size(), points), nullptr,
                            [&](Span<float> out, Job& job) {
                              faces ? debye_hueckel_faces(some, grid, {}, out, job)
                                    : debye_hueckel_potential(some, grid, {}, out, job);
                            });
    timing.facts.emplace_back("pairs/s", pairs_of(some.size(), points) / timing.median);
    print(s, timing);
  };
  report(10000, {glm::dvec3(-25), glm::dmat3(0.5), glm::ivec3(193)}, true);
  if (s.device.is_cuda()) report(100000, {glm::dvec3(0), glm::dmat3(99.2 / 128), glm::ivec3(128)}, false);
}

/// A map of 128^3 points within a box of water.
void bench_direct(const Settings& s, double side) {
  const auto charges = water(side);
  const Grid grid{glm::dvec3(0.1), glm::dmat3(side / 128), glm::ivec3(128)};
  std::vector<float> values;
  Timing timing = time_it(s, grid.size(), fmt::format("direct {} charges, 128^3 points", charges.size()), &values,
                          [&](Span<float> out, Job& job) { direct_potential(charges, grid, out, job); });
  timing.facts.emplace_back("evaluations/s", pairs_of(charges.size(), grid.size()) / timing.median);
  timing.facts.emplace_back("relative error", potential_error(charges, grid, values, 400).relative);
  print(s, timing);
}

/// The fast direct sum over accuracies.
void bench_fast(const Settings& s) {
  for (const double side : {99.2, 213.8}) {
    const auto charges = water(side);
    const int n = side < 100 ? 128 : 256;
    const Grid grid{glm::dvec3(0.1), glm::dmat3(side / n), glm::ivec3(n)};
    for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
      std::vector<float> values;
      Timing timing = time_it(
          s, grid.size(),
          fmt::format("fast direct {} charges, {}^3 points, {:.0e}, p = {}", charges.size(), n, accuracy,
                      fast_direct_order(accuracy)),
          &values, [&](Span<float> out, Job& job) { fast_direct_potential(charges, grid, {accuracy}, out, job); });
      timing.facts.emplace_back("evaluations/s in effect", pairs_of(charges.size(), grid.size()) / timing.median);
      timing.facts.emplace_back("relative error", potential_error(charges, grid, values, 300).relative);
      print(s, timing);
    }
    if (!s.device.is_cuda()) break;
  }
}

/// Frames of a moving system: charges that are new each time, a map that stays on the device; and the way to the host.
void bench_frames(const Settings& s, const MsmOptions& options) {
  std::vector<std::vector<PointCharge>> frames(4, water(s.side));
  for (std::size_t f = 1; f < frames.size(); ++f) {
    for (std::size_t i = 0; i < frames[f].size(); ++i) {
      frames[f][i].position += 0.1f * static_cast<float>(f) * glm::vec3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    }
  }
  const Grid grid = map_of(s);
  DeviceArray<float> out(grid.size(), s.device);
  std::vector<float> host(grid.size());
  Job job;
  msm_potential(frames[0], grid, options, out.span(), job);
  std::vector<double> times;
  std::vector<double> to_host;
  const std::size_t held = peak_memory(s.device);
  for (int i = 0; i < 4 * s.repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto& charges = frames[static_cast<std::size_t>(i) % frames.size()];
    msm_potential(charges, grid, options, out.span(), job);
    const auto middle = std::chrono::steady_clock::now();
    MsmField field(charges, grid, options, s.device, job);
    const int layers = std::max(
        1, static_cast<int>((std::size_t{64} << 20) / (out.size() * 4 / static_cast<std::size_t>(grid.counts.z))));
    field.map_to_host(0, grid.counts.z, layers, host, job);
    const auto end = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double>(middle - begin).count());
    to_host.push_back(std::chrono::duration<double>(end - middle).count());
  }
  std::sort(times.begin(), times.end());
  std::sort(to_host.begin(), to_host.end());
  const MapError error = potential_error(frames[frames.size() - 1], grid, host, s.error_points);
  fmt::print(
      "frames: {} atoms, {}^3 points, {}: {:.3f} ms a frame ({:.3f} to {:.3f}), {:.3f} ms with the map in host memory, "
      "{:.1f} MiB held, relative error {:.2e}\n",
      frames[0].size(), grid.counts.x, describe(options), times[times.size() / 2] * 1e3, times.front() * 1e3,
      times.back() * 1e3, to_host[to_host.size() / 2] * 1e3, static_cast<double>(held) / 1048576, error.relative);
  std::fflush(stdout);
}

int run(bench::Words& words) {
  if (!words.asks_for("potential")) return 0;
  Settings s;
  s.device = words.device();
  s.side = words.number("--side", s.side);
  s.margin = words.number("--margin", s.margin);
  s.spacing = words.number("--spacing", s.spacing);
  s.repeats = words.integer("--repeats", s.repeats);
  s.error_points = static_cast<std::size_t>(words.integer("--error-points", static_cast<int>(s.error_points)));
  s.json = words.json();
  const double largest = words.number("--largest", 1e7);
  const std::vector<double> one = words.numbers("--msm", 4);
  const std::vector<double> splines = words.numbers("--bspline", 4);
  const std::vector<std::string> rest = words.rest();
  const std::string what = !rest.empty() ? rest[0] : one.empty() && splines.empty() ? "all" : "msm";
  if (!s.json) fmt::print("device {}, {} threads\n", to_string(s.device), thread_count());
  const auto make = [](double a, double h, int p, int taylor) {
    MsmOptions o;
    o.cutoff = a;
    o.spacing = h;
    o.degree = p;
    o.smoothing = taylor;
    return o;
  };
  std::vector<MsmOptions> choices;
  for (std::size_t i = 0; i + 3 < one.size(); i += 4) {
    choices.push_back(make(one[i], one[i + 1], static_cast<int>(one[i + 2]), static_cast<int>(one[i + 3])));
  }
  for (std::size_t i = 0; i + 3 < splines.size(); i += 4) {
    choices.push_back(
        make(splines[i], splines[i + 1], static_cast<int>(splines[i + 2]), static_cast<int>(splines[i + 3])));
    choices.back().basis = MsmBasisKind::bspline;
  }
  if (choices.empty() && (what == "all" || what == "msm")) {
    choices = {make(4, 1, 5, 3), make(5, 1.25, 5, 3), make(6, 1.5, 5, 3), make(6, 1, 7, 4)};
  }
  if (what == "planned") {
    const auto charges = water(s.side);
    for (const double accuracy : {2.5e-3, 1e-3, 2.5e-4}) {
      const auto begin = std::chrono::steady_clock::now();
      const MsmPlanned plan = plan_msm(accuracy, charges, map_of(s), s.device);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      fmt::print("planned for {:.2e}: {}, expected {:.2e}, {:.3f} ms; planning took {:.3f} s\n", accuracy,
                 describe(plan.options), plan.expected_error, plan.seconds * 1e3, seconds);
      choices.push_back(plan.options);
    }
  }
  if (what == "published") choices = {MsmOptions::published()};
  if (what == "table") {
    bench::potential_table(s, largest);
    return 0;
  }
  if (what == "slopes") {
    bench::potential_slopes(s);
    return 0;
  }
  if (what == "errors") {
    bench::potential_errors(s);
    return 0;
  }
  if (what == "frames") {
    for (const MsmOptions& options : choices.empty() ? std::vector{make(4, 1, 5, 3)} : choices)
      bench_frames(s, options);
    return 0;
  }
  if (s.json) fmt::print("[\n");
  if (!choices.empty()) bench_msm(s, choices);
  if (what == "all" || what == "direct") bench_direct(s, s.device.is_cuda() ? 99.2 : 46.1);
  if (what == "large-direct") bench_direct(s, 99.2);
  if (what == "all" || what == "cutoff") bench_cutoff(s);
  if (what == "all" || what == "debye-hueckel") bench_debye_hueckel(s);
  if (what == "all" || what == "fast") bench_fast(s);
  if (s.json) fmt::print("\n]\n");
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_potential "
      "[all|direct|large-direct|fast|msm|published|cutoff|debye-hueckel|planned|frames|table|slopes|errors] [--device "
      "D]\n"
      "  [--msm A H P TAYLOR] [--bspline A H P TAYLOR] [--largest ATOMS] [--side A] [--margin A] [--spacing A] "
      "[--repeats N] [--error-points N]",
      count, words, isolume::run);
}
