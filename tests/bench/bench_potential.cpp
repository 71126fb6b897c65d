// Times the potential methods on water boxes, with their parameters, their measured error and the time of each step.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/electrostatics/msm/msm.h"
#include "molecule/base/error.h"
#include "tests/bench/bench_program.h"
#include "tests/bench/potential_systems.h"
#include "tests/bench/potential_timing.h"

namespace isolume {
namespace {

using bench::add_error;
using bench::error_of;
using bench::map_of;
using bench::Settings;
using bench::time_it;
using bench::Timing;
using bench::water;

void bench_msm(const Settings& s, const std::vector<MsmOptions>& choices) {
  const auto charges = water(s.side);
  const Grid grid = map_of(s);
  for (const MsmOptions& options : choices) {
    std::vector<float> values;
    Timing timing = time_it(
        s, grid.size(), fmt::format("MSM {} atoms, {}^3 points, {}", charges.size(), grid.counts.x, describe(options)),
        &values, [&](Span<float> out, Job& job) { msm_potential(charges, grid, options, out, job); });
    if (s.error_points > 0) add_error(timing, error_of(charges, grid, values, s.error_points));
    print(s, timing);
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
  const MapError error = error_of(frames[frames.size() - 1], grid, host, s.error_points);
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
  const bool quick = words.flag("--quick");
  if (quick) s.side = 99.2, s.repeats = 2;
  s.side = words.number("--side", s.side);
  s.margin = words.number("--margin", s.margin);
  s.spacing = words.number("--spacing", s.spacing);
  s.repeats = words.integer("--repeats", s.repeats);
  s.error_points = static_cast<std::size_t>(words.integer("--error-points", static_cast<int>(s.error_points)));
  s.json = words.json();
  const double smallest = words.number("--smallest", 1e3);
  const double largest = words.number("--largest", 1e7);
  const double accuracy_only = words.number("--accuracy", 0);
  const double atoms = words.number("--atoms", 1e5);
  const auto seed = static_cast<std::uint32_t>(words.integer("--seed", 1));
  const std::string basis = words.text("--basis", "");
  const std::string keep = words.text("--keep", "");
  const double seconds = words.number("--seconds", 1e9);
  const std::vector<double> one = words.numbers("--msm", 4);
  const std::vector<double> splines = words.numbers("--bspline", 4);
  const std::vector<std::string> rest = words.rest();
  const std::string what = !rest.empty() ? rest[0] : one.empty() && splines.empty() ? "all" : "msm";
  constexpr const char* known[] = {"all",       "direct", "large-direct",  "fast",     "msm",
                                   "published", "cutoff", "debye-hueckel", "planned",  "frames",
                                   "table",     "slopes", "errors",        "allowance"};
  if (std::find(std::begin(known), std::end(known), what) == std::end(known) || rest.size() > 1) {
    throw Error(fmt::format("\"{}\" is no part of this benchmark", rest.back()), Error::Kind::usage);
  }
  if (!s.json) fmt::print("device {}, {} threads\n", to_string(s.device), thread_count());
  if (what == "all" && !quick && !s.device.is_cuda())
    fmt::print(stderr, "The whole takes minutes on a CPU; --quick, on a box of 100 000 atoms, half of one.\n");
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
    bench::potential_table(s, smallest, largest, accuracy_only);
    return 0;
  }
  if (what == "slopes") {
    bench::potential_slopes(s, keep, seconds);
    return 0;
  }
  if (what == "allowance") {
    bench::potential_allowance(s, atoms, seed, basis, keep, seconds);
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
  if (what == "all" || what == "direct") bench::direct_sum(s, s.device.is_cuda() ? 99.2 : 46.1);
  if (what == "large-direct") bench::direct_sum(s, 99.2);
  if (what == "all" || what == "cutoff") bench::cutoff_sum(s);
  if (what == "all" || what == "debye-hueckel") bench::debye_hueckel_sum(s);
  if (what == "all" || what == "fast") bench::fast_sum(s);
  if (s.json) fmt::print("\n]\n");
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  return isolume::bench::bench_main(
      "bench_potential "
      "[all|direct|large-direct|fast|msm|published|cutoff|debye-hueckel|planned|frames|table|slopes|errors|allowance]\n"
      "  [--quick] [--device D] [--msm A H P TAYLOR] [--bspline A H P TAYLOR] [--side A] [--margin A] [--spacing A]\n"
      "  [--repeats N] [--error-points N]\n"
      "  table: [--smallest ATOMS] [--largest ATOMS] [--accuracy X]\n"
      "  slopes, allowance: [--keep FILE] [--seconds S]: go on with FILE, begin nothing after so many seconds\n"
      "  allowance: [--atoms N] [--seed N] [--basis nodal|bspline]",
      count, words, isolume::run);
}
