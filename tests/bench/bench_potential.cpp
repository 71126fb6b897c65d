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
#include "compute/potential/error_estimate.h"
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

/// Runs compute(out, job) `repeats` times after one warm-up; prints the best time and the steps of the best run.
template <class Compute>
double time_it(const Settings& s, std::size_t values, const std::string& name, std::vector<float>* result,
               const Compute& compute) {
  DeviceArray<float> out(values, s.device);
  Job job;
  compute(out.span(), job);
  double best = 1e300;
  std::vector<LaunchEntry> steps;
  for (int i = 0; i < s.repeats; ++i) {
    const LaunchRecord record;
    const auto begin = std::chrono::steady_clock::now();
    compute(out.span(), job);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (seconds >= best) continue;
    best = seconds;
    steps = record.entries();
  }
  double listed = 0;
  fmt::print("{}\n  {:10.3f} ms in all, best of {}\n", name, best * 1e3, s.repeats);
  for (const LaunchEntry& e : steps) {
    fmt::print("  {:10.3f} ms  {} ({})\n", e.seconds * 1e3, e.name, e.launches);
    listed += e.seconds;
  }
  fmt::print("  {:10.3f} ms  sum of steps\n", listed * 1e3);
  std::fflush(stdout);
  if (result) *result = out.copy_to_host();
  return best;
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
  for (const PointCharge& c : water(46.1)) {
    if (spheres.size() < 10000) spheres.push_back({c.position, c.charge, c.charge < 0 ? 1.7f : 1.0f});
  }
  const Grid grid{glm::dvec3(-25), glm::dmat3(0.5), glm::ivec3(193)};
  const double seconds = time_it(s, debye_hueckel_face_points(grid),
                                 fmt::format("Debye-Hueckel {} spheres, 6 faces of 193^2", spheres.size()), nullptr,
                                 [&](Span<float> out, Job& job) { debye_hueckel_faces(spheres, grid, {}, out, job); });
  fmt::print("  {:.4g} pairs/s\n",
             static_cast<double>(spheres.size()) * static_cast<double>(debye_hueckel_face_points(grid)) / seconds);
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
    } else if (word == "--msm" && i + 4 < count) {
      for (int k = 1; k <= 4; ++k) one.push_back(number(words[i + k]));
      i += 4;
      what = "msm";
    } else if (word.starts_with("--")) {
      fmt::print(
          "bench_potential [all|msm|published|cutoff|debye-hueckel|planned] [--msm A H P TAYLOR] [--device D]\n"
          "  [--side A] [--margin A] [--spacing A] [--repeats N] [--error-points N]\n");
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
  if (!choices.empty()) bench_msm(s, choices);
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
