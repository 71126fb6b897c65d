// One axis of a plot: its range, its round numbers, and where a value is on the screen.
#pragma once

#include <QString>
#include <vector>

namespace isolume {

/// A range of values from `lower` to `upper` that is drawn from pixel `begin` to pixel `end` (which may be smaller, as
/// it is upwards).
struct PlotAxis {
  double lower = 0, upper = 1;
  double begin = 0, end = 1;

  double pixel(double value) const { return begin + (value - lower) / (upper - lower) * (end - begin); }
  double value(double pixel) const { return lower + (pixel - begin) / (end - begin) * (upper - lower); }
  /// Magnifies by `factor` > 0 such that `centre` stays where it is.
  void zoom(double factor, double centre);
};

/// Multiples of 1, 2 or 5 times a power of ten within [lower, upper]: at most `most`, at least two where there is room.
/// With `whole`, of whole numbers only. Empty where the range is empty or not finite.
std::vector<double> round_ticks(double lower, double upper, int most, bool whole = false);

/// Texts of such ticks, all with as many decimals as their step needs; with powers of ten beyond 1e5 and below 1e-4.
std::vector<QString> tick_labels(const std::vector<double>& ticks);

/// [lower, upper] with a little room on both sides; where both are equal, a range around them.
PlotAxis roomy(double lower, double upper, double part = 0.05);

}  // namespace isolume
