// One axis of a plot: its range, its round numbers, and where a value is on the screen.
#include "app/window/widgets/plot_axis.h"

#include <algorithm>
#include <cmath>

namespace isolume {

void PlotAxis::zoom(double factor, double centre) {
  if (!(factor > 0)) return;
  lower = centre + (lower - centre) / factor;
  upper = centre + (upper - centre) / factor;
}

std::vector<double> round_ticks(double lower, double upper, int most, bool whole) {
  std::vector<double> ticks;
  if (!std::isfinite(lower) || !std::isfinite(upper) || !(upper > lower) || most < 2) return ticks;
  double step = std::pow(10.0, std::floor(std::log10((upper - lower) / most)));
  if (whole) step = std::max(step, 1.0);
  // 1, 2, 5, 10, ... times the power of ten, until there are few enough.
  constexpr double factors[] = {2, 2.5, 2};
  const auto count = [&] { return std::floor(upper / step + 1e-9) - std::ceil(lower / step - 1e-9) + 1; };
  for (int i = 0; count() > most; ++i) step *= factors[i % 3];
  const double first = std::ceil(lower / step - 1e-9);
  for (int i = 0; i < static_cast<int>(count()); ++i) {
    const double tick = (first + i) * step;
    ticks.push_back(tick == 0 ? 0.0 : tick);  // no -0
  }
  return ticks;
}

std::vector<QString> tick_labels(const std::vector<double>& ticks) {
  std::vector<QString> labels;
  if (ticks.empty()) return labels;
  double largest = 0;
  for (const double tick : ticks) largest = std::max(largest, std::abs(tick));
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : std::max(largest, 1.0);
  const bool powers = largest >= 1e5 || (largest > 0 && largest < 1e-4);
  const int finest = static_cast<int>(std::floor(std::log10(step) + 1e-9));
  const int top = largest > 0 ? static_cast<int>(std::floor(std::log10(largest) + 1e-9)) : 0;
  for (const double tick : ticks) {
    QString text = powers ? QString::number(tick, 'e', std::clamp(top - finest, 0, 8))
                          : QString::number(tick, 'f', std::clamp(-finest, 0, 8));
    text.replace(QLatin1Char('-'), QChar(0x2212));
    labels.push_back(std::move(text));
  }
  return labels;
}

PlotAxis roomy(double lower, double upper, double part) {
  PlotAxis axis;
  const double width = upper - lower;
  const double room = width > 0 ? part * width : std::max(1e-6, 0.05 * std::abs(lower));
  axis.lower = lower - room;
  axis.upper = upper + room;
  return axis;
}

}  // namespace isolume
