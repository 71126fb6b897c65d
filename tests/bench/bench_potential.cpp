// Times the potential methods on water boxes, with their parameters, their measured error and the time of each step.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
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
#include "molecule/water_box.h"

namespace isolume {
namespace {

struct Settings {
  Device device;
  double side = 246.6;   // of the water box, angstrom
  double margin = 12;    // of the map beyond it
  double spacing = 0.5;  // of the map
  int repeats = 5;
  std::size_t error_points = 1000;
};

std::vector<PointCharge> water(double side) {
  const Molecule molecule = make_water_box(side);
  const Frame frame = molecule.trajectory->frame(0);
  std::vector<PointCharge> charges(frame.positions.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    charges[i] = {frame.positions[i], molecule.topology->atoms[i].charge};
  }
  return charges;
}

Grid map_of(const Settings& s) {
  const int n = static_cast<int>((s.side + 2 * s.margin) / s.spacing + 1e-9);
  return Grid{glm::dvec3(-s.margin), glm::dmat3(s.spacing), glm::ivec3(n)};
}

/// Runs compute(out, job) `repeats` times after one warm-up, timed from outside, then once more for the steps.
template <class Compute>
double time_it(const Settings& s, std::size_t values, const std::string& name, std::vector<float>* result,
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
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  const LaunchRecord record;
  compute(out.span(), job);
  double listed = 0;
  fmt::print("{}\n  {:10.3f} ms in all, median of {} ({:.3f} to {:.3f})\n", name, median * 1e3, times.size(),
             times.front() * 1e3, times.back() * 1e3);
  for (const LaunchEntry& e : record.entries()) {
    fmt::print("  {:10.3f} ms  {} ({})\n", e.seconds * 1e3, e.name, e.launches);
    listed += e.seconds;
  }
  fmt::print("  {:10.3f} ms  sum of steps\n", listed * 1e3);
  std::fflush(stdout);
  if (result) *result = out.copy_to_host();
  return median;
}

void bench_msm(const Settings& s, const std::vector<MsmOptions>& choices) {
  const auto charges = water(s.side);
  const Grid grid = map_of(s);
  for (const MsmOptions& options : choices) {
    std::vector<float> values;
    time_it(s, grid.size(),
            fmt::format("MSM {} atoms, {}^3 points, {}", charges.size(), grid.counts.x, describe(options)), &values,
            [&](Span<float> out, Job& job) { msm_potential(charges, grid, options, out, job); });
    if (s.error_points == 0) continue;
    const MapError error = potential_error(charges, grid, values, s.error_points);
    fmt::print("  error: RMS {:.4g} V, max {:.4g} V, relative {:.3e} ({} points)\n", error.rms, error.max,
               error.relative, error.points);
    std::fflush(stdout);
  }
}

void bench_cutoff(const Settings& s) {
  const auto charges = water(s.side);
  const Grid grid = map_of(s);
  for (const double cutoff : {6.0, 12.0}) {
    const CutoffOptions options{cutoff, 0.8 * cutoff, CutoffForm::shifted, {}};
    const double seconds = time_it(
        s, grid.size(), fmt::format("cutoff {} atoms, {}^3 points, {} A", charges.size(), grid.counts.x, cutoff),
        nullptr, [&](Span<float> out, Job& job) { cutoff_potential(charges, grid, options, out, job); });
    const double density = static_cast<double>(charges.size()) / (s.side * s.side * s.side);
    const double inside = s.side * s.side * s.side / (s.spacing * s.spacing * s.spacing);
    fmt::print("  {:.4g} useful pairs/s\n", inside * density * 4.18879 * cutoff * cutoff * cutoff / seconds);
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
    const double seconds = time_it(s, points, fmt::format("Debye-Hueckel {} spheres, {} points", some.size(), points),
                                   nullptr, [&](Span<float> out, Job& job) {
                                     faces ? debye_hueckel_faces(some, grid, {}, out, job)
                                           : debye_hueckel_potential(some, grid, {}, out, job);
                                   });
    fmt::print("  {:.4g} pairs/s\n", static_cast<double>(some.size()) * static_cast<double>(points) / seconds);
  };
  report(10000, {glm::dvec3(-25), glm::dmat3(0.5), glm::ivec3(193)}, true);
  if (s.device.is_cuda()) report(100000, {glm::dvec3(0), glm::dmat3(99.2 / 128), glm::ivec3(128)}, false);
}

void bench_direct(const Settings& s) {
  const auto charges = water(s.device.is_cuda() ? 99.2 : 46.1);
  const Grid grid{glm::dvec3(0.1), glm::dmat3((s.device.is_cuda() ? 99.2 : 46.1) / 128), glm::ivec3(128)};
  std::vector<float> values;
  const double seconds =
      time_it(s, grid.size(), fmt::format("direct {} charges, 128^3 points", charges.size()), &values,
              [&](Span<float> out, Job& job) { direct_potential(charges, grid, out, job); });
  const MapError error = potential_error(charges, grid, values, 400);
  fmt::print("  {:.4g} evaluations/s, relative error {:.2e}\n",
             static_cast<double>(charges.size()) * static_cast<double>(grid.size()) / seconds, error.relative);
}

/// The fast direct sum beside the exact one, over accuracies.
void bench_fast(const Settings& s) {
  for (const double side : {99.2, 213.8}) {
    const auto charges = water(side);
    const int n = side < 100 ? 128 : 256;
    const Grid grid{glm::dvec3(0.1), glm::dmat3(side / n), glm::ivec3(n)};
    for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
      std::vector<float> values;
      const double seconds = time_it(
          s, grid.size(), fmt::format("fast direct {} charges, {}^3 points, {:.0e}", charges.size(), n, accuracy),
          &values, [&](Span<float> out, Job& job) { fast_direct_potential(charges, grid, {accuracy}, out, job); });
      const MapError error = potential_error(charges, grid, values, 300);
      fmt::print("  as fast as {:.4g} evaluations/s, p = {}, relative error {:.2e}\n",
                 static_cast<double>(charges.size()) * static_cast<double>(grid.size()) / seconds,
                 fast_direct_order(accuracy), error.relative);
      std::fflush(stdout);
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
  copy_memory(host.data(), Device::cpu(), out.data(), s.device, out.size() * sizeof(float));
  std::vector<double> times;
  std::vector<double> to_host;
  const std::size_t held = peak_memory(s.device);
  for (int i = 0; i < 4 * s.repeats; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    msm_potential(frames[static_cast<std::size_t>(i) % frames.size()], grid, options, out.span(), job);
    const auto middle = std::chrono::steady_clock::now();
    copy_memory(host.data(), Device::cpu(), out.data(), s.device, out.size() * sizeof(float));
    const auto end = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double>(middle - begin).count());
    to_host.push_back(std::chrono::duration<double>(end - begin).count());
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

/// Time and error over sizes and accuracies: maps of one angstrom around boxes of water.
void bench_table(const Settings& s, double largest) {
  fmt::print("{:>10} {:>7} {:>9} {:>12} {:>12} {:>11}  {}\n", "atoms", "map", "accuracy", "time [ms]", "us/1000 atoms",
             "error", "parameters");
  for (const double atoms : {1e3, 1e4, 1e5, 1e6, 1e7}) {
    if (atoms > largest) break;
    const double side = std::cbrt(atoms / 0.1023);
    const auto charges = water(side);
    const Grid grid{glm::dvec3(-4), glm::dmat3(1.0), glm::ivec3(static_cast<int>(side) + 9)};
    DeviceArray<float> out(grid.size(), s.device);
    for (const double accuracy : {1e-2, 2.5e-3, 5e-4, 1e-4}) {
      const MsmPlanned plan = plan_msm(accuracy, charges, grid, s.device);
      Job job;
      msm_potential(charges, grid, plan.options, out.span(), job);
      double best = 1e300;
      for (int i = 0; i < s.repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        msm_potential(charges, grid, plan.options, out.span(), job);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      }
      const auto points = static_cast<std::size_t>(std::clamp(3e8 / atoms, 30.0, 1000.0));
      const MapError error = potential_error(charges, grid, out.copy_to_host(), points);
      fmt::print("{:10} {:5}^3 {:9.1e} {:12.3f} {:12.3f} {:11.2e}  {}\n", charges.size(), grid.counts.x, accuracy,
                 best * 1e3, best * 1e9 / static_cast<double>(charges.size()), error.relative, describe(plan.options));
      std::fflush(stdout);
    }
  }
}

/// The error of one level over h at fixed a, for the degrees and their smoothings: what the bound h^p / a^(p+1) says.
void bench_slopes(const Settings& s) {
  const auto charges = water(30);
  const Grid grid{glm::dvec3(7.1), glm::dmat3(0.5), {31, 31, 9}};
  fmt::print("p,taylor,a,h,relative_error\n");
  for (const auto& [p, taylor] : {std::pair{3, 2}, {3, 3}, {5, 3}, {5, 4}, {7, 4}}) {
    for (const double a : {4.0, 6.0, 8.0}) {
      for (const double ratio : {2.0, 2.83, 4.0, 5.66, 8.0, 11.3, 16.0}) {
        MsmOptions options;
        options.cutoff = a;
        options.spacing = a / ratio;
        options.degree = p;
        options.smoothing = taylor;
        options.levels = 1;
        DeviceArray<float> out(grid.size(), s.device);
        Job job;
        msm_potential(charges, grid, options, out.span(), job);
        const MapError error = potential_error(charges, grid, out.copy_to_host(), 2000);
        fmt::print("{},{},{},{:.4f},{:.4e}\n", p, taylor, a, options.spacing, error.relative);
      }
    }
  }
}

double number(const char* text) {
  double value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

int run(int count, char** words) {
  Settings s;
  std::string device = "auto";
  std::string what = "all";
  std::vector<double> one;
  double largest = 1e7;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const char* next = i + 1 < count ? words[i + 1] : "";
    if (word == "--device") {
      device = next, ++i;
    } else if (word == "--side") {
      s.side = number(next), ++i;
    } else if (word == "--spacing") {
      s.spacing = number(next), ++i;
    } else if (word == "--margin") {
      s.margin = number(next), ++i;
    } else if (word == "--repeats") {
      s.repeats = static_cast<int>(number(next)), ++i;
    } else if (word == "--error-points") {
      s.error_points = static_cast<std::size_t>(number(next)), ++i;
    } else if (word == "--largest") {
      largest = number(next), ++i;
    } else if (word == "--msm" && i + 4 < count) {
      for (int k = 1; k <= 4; ++k) one.push_back(number(words[i + k]));
      i += 4;
      if (what == "all") what = "msm";
    } else if (word.starts_with("--")) {
      fmt::print(
          "bench_potential [all|direct|fast|msm|published|cutoff|debye-hueckel|planned|frames|table|slopes] [--device "
          "D]\n"
          "  [--msm A H P TAYLOR] [--largest ATOMS] [--side A] [--margin A] [--spacing A] [--repeats N] "
          "[--error-points N]\n");
      return 2;
    } else {
      what = word;
    }
  }
  s.device = choose_device(device);
  fmt::print("device {}, {} threads\n", to_string(s.device), thread_count());
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
    bench_table(s, largest);
    return 0;
  }
  if (what == "fast") {
    bench_fast(s);
    return 0;
  }
  if (what == "slopes") {
    bench_slopes(s);
    return 0;
  }
  if (what == "frames") {
    for (const MsmOptions& options : choices.empty() ? std::vector{make(4, 1, 5, 3)} : choices)
      bench_frames(s, options);
    return 0;
  }
  if (!choices.empty()) bench_msm(s, choices);
  if (what == "all" || what == "direct") bench_direct(s);
  if (what == "all" || what == "cutoff") bench_cutoff(s);
  if (what == "all" || what == "debye-hueckel") bench_debye_hueckel(s);
  return 0;
}

}  // namespace
}  // namespace isolume

int main(int count, char** words) {
  try {
    return isolume::run(count, words);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_potential: {}\n", error.what());
    return 1;
  }
}
