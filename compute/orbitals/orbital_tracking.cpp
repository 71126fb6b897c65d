// Following orbitals from frame to frame by their overlap.
#include "compute/orbitals/orbital_tracking.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compute/base/parallel_for.h"
#include "compute/orbitals/assignment.h"
#include "molecule/base/error.h"

namespace isolume {
namespace {

std::vector<std::size_t> of_spin(const Orbitals& orbitals, Spin spin) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < orbitals.count(); ++i) {
    if (orbitals.orbitals[i].spin == spin) indices.push_back(i);
  }
  return indices;
}

bool has_energies(const Orbitals& orbitals, const std::vector<std::size_t>& indices) {
  return std::any_of(indices.begin(), indices.end(), [&](std::size_t i) {
    return orbitals.orbitals[i].energy != orbitals.orbitals[indices.front()].energy;
  });
}

}  // namespace

std::vector<double> orbital_overlaps(const Orbitals& a, const Orbitals& b, Spin spin) {
  if (!a.basis || !b.basis) throw Error("orbitals: there is no basis");
  if (a.centres.size() != b.centres.size()) {
    throw Error(fmt::format("orbitals of {} atoms cannot follow those of {}", b.centres.size(), a.centres.size()),
                Error::Kind::input);
  }
  const std::size_t rows = a.basis->function_count(), width = b.basis->function_count();
  if (rows != width) {
    throw Error(fmt::format("orbitals over {} functions cannot follow those over {}", width, rows), Error::Kind::input);
  }
  const std::vector<double> s = overlap_matrix(*a.basis, a.centres, *b.basis, b.centres);
  const std::vector<std::size_t> left = of_spin(a, spin), right = of_spin(b, spin);
  std::vector<double> overlaps(left.size() * right.size());
  std::vector<double> image(width);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::span<const double> c = a.row(left[i]);
    std::fill(image.begin(), image.end(), 0.0);
    for (std::size_t mu = 0; mu < rows; ++mu) {
      if (c[mu] == 0) continue;
      for (std::size_t nu = 0; nu < width; ++nu) image[nu] += c[mu] * s[mu * width + nu];
    }
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::span<const double> d = b.row(right[j]);
      double sum = 0;
      for (std::size_t nu = 0; nu < width; ++nu) sum += image[nu] * d[nu];
      overlaps[i * right.size() + j] = sum;
    }
  }
  return overlaps;
}

std::vector<std::optional<OrbitalMatch>> match_orbitals(const Orbitals& a, const Orbitals& b, Spin spin,
                                                        const TrackingOptions& options) {
  std::vector<std::optional<OrbitalMatch>> matches(a.count());
  const std::vector<std::size_t> left = of_spin(a, spin), right = of_spin(b, spin);
  if (left.empty() || right.empty()) return matches;
  const std::vector<double> overlaps = orbital_overlaps(a, b, spin);
  const bool windowed = has_energies(a, left) && has_energies(b, right);
  // Column right.size() + i stands for "no successor" of row i: dearer than any pair within the window, so that a pair
  // of no overlap is preferred to none, but cheaper than a pair outside.
  constexpr double none = 2, outside = 1e6;
  const std::size_t columns = right.size() + left.size();
  std::vector<double> cost(left.size() * columns, none);
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < right.size(); ++j) {
      const double overlap = overlaps[i * right.size() + j];
      const double apart = std::abs(a.orbitals[left[i]].energy - b.orbitals[right[j]].energy);
      cost[i * columns + j] = windowed && apart > options.energy_window ? outside : 1 - overlap * overlap;
    }
  }
  const std::vector<std::size_t> chosen = least_cost_assignment(cost, left.size(), columns);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t j = chosen[i];
    if (j >= right.size() || cost[i * columns + j] >= none) continue;
    const double overlap = overlaps[i * right.size() + j];
    matches[left[i]] = OrbitalMatch{right[j], overlap, std::abs(overlap) < options.weak_below};
  }
  return matches;
}

OrbitalTracks::OrbitalTracks(std::vector<std::shared_ptr<const Orbitals>> frames, Job& job,
                             const TrackingOptions& options)
    : frames_(std::move(frames)),
      forward_(frames_.size()),
      backward_(frames_.size()),
      next_(frames_.size(), frames_.size()),
      previous_(frames_.size(), frames_.size()) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t last = frames_.size();
  for (std::size_t frame = 0; frame < frames_.size(); ++frame) {
    if (!frames_[frame] || frames_[frame]->count() == 0) continue;
    if (last < frames_.size()) {
      pairs.emplace_back(last, frame);
      next_[last] = frame;
      previous_[frame] = last;
    }
    last = frame;
  }
  parallel_for(pairs.size(), job, "following orbitals", [&](std::size_t pair) {
    const auto [from, to] = pairs[pair];
    const Orbitals& a = *frames_[from];
    const Orbitals& b = *frames_[to];
    auto& forward = forward_[from];
    auto& backward = backward_[to];
    forward.resize(a.count());
    backward.resize(b.count());
    for (const Spin spin : {Spin::alpha, Spin::beta}) {
      std::vector<std::optional<OrbitalMatch>> matches;
      try {
        matches = match_orbitals(a, b, spin, options);
      } catch (const Error& error) {
        throw Error(fmt::format("frame {}: {}", to + 1, error.what()), error.kind());
      }
      for (std::size_t i = 0; i < matches.size(); ++i) {
        if (!matches[i]) continue;
        forward[i] = matches[i];
        backward[matches[i]->index] = OrbitalMatch{i, matches[i]->overlap, matches[i]->weak};
      }
    }
  });
}

void OrbitalTracks::check(std::size_t frame, std::size_t index) const {
  if (frame >= frames_.size()) {
    throw Error(fmt::format("frame {}: there are {}", frame + 1, frames_.size()), Error::Kind::usage);
  }
  if (!frames_[frame] || index >= frames_[frame]->count()) {
    throw Error(fmt::format("orbital {} of frame {}: there are {}", index + 1, frame + 1,
                            frames_[frame] ? frames_[frame]->count() : 0),
                Error::Kind::usage);
  }
}

std::optional<TrackedOrbital> OrbitalTracks::step(std::size_t frame, std::size_t index, bool forward) const {
  const auto& match = (forward ? forward_ : backward_)[frame][index];
  if (!match) return std::nullopt;
  return TrackedOrbital{match->index, match->overlap < 0 ? -1 : 1, std::abs(match->overlap), match->weak};
}

std::optional<TrackedOrbital> OrbitalTracks::follow(std::size_t from, std::size_t index, std::size_t to) const {
  check(from, index);
  if (to >= frames_.size()) check(to, 0);
  TrackedOrbital at{index, 1, 1, false};
  const bool forward = to > from;
  for (std::size_t frame = from; frame != to;) {
    const std::size_t next = (forward ? next_ : previous_)[frame];
    if (next == frames_.size() || (forward ? next > to : next < to)) return std::nullopt;
    const auto one = step(frame, at.index, forward);
    if (!one) return std::nullopt;
    at = {one->index, at.sign * one->sign, std::min(at.overlap, one->overlap), at.weak || one->weak};
    frame = next;
  }
  return at;
}

std::vector<std::optional<TrackedOrbital>> OrbitalTracks::track(std::size_t from, std::size_t index) const {
  check(from, index);
  std::vector<std::optional<TrackedOrbital>> result(frames_.size());
  result[from] = TrackedOrbital{index, 1, 1, false};
  for (const bool forward : {true, false}) {
    std::size_t frame = from;
    TrackedOrbital at = *result[from];
    while (true) {
      const std::size_t next = (forward ? next_ : previous_)[frame];
      if (next == frames_.size()) break;
      const auto one = step(frame, at.index, forward);
      if (!one) break;
      at = {one->index, at.sign * one->sign, one->overlap, one->weak};
      result[next] = at;
      frame = next;
    }
  }
  return result;
}

}  // namespace isolume
