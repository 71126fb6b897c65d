// The error that parameters of multilevel summation have, from a table of measured ones.
#include "compute/electrostatics/msm/msm_errors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "molecule/base/error.h"

namespace isolume {

namespace {

constexpr std::array<double, 6> cutoffs{3, 4, 5, 6, 8, 12};
constexpr std::array<double, 9> ratios{2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 8};

/// Relative RMS errors on maps of 0.5 angstrom in three boxes of water of 38 to 49 angstrom (make_water_box, seeds 1 to
/// 3), measured by potential_error() at 2000 points each (`bench_potential errors`): rows by cutoff, columns by a/h;
/// levels chosen automatically.
struct ErrorTable {
  MsmChoice choice;
  double error[cutoffs.size()][ratios.size()];
};
const ErrorTable tables[] = {
    {{3, 2, MsmBasisKind::nodal},
     {{3.17e-02, 1.82e-02, 1.14e-02, 7.45e-03, 5.17e-03, 3.66e-03, 2.73e-03, 1.46e-03, 6.74e-04},
      {2.67e-02, 1.67e-02, 1.06e-02, 7.38e-03, 4.97e-03, 3.54e-03, 2.53e-03, 1.55e-03, 6.04e-04},
      {2.23e-02, 1.44e-02, 9.76e-03, 6.91e-03, 4.78e-03, 3.52e-03, 2.55e-03, 1.44e-03, 6.58e-04},
      {1.97e-02, 1.25e-02, 8.61e-03, 6.33e-03, 4.52e-03, 3.29e-03, 2.54e-03, 1.51e-03, 6.27e-04},
      {1.54e-02, 9.84e-03, 7.02e-03, 5.42e-03, 3.93e-03, 3.01e-03, 2.43e-03, 1.45e-03, 6.21e-04},
      {1.19e-02, 7.22e-03, 5.45e-03, 3.77e-03, 2.86e-03, 2.56e-03, 1.96e-03, 1.30e-03, 6.55e-04}}},
    {{5, 3, MsmBasisKind::nodal},
     {{2.80e-02, 1.22e-02, 6.58e-03, 3.56e-03, 2.20e-03, 1.33e-03, 8.90e-04, 3.78e-04, 1.34e-04},
      {2.31e-02, 1.06e-02, 5.74e-03, 3.13e-03, 1.99e-03, 1.21e-03, 8.16e-04, 3.95e-04, 1.12e-04},
      {1.92e-02, 9.16e-03, 5.05e-03, 2.89e-03, 1.79e-03, 1.12e-03, 7.67e-04, 3.72e-04, 1.22e-04},
      {1.66e-02, 7.77e-03, 4.49e-03, 2.62e-03, 1.65e-03, 1.06e-03, 7.10e-04, 3.59e-04, 1.15e-04},
      {1.22e-02, 6.19e-03, 3.53e-03, 2.10e-03, 1.34e-03, 8.86e-04, 6.26e-04, 3.15e-04, 1.05e-04},
      {1.01e-02, 4.20e-03, 2.37e-03, 1.50e-03, 9.55e-04, 6.50e-04, 4.54e-04, 2.43e-04, 8.55e-05}}},
    {{7, 3, MsmBasisKind::nodal},
     {{2.06e-02, 8.30e-03, 4.60e-03, 2.42e-03, 1.51e-03, 8.98e-04, 6.09e-04, 2.61e-04, 9.13e-05},
      {1.63e-02, 6.89e-03, 3.90e-03, 2.07e-03, 1.34e-03, 8.23e-04, 5.57e-04, 2.76e-04, 7.84e-05},
      {1.39e-02, 5.66e-03, 3.33e-03, 1.79e-03, 1.17e-03, 7.35e-04, 5.08e-04, 2.55e-04, 8.29e-05},
      {1.21e-02, 4.87e-03, 2.85e-03, 1.59e-03, 1.05e-03, 6.59e-04, 4.58e-04, 2.38e-04, 8.02e-05},
      {9.03e-03, 4.06e-03, 2.26e-03, 1.25e-03, 8.22e-04, 5.30e-04, 3.77e-04, 1.98e-04, 7.09e-05},
      {7.29e-03, 2.64e-03, 1.48e-03, 8.57e-04, 5.62e-04, 3.62e-04, 2.64e-04, 1.43e-04, 5.28e-05}}},
    {{7, 4, MsmBasisKind::nodal},
     {{3.24e-02, 1.35e-02, 5.36e-03, 2.73e-03, 1.31e-03, 7.74e-04, 4.38e-04, 1.51e-04, 4.07e-05},
      {2.61e-02, 1.11e-02, 4.71e-03, 2.33e-03, 1.19e-03, 7.03e-04, 4.08e-04, 1.59e-04, 3.35e-05},
      {2.19e-02, 9.35e-03, 4.12e-03, 2.12e-03, 1.07e-03, 6.32e-04, 3.67e-04, 1.54e-04, 3.70e-05},
      {1.90e-02, 8.27e-03, 3.50e-03, 1.87e-03, 9.69e-04, 5.61e-04, 3.31e-04, 1.40e-04, 3.50e-05},
      {1.39e-02, 6.69e-03, 2.75e-03, 1.49e-03, 7.69e-04, 4.86e-04, 2.84e-04, 1.19e-04, 3.09e-05},
      {1.11e-02, 4.48e-03, 1.80e-03, 1.03e-03, 5.20e-04, 3.24e-04, 2.07e-04, 8.96e-05, 2.42e-05}}},
    {{3, 2, MsmBasisKind::bspline},
     {{1.42e-02, 8.68e-03, 5.13e-03, 3.54e-03, 2.35e-03, 1.67e-03, 1.21e-03, 6.41e-04, 2.87e-04},
      {1.10e-02, 7.20e-03, 4.58e-03, 3.17e-03, 2.12e-03, 1.52e-03, 1.14e-03, 6.63e-04, 2.59e-04},
      {9.41e-03, 5.81e-03, 3.75e-03, 2.76e-03, 1.91e-03, 1.41e-03, 1.04e-03, 6.26e-04, 2.69e-04},
      {8.14e-03, 5.04e-03, 3.19e-03, 2.36e-03, 1.66e-03, 1.24e-03, 9.54e-04, 5.89e-04, 2.58e-04},
      {5.96e-03, 4.12e-03, 2.55e-03, 1.91e-03, 1.30e-03, 1.00e-03, 7.58e-04, 4.94e-04, 2.33e-04},
      {4.65e-03, 2.80e-03, 1.68e-03, 1.19e-03, 8.69e-04, 6.71e-04, 5.21e-04, 3.45e-04, 1.74e-04}}},
    {{3, 3, MsmBasisKind::bspline},
     {{1.96e-02, 8.11e-03, 4.61e-03, 2.50e-03, 1.62e-03, 9.76e-04, 6.77e-04, 2.96e-04, 1.06e-04},
      {1.51e-02, 6.86e-03, 3.92e-03, 2.15e-03, 1.43e-03, 8.83e-04, 6.07e-04, 3.04e-04, 9.06e-05},
      {1.33e-02, 5.44e-03, 3.38e-03, 1.91e-03, 1.27e-03, 8.01e-04, 5.63e-04, 2.86e-04, 9.61e-05},
      {1.15e-02, 4.85e-03, 2.85e-03, 1.70e-03, 1.12e-03, 7.22e-04, 5.11e-04, 2.68e-04, 9.05e-05},
      {8.46e-03, 4.04e-03, 2.27e-03, 1.36e-03, 8.99e-04, 5.82e-04, 4.17e-04, 2.28e-04, 8.25e-05},
      {6.79e-03, 2.67e-03, 1.54e-03, 8.80e-04, 6.16e-04, 3.91e-04, 3.03e-04, 1.71e-04, 6.43e-05}}},
    {{5, 3, MsmBasisKind::bspline},
     {{1.14e-02, 5.14e-03, 2.95e-03, 1.45e-03, 9.59e-04, 5.70e-04, 3.99e-04, 1.77e-04, 5.80e-05},
      {8.84e-03, 4.07e-03, 2.49e-03, 1.27e-03, 8.70e-04, 5.19e-04, 3.66e-04, 1.82e-04, 5.29e-05},
      {7.52e-03, 3.37e-03, 2.01e-03, 1.12e-03, 7.70e-04, 4.81e-04, 3.46e-04, 1.66e-04, 5.45e-05},
      {6.07e-03, 2.88e-03, 1.78e-03, 9.50e-04, 6.65e-04, 4.24e-04, 3.11e-04, 1.59e-04, 5.14e-05},
      {4.87e-03, 2.25e-03, 1.33e-03, 7.34e-04, 5.24e-04, 3.35e-04, 2.44e-04, 1.33e-04, 4.65e-05},
      {3.75e-03, 1.55e-03, 9.46e-04, 4.78e-04, 3.29e-04, 2.07e-04, 1.58e-04, 8.99e-05, 3.47e-05}}},
    {{5, 4, MsmBasisKind::bspline},
     {{1.74e-02, 6.10e-03, 2.29e-03, 1.30e-03, 5.93e-04, 3.82e-04, 1.99e-04, 7.31e-05, 1.89e-05},
      {1.35e-02, 4.89e-03, 2.00e-03, 1.14e-03, 5.33e-04, 3.41e-04, 1.83e-04, 7.58e-05, 1.69e-05},
      {1.18e-02, 4.09e-03, 1.61e-03, 9.93e-04, 4.81e-04, 3.20e-04, 1.71e-04, 7.19e-05, 1.78e-05},
      {9.44e-03, 3.42e-03, 1.40e-03, 8.10e-04, 4.05e-04, 2.72e-04, 1.56e-04, 6.80e-05, 1.70e-05},
      {7.37e-03, 2.67e-03, 1.06e-03, 6.45e-04, 3.18e-04, 2.09e-04, 1.18e-04, 5.48e-05, 1.51e-05},
      {5.54e-03, 1.91e-03, 7.19e-04, 4.23e-04, 1.92e-04, 1.31e-04, 7.93e-05, 3.77e-05, 1.12e-05}}},
    {{7, 4, MsmBasisKind::bspline},
     {{1.32e-02, 4.88e-03, 1.93e-03, 1.06e-03, 4.94e-04, 3.20e-04, 1.69e-04, 6.28e-05, 1.58e-05},
      {1.04e-02, 3.86e-03, 1.72e-03, 9.42e-04, 4.46e-04, 2.85e-04, 1.58e-04, 6.49e-05, 1.45e-05},
      {8.21e-03, 3.19e-03, 1.34e-03, 7.80e-04, 4.04e-04, 2.66e-04, 1.44e-04, 6.03e-05, 1.48e-05},
      {6.46e-03, 2.64e-03, 1.16e-03, 6.71e-04, 3.40e-04, 2.32e-04, 1.35e-04, 5.68e-05, 1.43e-05},
      {5.61e-03, 1.90e-03, 8.92e-04, 4.97e-04, 2.56e-04, 1.77e-04, 1.02e-04, 4.73e-05, 1.28e-05},
      {4.10e-03, 1.44e-03, 6.06e-04, 3.42e-04, 1.60e-04, 1.11e-04, 6.26e-05, 3.00e-05, 9.46e-06}}},
};

/// Other boxes have other levels, each with its share, and a margin around them: on water of 10^4 to 10^6 atoms the
/// measured errors are 1.17 to 1.31 times the table's in the mean, by basis and size (docs/performance/potentials.md).
constexpr double usual = 1.25;
/// At most they were 1.56 (nodal) and 1.78 times (B-splines) the table's, for cutoffs of 3 to 10 angstrom and a/h to
/// 16; with 12 angstrom 1.64 and 2.2 times.
double most_of(MsmBasisKind basis) {
  return basis == MsmBasisKind::nodal ? 1.65 : 1.85;
}

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
  // Beyond the last column errors fall by half a power less than within the last interval.
  return std::exp(row(i, t) * (1 - s) + row(i + 1, t) * s) * std::sqrt(std::max(1.0, ratio / ratios.back()));
}

}  // namespace

std::vector<MsmChoice> msm_choices() {
  std::vector<MsmChoice> list;
  for (const ErrorTable& table : tables) list.push_back(table.choice);
  return list;
}

double msm_table_error(MsmChoice choice, double a, double ratio) {
  // Smoothings that are not in the table: as the nearest of the same degree.
  const ErrorTable* best = nullptr;
  const auto off = [&](const ErrorTable& table) { return std::abs(table.choice.smoothing - choice.smoothing); };
  for (const ErrorTable& table : tables) {
    if (table.choice.degree != choice.degree || table.choice.basis != choice.basis) continue;
    if (!best || off(table) < off(*best)) best = &table;
  }
  if (!best) throw Error("MSM: interpolation of degree 3, 5 or 7", Error::Kind::usage);
  return interpolated(*best, a, ratio) * (off(*best) == 0 ? 1.0 : 1.4);
}

double msm_largest_error(MsmChoice choice, double a, double ratio) {
  return most_of(choice.basis) * msm_table_error(choice, a, ratio);
}

std::optional<double> msm_least_ratio(double accuracy, const std::function<double(double)>& error) {
  double low = 2;
  double high = 16;
  if (error(low) <= accuracy) return low;
  if (error(high) > accuracy) return std::nullopt;
  for (int step = 0; step < 30; ++step) {
    const double middle = 0.5 * (low + high);
    (error(middle) > accuracy ? low : high) = middle;
  }
  return high;
}

double msm_expected_error(const MsmOptions& options) {
  return usual * msm_table_error({options.degree, options.smoothing, options.basis}, options.cutoff,
                                 options.cutoff / options.spacing);
}

}  // namespace isolume
