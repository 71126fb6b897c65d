// The error that parameters of multilevel summation have, from a table of measured ones.
#include "compute/potential/msm_errors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "molecule/error.h"

namespace isolume {

namespace {

constexpr std::array<double, 6> cutoffs{3, 4, 5, 6, 8, 12};
constexpr std::array<double, 7> ratios{3, 3.5, 4, 4.5, 5, 6, 8};

/// Relative RMS errors on maps of 0.5 angstrom in three boxes of water of 38 to 49 angstrom (make_water_box, seeds 1 to
/// 3), against direct_potential(): rows by cutoff, columns by a/h; levels chosen automatically.
struct ErrorTable {
  int degree;
  int smoothing;
  double error[cutoffs.size()][ratios.size()];
};
const ErrorTable tables[] = {
    {3,
     2,
     {{1.13e-02, 7.95e-03, 5.38e-03, 3.79e-03, 2.79e-03, 1.52e-03, 7.15e-04},
      {1.09e-02, 7.71e-03, 4.95e-03, 3.71e-03, 2.76e-03, 1.64e-03, 6.46e-04},
      {1.02e-02, 7.44e-03, 5.05e-03, 3.97e-03, 2.56e-03, 1.61e-03, 7.08e-04},
      {8.63e-03, 6.92e-03, 5.02e-03, 3.52e-03, 2.59e-03, 1.54e-03, 6.89e-04},
      {8.28e-03, 6.20e-03, 3.87e-03, 3.51e-03, 2.65e-03, 1.74e-03, 6.57e-04},
      {5.67e-03, 4.02e-03, 3.01e-03, 2.73e-03, 2.35e-03, 1.47e-03, 6.97e-04}}},
    {5,
     3,
     {{6.49e-03, 3.59e-03, 2.27e-03, 1.40e-03, 9.33e-04, 3.97e-04, 1.40e-04},
      {6.15e-03, 3.23e-03, 2.08e-03, 1.26e-03, 8.72e-04, 4.22e-04, 1.20e-04},
      {5.45e-03, 3.03e-03, 1.92e-03, 1.19e-03, 8.07e-04, 4.07e-04, 1.29e-04},
      {4.71e-03, 2.92e-03, 1.79e-03, 1.19e-03, 7.71e-04, 3.80e-04, 1.24e-04},
      {3.83e-03, 2.11e-03, 1.50e-03, 1.01e-03, 6.94e-04, 3.39e-04, 1.17e-04},
      {2.57e-03, 1.58e-03, 1.12e-03, 7.15e-04, 5.04e-04, 2.69e-04, 9.79e-05}}},
    {7,
     3,
     {{4.65e-03, 2.46e-03, 1.57e-03, 9.50e-04, 6.33e-04, 2.75e-04, 9.58e-05},
      {4.10e-03, 2.16e-03, 1.41e-03, 8.69e-04, 5.88e-04, 2.91e-04, 8.41e-05},
      {3.50e-03, 1.88e-03, 1.24e-03, 7.74e-04, 5.37e-04, 2.74e-04, 9.03e-05},
      {3.15e-03, 1.74e-03, 1.12e-03, 7.24e-04, 5.04e-04, 2.53e-04, 8.60e-05},
      {2.52e-03, 1.34e-03, 8.89e-04, 5.88e-04, 4.20e-04, 2.17e-04, 7.70e-05},
      {1.66e-03, 9.09e-04, 6.21e-04, 4.29e-04, 3.04e-04, 1.58e-04, 5.99e-05}}},
    {7,
     4,
     {{5.40e-03, 2.82e-03, 1.37e-03, 8.22e-04, 4.52e-04, 1.58e-04, 4.39e-05},
      {4.74e-03, 2.52e-03, 1.22e-03, 7.39e-04, 4.28e-04, 1.69e-04, 3.64e-05},
      {4.48e-03, 2.20e-03, 1.12e-03, 6.71e-04, 3.92e-04, 1.66e-04, 4.00e-05},
      {3.75e-03, 1.97e-03, 1.00e-03, 6.11e-04, 3.49e-04, 1.49e-04, 3.81e-05},
      {3.01e-03, 1.58e-03, 8.34e-04, 5.35e-04, 3.05e-04, 1.33e-04, 3.33e-05},
      {1.90e-03, 1.06e-03, 6.03e-04, 3.83e-04, 2.30e-04, 9.47e-05, 2.75e-05}}},
};

/// Larger boxes have more levels, each with its share: up to a tenth more has been seen at 247 angstrom.
constexpr double larger_boxes = 1.15;

/// Index and fraction of x in a table of increasing numbers, by logarithms; beyond the ends the last interval goes on.
template <std::size_t n>
std::pair<std::size_t, double> place(const std::array<double, n>& table, double x) {
  std::size_t i = 0;
  while (i + 2 < n && x > table[i + 1]) ++i;
  return {i, std::log(x / table[i]) / std::log(table[i + 1] / table[i])};
}

double interpolated(const ErrorTable& table, double a, double ratio) {
  const auto [i, s] = place(cutoffs, std::clamp(a, cutoffs.front(), cutoffs.back()));
  const auto [j, t] = place(ratios, ratio);
  const auto row = [&](std::size_t k, double at) {
    return std::log(table.error[k][j]) * (1 - at) + std::log(table.error[k][j + 1]) * at;
  };
  return larger_boxes * std::exp(row(i, t) * (1 - s) + row(i + 1, t) * s);
}

}  // namespace

std::vector<MsmChoice> msm_choices() {
  std::vector<MsmChoice> list;
  for (const ErrorTable& table : tables) list.push_back({table.degree, table.smoothing});
  return list;
}

double msm_table_error(MsmChoice choice, double a, double ratio) {
  // Smoothings that are not in the table: as the nearest of the same degree.
  const ErrorTable* best = nullptr;
  for (const ErrorTable& table : tables) {
    if (table.degree != choice.degree) continue;
    if (!best || std::abs(table.smoothing - choice.smoothing) < std::abs(best->smoothing - choice.smoothing)) {
      best = &table;
    }
  }
  if (!best) throw Error("MSM: interpolation of degree 3, 5 or 7", Error::Kind::usage);
  return interpolated(*best, a, ratio) * (best->smoothing == choice.smoothing ? 1.0 : 1.4);
}

double msm_expected_error(const MsmOptions& options) {
  return msm_table_error({options.degree, options.smoothing}, options.cutoff, options.cutoff / options.spacing);
}

}  // namespace isolume
