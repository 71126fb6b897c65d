// Steps of a grid that an error asks for, one try after another.
#pragma once

#include <optional>
#include <vector>

namespace isolume {

/// Each try tells its step and its estimated relative error, and gets the next step. The order of the method is that
/// which the last two tries had, between 1 and 2, and at first 1.5. A step is 0.4 to 0.85 of the one before.
class ShorterSteps {
 public:
  struct Try {
    double step;   ///< angstrom
    double error;  ///< relative
  };
  static constexpr std::size_t most_tries = 8;
  static constexpr double shortest = 0.02;  ///< angstrom

  explicit ShorterSteps(double tolerance) : tolerance_(tolerance) {}

  /// The next step, or none where the error is within the tolerance (met()), or where tries or steps are at an end.
  std::optional<double> next(Try made);
  bool met() const { return !tries_.empty() && tries_.back().error <= tolerance_; }
  const std::vector<Try>& tries() const { return tries_; }

 private:
  double tolerance_;
  std::vector<Try> tries_;
};

}  // namespace isolume
