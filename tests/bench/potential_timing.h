// How one potential is timed, and its error measured.
#pragma once

#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "compute/base/device_array.h"
#include "compute/base/timing.h"
#include "compute/electrostatics/error/error_estimate.h"
#include "tests/bench/potential_systems.h"

namespace isolume::bench {

/// Runs compute(out, job) `repeats` times after one warm-up, timed from outside (fewer where these take longer than
/// half a minute), then once more for the steps. Where the first takes over five seconds it is no warm-up but counts,
/// and has the steps.
template <class Compute>
Timing time_it(const Settings& s, std::size_t values, const std::string& name, std::vector<float>* result,
               const Compute& compute) {
  DeviceArray<float> out(values, s.device);
  Job job;
  const auto seconds = [&] {
    const auto begin = std::chrono::steady_clock::now();
    compute(out.span(), job);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto recorded = [&](double& taken) {
    const LaunchRecord record;
    taken = seconds();
    return record.entries();
  };
  std::vector<double> times;
  double total = 0;
  std::vector<LaunchEntry> steps = recorded(total);
  const bool slow = total > 5;
  if (slow) {
    times.push_back(total);
  } else {
    total = 0;
  }
  while (times.size() < static_cast<std::size_t>(std::max(1, s.repeats)) && total < 30) {
    times.push_back(seconds());
    total += times.back();
  }
  const std::vector<double> in_order = times;
  std::sort(times.begin(), times.end());
  if (!slow) steps = recorded(total);
  if (result) *result = out.copy_to_host();
  return {name, times.size(), times[times.size() / 2], times.front(), times.back(), steps, {}, in_order};
}

/// Of a map that was brought to the host.
inline MapError error_of(std::span<const PointCharge> charges, const Grid& grid, const std::vector<float>& values,
                         std::size_t points) {
  Job job;
  return potential_error_on_device(charges, grid, Span<const float>(values.data(), values.size(), Device::cpu()),
                                   points, 1, job);
}

inline void add_error(Timing& timing, const MapError& error) {
  timing.facts.emplace_back("V RMS error", error.rms);
  timing.facts.emplace_back("V largest error", error.max);
  timing.facts.emplace_back("relative error", error.relative);
}

}  // namespace isolume::bench
