// The Boys function, by a table.
#pragma once

#include <span>

namespace isolume {

inline constexpr int most_boys_order = 13;  ///< two i shells, and the field

/// F_n(t) = integral from 0 to 1 of u^(2n) exp(-t u^2) du for n from 0 to `order` (at most most_boys_order), t >= 0.
/// Taylor series about the entries of a table of step 1/16, and beyond t = 30 + 2.5 order the asymptotic form
/// (2n-1)!! / (2 (2t)^n) sqrt(pi / t). Relative error below 1e-11.
void boys_function(double t, int order, std::span<double> values);

/// Where the asymptotic form begins.
inline double boys_asymptotic(int order) {
  return 30 + 2.5 * order;
}

/// The table, for the bodies that have a copy of it: rows of boys_width values F_0, F_1, ... at t = row / boys_steps.
inline constexpr int boys_steps = 16;  ///< a unit of t
inline constexpr int boys_width = most_boys_order + 7;
std::span<const double> boys_table();

/// The same from the series exp(-t) sum_i (2t)^i / ((2n+1)(2n+3)...(2n+2i+1)), for the tests and the table.
double boys_series(double t, int n);

}  // namespace isolume
