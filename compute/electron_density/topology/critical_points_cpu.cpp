// Searches for critical points on the CPU: all starts take their steps together, in batches of near ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "compute/base/parallel_for.h"
#include "compute/electron_density/topology/critical_point_math.h"
#include "compute/electron_density/topology/critical_points_bodies.h"

namespace isolume {
namespace {

using namespace critical_math;

/// Newton's step at a point.
glm::dvec3 step_of(const DensityDerivatives& values) {
  double gradient[3], hessian[6], step[3];
  for (int axis = 0; axis < 3; ++axis) gradient[axis] = values.gradient[axis];
  std::copy_n(values.hessian.begin(), 6, hessian);
  newton_step(gradient, hessian, step);
  return {step[0], step[1], step[2]};
}

/// The active starts in batches of places that are near each other, so that few functions reach a batch. They are
/// sorted. Where few are left, batches are small, so that all threads have some.
std::vector<std::span<const std::size_t>> batches_of(std::span<const glm::dvec3> places,
                                                     std::vector<std::size_t>& active) {
  constexpr double cell = 2;  // bohr
  const auto cell_of = [&](std::size_t n) {
    const glm::dvec3 at = glm::floor(places[n] / cell);
    return std::array{at.x, at.y, at.z};
  };
  std::vector<std::pair<std::array<double, 3>, std::size_t>> sorted;
  for (const std::size_t n : active) sorted.emplace_back(cell_of(n), n);
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = sorted[i].second;
  const std::size_t size = std::clamp<std::size_t>(active.size() / 16, 16, DensityEvaluator::batch);
  std::vector<std::span<const std::size_t>> batches;
  for (std::size_t first = 0; first < active.size(); first += size)
    batches.push_back(std::span<const std::size_t>(active).subspan(first, std::min(size, active.size() - first)));
  return batches;
}

/// Leaves out searches that are about to end where another one has ended, or where one before them in the list is:
/// their steps are short, and Newton's iteration takes close places to one.
void leave_out_twins(std::span<const glm::dvec3> places, std::span<const double> moves,
                     std::span<const glm::dvec3> found, std::vector<std::size_t>& active) {
  constexpr double close = 0.01, short_move = 0.05;  // bohr
  std::vector<glm::dvec3> ends(found.begin(), found.end());
  std::erase_if(active, [&](std::size_t n) {
    if (moves[n] > short_move) return false;
    const bool known = std::ranges::any_of(ends, [&](const glm::dvec3& other) {
      const glm::dvec3 away = other - places[n];
      return glm::dot(away, away) < close * close;
    });
    if (!known) ends.push_back(places[n]);
    return known;
  });
}

class SearchOnCpu : public DensitySearch {
 public:
  explicit SearchOnCpu(const DensityEvaluator& density) : density_(density) {}

  std::vector<glm::dvec3> converge(std::vector<glm::dvec3> starts, double least_density, Job& job) const override;
  std::vector<DensityDerivatives> at(std::span<const glm::dvec3> points, Job& job) const override {
    return density_.at(points, DensityOrder::hessian, job);
  }
  void follow(std::span<const glm::dvec3> maxima, std::vector<PathWalker>& walkers, Job& job) const override;

 private:
  const DensityEvaluator& density_;
};

std::vector<glm::dvec3> SearchOnCpu::converge(std::vector<glm::dvec3> starts, double least_density, Job& job) const {
  enum class State : char { running, converged, left };
  std::vector<State> states(starts.size(), State::running);
  std::vector<double> moves(starts.size(), longest_step);
  std::vector<std::size_t> active(starts.size());
  std::iota(active.begin(), active.end(), std::size_t{0});
  std::vector<glm::dvec3> found;
  for (int step = 0; step < most_steps && !active.empty(); ++step) {
    const auto batches = batches_of(starts, active);
    parallel_for(batches.size(), job, "critical points", [&](std::size_t b) {
      const std::span<const std::size_t> batch = batches[b];
      std::array<glm::dvec3, DensityEvaluator::batch> points;
      std::array<DensityDerivatives, DensityEvaluator::batch> values;
      for (std::size_t n = 0; n < batch.size(); ++n) points[n] = starts[batch[n]];
      density_.evaluate({points.data(), batch.size()}, DensityOrder::hessian, {values.data(), batch.size()});
      for (std::size_t n = 0; n < batch.size(); ++n) {
        const std::size_t at = batch[n];
        if (values[n].density < 0.1 * least_density) {
          states[at] = State::left;
          continue;
        }
        const glm::dvec3 move = step_of(values[n]);
        starts[at] += move;
        moves[at] = glm::length(move);
        if (moves[at] < last_step) states[at] = State::converged;
      }
    });
    std::ranges::sort(active);
    for (const std::size_t n : active) {
      if (states[n] == State::converged) found.push_back(starts[n]);
    }
    std::erase_if(active, [&](std::size_t n) { return states[n] != State::running; });
    leave_out_twins(starts, moves, found, active);
  }
  return found;
}

void SearchOnCpu::follow(std::span<const glm::dvec3> maxima, std::vector<PathWalker>& walkers, Job& job) const {
  std::vector<glm::dvec3> points;
  const auto directions = [&](const std::vector<glm::dvec3>& at) {
    std::vector<glm::dvec3> all;
    for (const DensityDerivatives& value : density_.at(at, DensityOrder::gradient, job)) {
      const double length = glm::length(value.gradient);
      all.push_back(length > 0 ? value.gradient / length : glm::dvec3(0));
    }
    return all;
  };
  for (int n = 0; n < most_path_steps; ++n) {
    std::vector<PathWalker*> active;
    std::vector<double> steps;
    for (PathWalker& walker : walkers) {
      if (walker.done) continue;
      double nearest = 1e300;
      int end = -1;
      for (std::size_t m = 0; m < maxima.size(); ++m) {
        const double distance = glm::distance(maxima[m], walker.position);
        if (distance < nearest) {
          nearest = distance;
          end = static_cast<int>(m);
        }
      }
      if (nearest < path_end) {
        walker.length += nearest;
        walker.maximum = end;
        walker.done = true;
        if (walker.trace) walker.trace->push_back(maxima[static_cast<std::size_t>(end)]);
        continue;
      }
      active.push_back(&walker);
      steps.push_back(std::min(path_step, 0.5 * nearest));
    }
    if (active.empty()) return;
    std::vector<glm::dvec3> from;
    for (const PathWalker* walker : active) from.push_back(walker->position);
    const auto moved = [&](const std::vector<glm::dvec3>& along, double part) {
      points = from;
      for (std::size_t i = 0; i < points.size(); ++i) points[i] += part * steps[i] * along[i];
      return points;
    };
    const auto k1 = directions(from), k2 = directions(moved(k1, 0.5)), k3 = directions(moved(k2, 0.5)),
               k4 = directions(moved(k3, 1));
    for (std::size_t i = 0; i < active.size(); ++i) {
      const glm::dvec3 move = steps[i] / 6 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
      active[i]->position += move;
      active[i]->length += glm::length(move);
      if (active[i]->trace) active[i]->trace->push_back(active[i]->position);
      if (glm::length(move) < 1e-8) active[i]->done = true;
    }
  }
}

}  // namespace

std::unique_ptr<DensitySearch> density_search_cpu(const DensityEvaluator& evaluator) {
  return std::make_unique<SearchOnCpu>(evaluator);
}

}  // namespace isolume
