// Computing until a measured error is met, each time with finer parameters.
#include <algorithm>

#include "compute/electrostatics/method.h"

namespace isolume {

MapError to_accuracy(double target, double planned_for, int most, std::span<const ChargedSphere> charges,
                     const Grid& grid, Device device, PotentialOptions& options,
                     const std::function<MapError(const AccuracyTry&)>& compute) {
  AccuracyTry attempt;
  attempt.planned_for = planned_for;
  for (;; ++attempt.number) {
    attempt.before = compute(attempt);
    const bool done = !has_accuracy(options) || attempt.before.relative <= target;
    if (done || attempt.number >= most || attempt.planned_for <= finest_accuracy) return attempt.before;
    attempt.planned_for = std::max(finest_accuracy, attempt.planned_for / 3);
    attempt.expected_error = choose_parameters(attempt.planned_for, charges, grid, device, options);
  }
}

}  // namespace isolume
