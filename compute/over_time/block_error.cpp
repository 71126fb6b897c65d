// The standard error of a mean of correlated values, by blocks.
#include "compute/over_time/block_error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace isolume {
namespace {

constexpr double most_correlation = 0.4;          // of neighbouring blocks
constexpr double most_correlation_last = 0.5;     // where no longer blocks are left
constexpr double most_correlation_before = 0.72;  // of blocks half as long: slow decay shows there with less noise
constexpr std::uint64_t enough_blocks = 24;
constexpr double least_factor = 0.8;  // a little below 1: noise, not anticorrelation, makes it small
constexpr double most_noise = 2;      // standard deviations of the correlation of uncorrelated blocks

// Of blocks x correlation times long: the correlation of neighbours.
double neighbour_correlation(double x) {
  const double part = -std::expm1(-x);
  return part * part / (2 * (x - part));
}

// And by what the variance of their means, times their length, is short of that of endless blocks.
double missing_factor(double x) {
  return 1 / (1 + std::expm1(-x) / x);
}

// What exponential decay makes of the correlation of neighbours, from 0 to 0.72: the factor, and the correlation of
// blocks twice as long.
class DecayTable {
 public:
  DecayTable() {
    for (std::size_t i = 0; i < size; ++i) {
      const double correlation = width * static_cast<double>(i);
      double low = 0.05, high = 100;  // correlation times
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (neighbour_correlation(middle) > correlation ? low : high) = middle;
      }
      // For the longest blocks the factor is 1 + 2 r to first order, and blocks twice as long have half of r.
      factors_[i] = correlation < 0.006 ? 1 + 2 * correlation : missing_factor(low);
      doubled_[i] = correlation < 0.006 ? 0.5 * correlation : neighbour_correlation(2 * low);
    }
  }

  double factor(double correlation) const { return correlation <= 0 ? 1 + 2 * correlation : at(factors_, correlation); }
  /// Of blocks twice as long.
  double doubled(double correlation) const { return correlation <= 0 ? 0 : at(doubled_, correlation); }

 private:
  static constexpr std::size_t size = 362;
  static constexpr double width = 0.002;
  using Table = std::array<double, size>;

  static double at(const Table& table, double correlation) {
    const double place = std::min(correlation / width, size - 1.001);
    const auto i = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(i);
    return (1 - part) * table[i] + part * table[i + 1];
  }

  Table factors_{}, doubled_{};
};

const DecayTable& decay() {
  static const DecayTable table;
  return table;
}

// The continued fraction of the incomplete beta function (Lentz's method).
double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m < 300; ++m) {
    const double even = m * (b - m) * x / ((a - 1 + 2 * m) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 1 + 2 * m));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    result *= d * c;
    if (std::abs(d * c - 1) < 1e-12) break;
  }
  return result;
}

// The correlation of neighbouring blocks from the variances of their means and of those of blocks twice as long.
double correlation_of(const BlockVariance& shorter, const BlockVariance& longer) {
  const double found = longer.variance * 2 / shorter.variance - 1;
  return found + (1 + 4 * found) / static_cast<double>(shorter.blocks);  // what the unknown mean takes from it
}

double incomplete_beta(double a, double b, double x) {
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

bool MeanError::rough(std::uint64_t frames) const {
  return known() && static_cast<double>(frames) < enough_independent * inefficiency;
}

MeanError mean_error(std::uint64_t frames, std::span<const BlockVariance> levels) {
  MeanError result;
  if (frames < 2 || levels.empty() || levels[0].blocks < 2) return result;
  const double variance = levels[0].variance;
  if (variance == 0) {
    result.standard_error = 0;
    result.inefficiency = 1;
    result.degrees = static_cast<double>(frames - 1);
    result.block_length = 1;
    return result;
  }
  const auto n = static_cast<double>(frames);
  const double wanted = 0.75 * std::pow(n, 0.45);
  std::size_t level = static_cast<std::size_t>(std::max(0.0, std::round(std::log2(wanted))));
  for (; level + 1 < levels.size(); ++level) {
    const BlockVariance &shorter = levels[level], &longer = levels[level + 1];
    if (shorter.blocks < fewest_blocks || longer.blocks < 2 || shorter.variance <= 0) break;
    const auto count = static_cast<double>(shorter.blocks);
    double correlation = correlation_of(shorter, longer);
    bool decays = true;
    if (level > 0) {
      const double before = correlation_of(levels[level - 1], shorter);
      decays = before <= most_correlation_before;
      if (decays && before > most_noise / std::sqrt(static_cast<double>(levels[level - 1].blocks)))
        correlation = std::max(correlation, decay().doubled(before));
    }
    const bool last = level + 2 >= levels.size() || longer.blocks < enough_blocks;
    if (decays && correlation <= (last ? most_correlation_last : most_correlation)) {
      const double factor = std::max(least_factor, decay().factor(correlation));
      const double squared = shorter.variance * shorter.length * factor / n;
      const double from = std::max(correlation, 0.0);
      const double slope = (decay().factor(from + 0.02) / decay().factor(from) - 1) / 0.02;
      result.standard_error = std::sqrt(squared);
      result.inefficiency = squared * n / variance;
      result.degrees = 2 * count / (2 + slope * slope * (1 - from * from));
      result.block_length = shorter.length;
      return result;
    }
    if (last) break;
  }
  return result;
}

double interval_factor(double degrees) {
  if (!(degrees > 0)) return std::numeric_limits<double>::quiet_NaN();
  double low = 0, high = 1e6;
  for (int step = 0; step < 100; ++step) {
    const double t = 0.5 * (low + high);
    const double outside = incomplete_beta(0.5 * degrees, 0.5, degrees / (degrees + t * t));
    (outside > 0.05 ? low : high) = t;
  }
  return low;
}

}  // namespace isolume
