// Steps of a grid that an error asks for, one try after another.
#include "compute/electrostatics/poisson_boltzmann/shorter_steps.h"

#include <algorithm>
#include <cmath>

namespace isolume {

std::optional<double> ShorterSteps::next(Try made) {
  double order = 1.5;
  if (!tries_.empty()) {
    const Try& last = tries_.back();
    order = std::clamp(std::log(last.error / made.error) / std::log(last.step / made.step), 1.0, 2.0);
  }
  tries_.push_back(made);
  if (met() || tries_.size() == most_tries) return {};
  // Not too far at once, for the estimate's own error.
  const double share = std::clamp(std::pow(0.85 * tolerance_ / made.error, 1 / order), 0.4, 0.85);
  const double step = std::floor(made.step * share * 1000) / 1000;
  if (!(step >= shortest)) return {};
  return step;
}

}  // namespace isolume
