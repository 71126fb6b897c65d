// Which rows of a run's energies belong to which frames of its trajectory, by time.
#include "compute/trajectory/energy_frames.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isolume {
namespace {

constexpr std::size_t few_frames = 64, samples = 32;
constexpr double near_enough = 1e-3;  // of the distance of two frames

bool ascends(std::span<const double> times) {
  return std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); }) == times.end();
}

/// Times on the line through the first and the last; empty where a sample is not on it.
std::vector<double> evenly(const Trajectory& trajectory, Job& job) {
  const std::size_t last = trajectory.frame_count() - 1;
  const Frame begin = trajectory.frame(0), end = trajectory.frame(last);
  if (!begin.has_time || !end.has_time) return {};
  const double step = (end.time - begin.time) / static_cast<double>(last);
  if (!(step > 0)) return {};
  for (std::size_t i = 1; i < samples; ++i) {
    job.check();
    const std::size_t at = i * last / samples;
    const Frame frame = trajectory.frame(at);
    if (!frame.has_time || !(std::abs(frame.time - begin.time - step * static_cast<double>(at)) <= near_enough * step))
      return {};
  }
  std::vector<double> times(last + 1);
  for (std::size_t i = 0; i <= last; ++i) times[i] = begin.time + step * static_cast<double>(i);
  return times;
}

}  // namespace

std::vector<double> frame_times(const Trajectory& trajectory, Job& job) {
  const std::size_t count = trajectory.frame_count();
  if (count > few_frames) {
    if (std::vector<double> times = evenly(trajectory, job); !times.empty()) return times;
  }
  std::vector<double> times(count);
  for (std::size_t i = 0; i < count; ++i) {
    job.check();
    job.progress(static_cast<double>(i) / static_cast<double>(count), "times of frames");
    const Frame frame = trajectory.frame(i);
    if (!frame.has_time || !std::isfinite(frame.time)) return {};
    times[i] = frame.time;
  }
  return times;
}

std::vector<std::optional<std::size_t>> rows_of_frames(std::span<const double> row_times,
                                                       std::span<const double> frame_times) {
  std::vector<std::optional<std::size_t>> rows(frame_times.size());
  if (row_times.empty()) return rows;
  double distance = 2 * near_enough;
  if (row_times.size() > 1) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < row_times.size(); ++i) steps.push_back(row_times[i] - row_times[i - 1]);
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    distance = *middle;
  }
  for (std::size_t f = 0; f < frame_times.size(); ++f) {
    const auto after = std::lower_bound(row_times.begin(), row_times.end(), frame_times[f]);
    auto row = static_cast<std::size_t>(after - row_times.begin());
    if (row == row_times.size() || (row > 0 && frame_times[f] - row_times[row - 1] < row_times[row] - frame_times[f]))
      --row;
    if (std::abs(row_times[row] - frame_times[f]) <= 0.5 * distance * (1 + 1e-9)) rows[f] = row;
  }
  return rows;
}

std::vector<double> frame_numbers(std::span<const double> row_times, std::span<const double> frame_times) {
  if (frame_times.size() < 2 || !ascends(frame_times)) return {};
  std::vector<double> numbers;
  numbers.reserve(row_times.size());
  for (const double time : row_times) {
    const auto after = std::lower_bound(frame_times.begin(), frame_times.end(), time);
    const auto found = static_cast<std::size_t>(after - frame_times.begin());
    const std::size_t upper = std::clamp<std::size_t>(found, 1, frame_times.size() - 1);
    const double part = (time - frame_times[upper - 1]) / (frame_times[upper] - frame_times[upper - 1]);
    const bool within = part >= -near_enough && part <= 1 + near_enough;
    numbers.push_back(within ? static_cast<double>(upper - 1) + std::clamp(part, 0.0, 1.0)
                             : std::numeric_limits<double>::quiet_NaN());
  }
  return numbers;
}

}  // namespace isolume
