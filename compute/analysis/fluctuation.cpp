// Fluctuation: means and mean squares over superposed frames.
#include "compute/analysis/fluctuation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compute/analysis/superposition.h"
#include "compute/frames/frame_sums.h"
#include "molecule/base/error.h"
#include "molecule/base/units.h"

namespace isolume {

Fluctuations fluctuations(std::size_t count, const std::function<void(std::size_t, FluctuationFrame&)>& read, Job& job,
                          int rounds, double tolerance) {
  if (count == 0) throw Error("fluctuations: there are no frames", Error::Kind::usage);
  FluctuationFrame frame;
  read(0, frame);
  const PointRange points{0, frame.points.size()}, fitted{points.count, frame.fitted.size()};
  std::vector<glm::dvec3> all;
  const auto join = [&] {
    all = frame.points;
    all.insert(all.end(), frame.fitted.begin(), frame.fitted.end());
  };
  join();
  const std::vector<glm::dvec3> first = all;
  const auto groups = [&](Job& part, double begin, double end, const std::function<void(const FrameGroup&)>& body) {
    for (std::size_t f = 0; f < count; ++f) {
      part.check();
      read(f, frame);
      if (frame.points.size() != points.count || frame.fitted.size() != fitted.count)
        throw Error(
            fmt::format("fluctuations: frame {} has {} points and the first {}", f, frame.points.size(), points.count),
            Error::Kind::usage);
      join();
      FrameGroup group;
      group.frames = 1;
      group.points = all.size();
      group.precise = {all.data(), all.size(), Device::cpu()};
      body(group);
      part.progress(begin + (end - begin) * static_cast<double>(f + 1) / static_cast<double>(count),
                    "superposing on the mean");
    }
  };
  return fluctuations(count, groups, points, fitted, first, Device::cpu(), job, rounds, tolerance);
}

Fluctuations fluctuations(std::size_t count, const GroupsInOrder& groups, PointRange points, PointRange fitted,
                          std::span<const glm::dvec3> first, Device device, Job& job, int rounds, double tolerance) {
  if (count == 0) throw Error("fluctuations: there are no frames", Error::Kind::usage);
  const auto places_of = [&](PointRange range) {
    const auto begin = first.begin() + static_cast<std::ptrdiff_t>(range.first);
    return std::vector<glm::dvec3>(begin, begin + static_cast<std::ptrdiff_t>(range.count));
  };
  const bool same = fitted.first == points.first && fitted.count == points.count;
  // Differences to `near` are summed, so that squares keep their digits; frames are superposed on `onto`.
  PointData near(places_of(points), {}, points.count, device), onto(places_of(fitted), {}, fitted.count, device);
  DisplacementSums sums(points.count, device), fitted_sums(same ? 0 : fitted.count, device);
  const double n = static_cast<double>(count);
  const auto moved = [&](std::span<const glm::dvec3> places, const std::vector<glm::dvec3>& sum) {
    std::vector<glm::dvec3> result(places.begin(), places.end());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += sum[i] / n;
    return result;
  };
  Fluctuations result;
  for (;;) {
    sums.clear();
    fitted_sums.clear();
    // Rounds differ in number; a bar that fills by half with each never goes back.
    const double begin = 1 - std::pow(0.5, result.rounds), end = 0.5 * (1 + begin);
    groups(job, begin, end, [&](const FrameGroup& group) {
      std::vector<RigidMotion> motions(group.frames);
      if (fitted.count > 0) {
        const std::vector<PointCovariance> covariances = frame_covariances(group, fitted, onto, job);
        for (std::size_t f = 0; f < group.frames; ++f) motions[f] = motion_of(covariances[f], onto.centre());
      }
      add_displacements(group, points, motions, near, sums, job);
      if (!same && fitted.count > 0) add_displacements(group, fitted, motions, onto, fitted_sums, job);
    });
    ++result.rounds;
    const std::vector<glm::dvec3> sum = sums.sums_on_host();
    result.squares = sums.squares_on_host();
    result.mean = moved(near.places(), sum);
    for (std::size_t i = 0; i < points.count; ++i) {
      const glm::dvec3 shift = sum[i] / n;
      result.squares[i] = std::max(0.0, result.squares[i] / n - glm::dot(shift, shift));
    }
    result.change = 0;
    if (fitted.count > 0) {
      const std::vector<glm::dvec3> fitted_sum = same ? sum : fitted_sums.sums_on_host();
      double squares = 0;
      for (const glm::dvec3& one : fitted_sum) squares += glm::dot(one / n, one / n);
      result.change = std::sqrt(squares / static_cast<double>(fitted.count));
      onto.move_to(moved(onto.places(), fitted_sum));
    }
    if (result.change <= tolerance || result.rounds >= rounds) return result;
    near.move_to(result.mean);
  }
}

double b_factor(double mean_square) {
  return 8 * units::pi * units::pi / 3 * mean_square;
}

}  // namespace isolume
