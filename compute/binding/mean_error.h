// The mean of a correlated series and its standard error.
#pragma once

#include <cstddef>
#include <span>

namespace isolume {

/// Of values taken one after the other, as of the frames of a trajectory.
struct SeriesError {
  double mean = 0;
  double deviation = 0;     ///< standard deviation of the values
  double inefficiency = 1;  ///< g: of how many values one is independent
  double error = 0;         ///< standard error of the mean: deviation sqrt(g / values); 0 for one value, where unknown
  std::size_t values = 0;

  double blocks() const { return static_cast<double>(values) / inefficiency; }
  /// Below that the error itself is unknown by more than a third.
  bool enough() const { return blocks() >= 6; }
};

/// g = 1 + 2 sum_t (1 - t/N) C(t), C the autocorrelation, up to where it is first 0 or less (Chodera, Swope, Pitera,
/// Seok, Dill, J. Chem. Theory Comput. 3, 26 (2007)); at least 1. Throws Error (usage) for no values.
SeriesError mean_error(std::span<const double> values);

}  // namespace isolume
